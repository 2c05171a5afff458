/**
 * For tests: a program that lists, counts, watches, indexes and searches the sessions of an agent directory by the jobs of the
 * workers, and prints what came of it. A process of its own, so that a test can limit what it may use.
 */
import fs from 'node:fs'
import { silentWork } from '../engine/environment'
import { nodeEnvironment } from '../engine/node-environment'
import { foundRow } from '../library/catalog/packed-summary'
import type { SessionSummary } from '../library/catalog/session-summary'
import { libraryRoots } from '../library/roots'
import { searchTarget } from '../library/search/search-target'
import { nativeWatch } from '../library/watch/native-watch'
import { createIndexJobs } from '../workers/index-jobs'
import { createScanJobs } from '../workers/scan-jobs'

/** What it prints, as JSON. */
export type WholeLibrary = {
  /** Descriptors that the process may have, as the system says it. */
  mayOpen: number
  /** Those that it had in the end. */
  open: number
  roots: { state: string; notes: string[] }[]
  sessions: number
  counted: number
  messages: number
  artifacts: number
  stubs: string[]
  indexed: { indexed: number; all: number } | string
}

async function wholeLibrary(agentDir: string): Promise<WholeLibrary> {
  const env = nodeEnvironment()
  const roots = libraryRoots(env, [], agentDir)
  const subscription = await nativeWatch(env.platform).subscribe(
    roots[0]?.layout.sessionsDir ?? '',
    { deep: true, except: [] },
    () => undefined,
  )
  const scan = createScanJobs(env)
  const name = scan.recall({ roots })
  if (!name.ok) throw new Error(name.error.message)
  const look = await scan.look({ roots, scan: name.value }, silentWork)
  if (!look.ok) throw new Error(look.error.message)
  const found = new Map<string, SessionSummary>()
  for (let more = true; more; ) {
    const got = await scan.rows({ scan: name.value, counting: true }, silentWork)
    if (!got.ok) throw new Error(got.error.message)
    for (const { summary } of got.value.rows.map(foundRow)) found.set(summary.file, summary)
    more = got.value.more || got.value.uncounted > 0
  }
  scan.save(null)
  const all = [...found.values()]
  const index = createIndexJobs(env)
  const put = all.map(summary => searchTarget(summary, summary.firstPrompt))
  index.changeTargets({ fresh: true, put, gone: [] })
  const indexed = await index.updateIndex({ anew: false }, silentWork)
  const open = fs.readdirSync('/proc/self/fd').length
  await subscription.end()
  return {
    mayOpen: Number(/^Max open files\s+(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8'))?.[1]),
    open,
    roots: look.value.roots.map(({ state, notes }) => ({ state, notes })),
    sessions: all.length,
    counted: all.filter(({ counted }) => counted).length,
    messages: all.reduce((sum, { messageCount }) => sum + messageCount, 0),
    artifacts: all.reduce((sum, { artifactCount }) => sum + artifactCount, 0),
    stubs: all.flatMap(({ stub }) => (stub === null ? [] : [stub])),
    indexed: indexed.ok ? { indexed: indexed.value.indexed, all: indexed.value.all } : indexed.error.message,
  }
}

wholeLibrary(process.argv[2] ?? '').then(
  told => {
    process.stdout.write(JSON.stringify(told))
    process.exit(0)
  },
  thrown => {
    process.stderr.write(String(thrown))
    process.exit(1)
  },
)
