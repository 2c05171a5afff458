/**
 * Sessions that omp archived, as the window has them: listed as such, read, searched, never written. On real files, with one
 * of each kind of damage beside the whole ones.
 */
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DraftStore } from '../engine/artifacts/draft-store'
import { silentWork as work } from '../engine/environment'
import { SessionManager } from '../engine/session/session-manager'
import { HEADER, journal, message } from '../engine/storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../engine/test-environment.test-support'
import { Catalog } from '../library/catalog/catalog'
import { foundRow } from '../library/catalog/packed-summary'
import { displayTitle } from '../library/catalog/session-row'
import { versionText } from '../library/drafts/draft-version'
import { type LibraryRoot, libraryRoots } from '../library/roots'
import { NO_FILTERS, searchTarget } from '../library/search/search-target'
import { locateFile } from '../library/session-file'
import { createChangeJobs } from './change-jobs'
import { createDraftJobs } from './draft-jobs'
import { createEditJobs } from './edit-jobs'
import { createIndexJobs } from './index-jobs'
import { createMoveJobs } from './move-jobs'
import { createReadingJobs } from './reading-jobs'
import { createScanJobs } from './scan-jobs'
import { createSearchJobs } from './search-jobs'
import { workerChanges } from './worker-changes'

let env: TestEnvironment
let root: LibraryRoot
let folder: string
beforeEach(() => {
  env = testEnvironment({ now: Date.now })
  folder = path.join(env.home, 'work')
  fs.mkdirSync(folder)
  const [only] = libraryRoots(env, [], path.join(env.home, 'agent'))
  if (only === undefined) throw new Error('no root')
  root = only
})
afterEach(() => env.remove())

const textOf = (id: string, ...more: object[]) =>
  journal(
    { ...HEADER, id, cwd: folder },
    message('m1', null, `what about ${id}`),
    message('m2', 'm1', 'a needle in the archive', 'assistant'),
    message('m3', 'm2', 'go on'),
    message('m4', 'm2', 'or another way'),
    ...more,
  )

/** Archived a day ago, with an artifact and a draft beside it. */
function archive(id: string, bytes: Uint8Array = gzipSync(textOf(id))): string {
  const file = env.put(`agent/archive/sessions/-work/${id}.jsonl.gz`, bytes)
  env.put(`agent/archive/sessions/-work/${id}/0.bash.log`, 'output')
  env.put(`agent/archive/sessions/-work/${id}/draft.txt`, 'not sent')
  const then = Date.now() / 1000 - 86_400
  fs.utimesSync(file, then, then)
  return file
}

function value<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

async function catalogNow(jobs = createScanJobs(env)): Promise<Catalog> {
  const catalog = new Catalog(env.home)
  const look = value(await jobs.look({ roots: [root], scan: null }, work))
  catalog.takeRoots([root], look.roots)
  for (;;) {
    const rows = value(await jobs.rows({ scan: look.scan, counting: true }, work))
    catalog.takeRows(rows.rows.map(foundRow), [root])
    if (!rows.more && rows.uncounted === 0) return catalog
  }
}

const rowOf = (catalog: Catalog, file: string) => catalog.rowAt(file)
const ALL = { sort: 'activity', reverse: false, filter: '', offset: 0, limit: 500 } as const

/** Everything below the agent directory: names, sizes, times, bytes. */
function everything(): string[] {
  return fs
    .readdirSync(root.layout.agentDir, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => {
      const full = path.join(root.layout.agentDir, name)
      const stat = fs.statSync(full, { bigint: true })
      return `${name} ${stat.mtimeNs} ${stat.ino} ${stat.isFile() ? fs.readFileSync(full).toString('base64') : ''}`
    })
}

