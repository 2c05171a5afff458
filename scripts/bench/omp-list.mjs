/**
 * Runs under bun, beside omp's own modules: lists all sessions as omp does, in a process that did nothing else.
 *
 *   PI_CODING_AGENT_DIR=DIR bun omp-list.mjs OMP_PACKAGE < '{}'
 *
 * Writes `{ first, cpu, again, sessions }` to descriptor 3: ms of the first listing, by the clock and of processors, and of a second one
 * in the same process.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [ompPackage] = process.argv.slice(2)
const { SessionManager } = await import(join(ompPackage, 'src/session/session-manager.ts'))
readFileSync(0)

async function listing() {
  const [start, before] = [performance.now(), process.cpuUsage()]
  const sessions = await SessionManager.listAll()
  const time = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { time, cpu: (user + system) / 1000, sessions: sessions.length }
}

const first = await listing()
const again = await listing()
const { time, cpu, sessions } = first
writeFileSync(3, JSON.stringify({ first: time, cpu, again: again.time, sessions }))
// omp keeps timers and watchers that would hold the process.
process.exit(0)
