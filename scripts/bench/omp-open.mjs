/**
 * Runs under bun, beside omp's own modules: opens one session as omp does, in a process that did nothing else.
 *
 *   bun omp-open.mjs OMP_PACKAGE < '{ "file": FILE }'
 *
 * Writes `{ open, peak, before, entries }` to descriptor 3: ms until it is open, and bytes of memory that the process had at most,
 * at the end and before it opened anything.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [ompPackage] = process.argv.slice(2)
const { SessionManager } = await import(join(ompPackage, 'src/session/session-manager.ts'))
const { file } = JSON.parse(readFileSync(0, 'utf8'))

/** The system's own count, which is the same for every program. */
function peakBytes() {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024
}

const before = peakBytes()
const start = performance.now()
const manager = await SessionManager.open(file, undefined, undefined, { suppressBreadcrumb: true })
const open = performance.now() - start
const entries = manager.getEntries().length
writeFileSync(3, JSON.stringify({ open, peak: peakBytes(), before, entries }))
// omp keeps timers and watchers that would hold the process.
process.exit(0)