describe('archived sessions in the list', () => {
  it('are among all, marked, only read, and by themselves', async () => {
    const one = archive('one')
    const plain = env.put('agent/sessions/-work/two.jsonl', textOf('two'))
    const catalog = await catalogNow()
    expect(rowOf(catalog, one)).toMatchObject({
      id: 'one',
      title: 'what about one',
      ...{ archived: true, readOnly: true, problem: null, damagedLines: 0 },
      ...{ messages: 4, branches: 2, artifacts: 1, hasDraft: true },
    })
    expect(rowOf(catalog, plain)).toMatchObject({ archived: false, readOnly: false })
    expect(catalog.counts()).toMatchObject({ all: 2, archived: 1 })
    const archived = catalog.page({ ...ALL, scope: { kind: 'archived' } })
    expect(archived.rows.map(({ id }) => id)).toEqual(['one'])
    const filtered = catalog.page({ ...ALL, scope: { kind: 'all' }, filter: 'archived one' })
    expect(filtered.rows.map(({ id }) => id)).toEqual(['one'])
  })

  it('take the room that they take on the disk', async () => {
    const file = archive('one')
    const beside = 'output'.length + 'not sent'.length
    expect(rowOf(await catalogNow(), file)?.bytes).toBe(fs.statSync(file).size + beside)
  })

  it('are found in folders of folders, but not among artifacts', async () => {
    archive('one')
    const deep = env.put('agent/archive/sessions/-work/more/deep.jsonl.gz', gzipSync(textOf('deep')))
    env.put('agent/archive/sessions/-work/one/data.jsonl.gz', gzipSync(textOf('data')))
    const catalog = await catalogNow()
    expect(catalog.counts().archived).toBe(2)
    expect(rowOf(catalog, deep)?.id).toBe('deep')
  })

  it('are there without a sessions folder, and nothing is without an archive', async () => {
    expect((await catalogNow()).counts()).toMatchObject({ all: 0, archived: 0 })
    archive('one')
    expect((await catalogNow()).counts()).toMatchObject({ all: 1, archived: 1 })
  })

  it('are not opened again while they are as they were', async () => {
    const file = archive('one')
    const jobs = createScanJobs(env)
    const first = value(await jobs.look({ roots: [root], scan: null }, work))
    value(await jobs.rows({ scan: first.scan, counting: true }, work))
    value(await jobs.look({ roots: [root], scan: first.scan }, work))
    const none = value(await jobs.rows({ scan: first.scan, counting: true }, work))
    expect(none.rows).toEqual([])
    fs.writeFileSync(file, gzipSync(textOf('one', message('m5', 'm4', 'one more'))))
    value(await jobs.look({ roots: [root], scan: first.scan }, work))
    const again = value(await jobs.rows({ scan: first.scan, counting: true }, work))
    expect(again.rows.map(foundRow)).toMatchObject([{ summary: { file, messageCount: 5 } }])
  })

  it('are still the sessions that they were, for a window that shows one and for those made from it', async () => {
    const plain = env.put('agent/sessions/-work/one.jsonl', textOf('one'))
    const child = journal({ ...HEADER, id: 'child', cwd: folder, parentSession: plain }, message('c', null))
    const fork = env.put('agent/sessions/-work/child.jsonl', child)
    const catalog = await catalogNow()
    const ref = catalog.rowAt(plain)?.ref ?? ''
    fs.rmSync(plain)
    const file = archive('one')
    const jobs = createScanJobs(env)
    const look = value(await jobs.look({ roots: [root], scan: null }, work))
    const rows = value(await jobs.rows({ scan: look.scan, counting: true }, work))
    catalog.forget([plain])
    catalog.takeRows(rows.rows.map(foundRow), [root])
    expect(catalog.movedTo(ref)).toBe(catalog.rowAt(file)?.ref)
    const summary = catalog.summaries().find(one => one.summary.file === fork)?.summary
    if (summary === undefined) throw new Error('no child')
    expect(catalog.family().parentOf(summary)?.parent.file).toBe(file)
  })

  it('that are damaged say what is wrong, and hide nobody else', async () => {
    const whole = gzipSync(
      textOf('cut', ...Array.from({ length: 500 }, (_, at) => message(`x${at}`, 'm4', `${at * 7919}`))),
    )
    const cut = archive('cut', whole.subarray(0, whole.length - 900))
    const garbage = archive('garbage', Buffer.from('this is no gzip file at all'))
    const empty = archive('empty', new Uint8Array())
    const good = archive('good')
    const catalog = await catalogNow()
    expect(rowOf(catalog, cut)).toMatchObject({ id: 'cut', problem: null, damagedLines: 1 })
    expect(rowOf(catalog, cut)?.messages).toBeGreaterThan(50)
    expect(rowOf(catalog, garbage)).toMatchObject({
      problem: expect.stringMatching(/no gzip file/),
      messages: 0,
    })
    expect(rowOf(catalog, empty)).toMatchObject({ problem: 'The file is empty.' })
    expect(rowOf(catalog, good)).toMatchObject({ problem: null, messages: 4 })
    expect(catalog.counts()).toMatchObject({ archived: 4, damaged: 3 })
    const opened = value(await createReadingJobs(env).openSession({ journal: cut }, work))
    expect(opened.problems[0]).toMatch(/^The archive is cut off/)
    expect(opened.problems.join()).not.toMatch(/not finished/)
  })
})

