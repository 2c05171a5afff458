/**
 * Runs under bun, beside omp's own modules: lists all sessions as omp does, in a process that did nothing else.
 *
 *   PI_CODING_AGENT_DIR=DIR bun omp-list.mjs OMP_PACKAGE < '{}'
 *
 * Writes `{ first, again, sessions }` to descriptor 3: ms of the first listing and of a second one in the same process.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [ompPackage] = process.argv.slice(2)
const { SessionManager } = await import(join(ompPackage, 'src/session/session-manager.ts'))
readFileSync(0)

async function listing() {
  const start = performance.now()
  const sessions = await SessionManager.listAll()
  return { time: performance.now() - start, sessions: sessions.length }
}

const first = await listing()
const again = await listing()
writeFileSync(3, JSON.stringify({ first: first.time, again: again.time, sessions: first.sessions }))
// omp keeps timers and watchers that would hold the process.
process.exit(0)
