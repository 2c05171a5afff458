import { nodeEnvironment } from '../src-main/engine/node-environment'
import { silentWork } from '../src-main/engine/environment'
import { libraryRoots } from '../src-main/library/roots'
import { headTargets } from '../src-main/library/search/head-targets'
import { openIndexForWriting, indexPath } from '../src-main/library/search/index-file'
import { IndexUpdate } from '../src-main/library/search/index-update'
import fs from 'node:fs'
const [agent, data] = process.argv.slice(2)
const env = { ...nodeEnvironment(), env: { GROVE_DATA_DIR: data } }
fs.rmSync(data!, { recursive: true, force: true })
const { targets } = headTargets(env, libraryRoots(env, [], agent!))
const open = await openIndexForWriting(env)
if (!open.ok) throw new Error(open.error.message)
const t = performance.now()
await new IndexUpdate(env, open.value.db).run(targets, silentWork)
const db = open.value.db
db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
console.log('build', performance.now() - t, fs.statSync(indexPath(env)).size)
const stat = () => { try { for (const r of db.prepare('SELECT name, sum(pgsize) s, sum(unused) u, count(*) n, sum(ncell) c FROM dbstat GROUP BY name ORDER BY s DESC').all()) console.log(JSON.stringify(r)) } catch (e) { console.log(String(e)) } }
stat()
console.log(JSON.stringify(db.prepare('SELECT count(*) n FROM entry').get()), JSON.stringify(db.prepare('select count(*) n, count(distinct segid) s from words_idx').get()))
const t2 = performance.now(); db.exec("INSERT INTO words(words) VALUES('optimize')"); console.log('optimize', performance.now() - t2); stat()
const t3 = performance.now(); db.exec('VACUUM'); db.exec('PRAGMA wal_checkpoint(TRUNCATE)'); console.log('vacuum', performance.now()-t3, fs.statSync(indexPath(env)).size)