describe('archived sessions are read', () => {
  it('with path, branches, details and artifacts, from the place of their root', async () => {
    const file = archive('one')
    const jobs = createReadingJobs(env)
    const opened = value(await jobs.openSession({ journal: file }, work))
    expect(opened).toMatchObject({ entries: 4, tipCount: 2, problems: [], complete: true })
    const place = { journal: file, blobsDir: root.layout.blobsDir, blobRoot: 'b', session: 's' }
    const page = value(
      await jobs.transcript({ ...place, tip: null, from: 0, count: 50, subagents: {} }, work),
    )
    expect(JSON.stringify(page.rows)).toContain('a needle in the archive')
    const artifacts = value(await jobs.artifacts(place, work))
    expect(artifacts.files.map(({ name }) => name)).toContain('0.bash.log')
    expect(value(await jobs.details(place, work))).toMatchObject({ id: 'one' })
    expect(new DraftStore(env, file).readDraft()).toMatchObject({ value: { text: 'not sent' } })
  })

  it('when one is opened by its path, from the archive and from anywhere', () => {
    const file = archive('one')
    expect(value(locateFile(env, [root], file)).root.id).toBe(root.id)
    // No root of this user: the agent directory around it.
    expect(value(locateFile(env, [], file)).root.layout).toMatchObject({
      sessionsDir: root.layout.sessionsDir,
      blobsDir: root.layout.blobsDir,
    })
    const elsewhere = env.put('downloads/x.jsonl.gz', gzipSync(textOf('x')))
    expect(locateFile(env, [root], elsewhere)).toMatchObject({ ok: true })
    expect(locateFile(env, [root], env.put('downloads/x.gz', ''))).toMatchObject({
      error: { message: expect.stringMatching(/of an archived one in \.jsonl\.gz/) },
    })
  })
})

describe('archived sessions are searched', () => {
  it('with and without the index, and by the files that they changed', async () => {
    const call = { type: 'toolCall', id: 'c', name: 'edit', arguments: { path: 'src/app.ts' } }
    const edit = { ...message('e', 'm4'), message: { role: 'assistant', content: [call] } }
    const file = archive('one', gzipSync(textOf('one', edit)))
    archive('garbage', Buffer.from('no gzip'))
    const catalog = await catalogNow()
    const targets = catalog
      .summaries()
      .map(({ summary }) => searchTarget(summary, displayTitle(summary).title))
    const search = createSearchJobs(env)
    const there = { fresh: true, put: targets, gone: [] }
    value(search.changeTargets(there))
    const found = async (mode: 'words' | 'regex') => {
      const more = {
        allText: false,
        thinking: false,
        filters: NO_FILTERS,
        order: 'recent',
        sessions: 9,
      } as const
      const request = { text: 'needle', mode, hitsEach: 5, ...more }
      const id = value(search.startSearch({ request }, work))
      const piece = value(await search.nextPiece({ id }, work))
      return piece.sessions.map(one => [one.file, one.hits[0]?.entryId])
    }
    const touching = async () => value(await search.touchedBy({ path: 'app.ts' }, work)).map(one => one.file)
    expect([await found('words'), await found('regex')]).toEqual([[[file, 'm2']], [[file, 'm2']]])
    expect(await touching()).toEqual([file])
    const update = async () => {
      const index = createIndexJobs(env)
      value(index.changeTargets(there))
      return value(await index.updateIndex({ anew: false }, work))
    }
    const updated = await update()
    expect(updated).toMatchObject({ indexed: 2, all: 2 })
    expect(await found('words')).toEqual([[file, 'm2']])
    expect(await touching()).toEqual([file])
    expect(await update()).toMatchObject({ opened: 0 })
  })
})

describe('archived sessions are never written', () => {
  it('by looking', async () => {
    const file = archive('one')
    const garbage = archive('garbage', Buffer.from('no gzip'))
    const before = everything()
    const catalog = await catalogNow()
    const jobs = createReadingJobs(env)
    for (const journal of [file, garbage]) {
      value(await jobs.openSession({ journal }, work))
      value(await jobs.draft({ journal }, work))
    }
    value(await createDraftJobs(env, workerChanges(env)).listDrafts({ roots: [root] }, work))
    expect(catalog.counts().archived).toBe(2)
    expect(everything()).toEqual(before)
  })

  it('by any change, each refused with the reason', async () => {
    const file = archive('one')
    const before = everything()
    const { layout } = root
    const roots = [root]
    const changes = workerChanges(env)
    const edits = createEditJobs(changes)
    const session = { ref: 's', journal: file, title: 'one', layout, readOnly: false }
    const one = { roots, session, includeMaybe: true }
    const target = {
      ...session,
      sessionsDir: layout.sessionsDir,
      agentDir: layout.agentDir,
      cwd: folder,
      id: 'one',
    }
    const why = expect.stringMatching(/archived by omp, and archived sessions are only read; fork it/)
    const stays = { ok: true, value: { changeId: null, staying: [{ text: why }] } }
    expect(await edits.renameSession({ ...one, title: 'new' }, work)).toMatchObject(stays)
    expect(await edits.labelEntry({ ...one, entryId: 'm1', label: 'x' }, work)).toMatchObject(stays)
    expect(await edits.continueBranch({ ...one, entryId: 'm3' }, work)).toMatchObject(stays)
    const drafts = createDraftJobs(env, changes)
    const draft = { roots, journal: file, layout, readOnly: false, includeMaybe: true, version: null }
    const there = value(new DraftStore(env, file).readDraft()).version
    if (there === null) throw new Error('no draft')
    const version = versionText(there)
    const refused = { ok: false, error: { code: 'permission', message: why } }
    expect(await drafts.saveDraft({ ...draft, text: 'more', change: null })).toMatchObject(refused)
    expect(JSON.stringify(await drafts.discardDraft({ ...draft, version }))).toMatch(/archived by omp/)
    const manage = createChangeJobs(env, changes)
    expect(await manage.planDelete({ roots, targets: [target], linkedBy: [] }, work)).toMatchObject({
      value: { sessions: 0, staying: [{ text: why }] },
    })
    const scope = { kind: 'sessions' as const, journals: [file] }
    const to = path.join(env.home, 'elsewhere')
    fs.mkdirSync(to)
    expect(await manage.planReroot({ roots, scope, to, sessions: [target] }, work)).toMatchObject({
      value: { sessions: 0, staying: [{ text: why }] },
    })
    const move = { roots, sessions: [target], to: { folder: to, root: null } }
    expect(await createMoveJobs(changes).planMove(move, work)).toMatchObject({
      value: { sessions: 0, staying: [{ text: why }] },
    })
    expect(everything()).toEqual(before)
  })

  it('by the engine, whoever asks it', async () => {
    const file = archive('one')
    const before = everything()
    const manager = value(SessionManager.open(env, { layout: root.layout }, file))
    const refused = { ok: false, error: { code: 'permission', message: expect.stringMatching(/archived/) } }
    expect(await manager.appendMessage({ role: 'user', content: 'more' })).toMatchObject(refused)
    expect(await manager.saveDraft('more', null)).toMatchObject(refused)
    expect(await manager.check()).toMatchObject(refused)
    const store = new DraftStore(env, file)
    const { version } = value(store.readDraft())
    expect(await store.saveDraft('more', version)).toMatchObject(refused)
    expect(await store.discardDraft(version)).toMatchObject(refused)
    expect(everything()).toEqual(before)
  })

  it('by a star, which lies elsewhere', async () => {
    const file = archive('one')
    const bytes = fs.readFileSync(file)
    const { pinsFile } = root.layout
    const targets = [{ ref: 's', title: 'one', id: 'one', pinsFile, readOnly: false }]
    const starred = await createEditJobs(workerChanges(env)).starSessions(
      { roots: [root], targets, starred: true },
      work,
    )
    expect(starred).toMatchObject({ value: { done: 1 } })
    expect(fs.readFileSync(pinsFile, 'utf8')).toContain('one')
    expect(fs.readFileSync(file)).toEqual(bytes)
  })

  it('by a fork, which becomes a session of the same folder where omp finds it', async () => {
    const file = archive('one')
    const archived = () => everything().filter(line => line.startsWith('archive'))
    const before = archived()
    const session = { ref: 's', journal: file, title: 'one', layout: root.layout, readOnly: false }
    const jobs = createEditJobs(workerChanges(env))
    for (const leafId of [null, 'm3']) {
      const input = { roots: [root], session, leafId, withArtifacts: true, only: root.layout.agentDir }
      value(await jobs.forkPreview(input, work))
      const { file: made } = value(await jobs.forkSession(input, work))
      expect(path.dirname(path.dirname(made))).toBe(root.layout.sessionsDir)
      const opened = value(await createReadingJobs(env).openSession({ journal: made }, work))
      expect(opened.entries).toBe(leafId === null ? 4 : 3)
      expect(fs.readFileSync(path.join(made.slice(0, -'.jsonl'.length), '0.bash.log'), 'utf8')).toBe('output')
    }
    expect(archived()).toEqual(before)
  })
})
