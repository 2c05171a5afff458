/**
 * How fast a library is shown: the first start, when nothing is known; the second, from what the first noted; a look at a library that
 * did not change, and at one in which a session grew.
 *
 *   npm run bench -- list [--sessions N] [--megabytes N] [--rounds N] [--peer omp]
 *
 * Two libraries, one a tenth of the other, so that what a session costs can be told from what a start costs. Their files are in the page
 * cache. Each start is a process of its own, measured from when its modules are loaded; Grove and omp take turns.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { agentDirOf, type LibraryFacts, makeLibrary } from './corpus/library-corpus'
import { answerOnce, askProcess } from './harness/ask-process'
import { type KeptCorpus, keptCorpus } from './harness/kept-corpus'
import { findOmp, type Omp } from './harness/omp'
import { medianOf } from './harness/quantiles'
import type { PeerCommand } from './harness/round-peer'
import { type BenchContext, type BenchReport, runBench } from './harness/run-bench'
import {
  type FirstStart,
  type ListRequest,
  measureList,
  type SecondStart,
  type Step,
} from './list/list-sides'
import { type ListTimes, listTable, type OmpTimes, type Sized } from './list/list-table'
import { serveCountedScan } from './list/scan-worker'

const DEFAULTS = { sessions: 10_000, megabytes: 2_000, rounds: 5 }
/** In a process of Grove's side. */
const SIDE = 'GROVE_BENCH_SIDE'

async function measure(context: BenchContext): Promise<BenchReport> {
  const sessions = context.number('sessions')
  const megabytes = context.number('megabytes')
  const omp = context.hasPeer('omp') ? findOmp(context.directory, 'omp-list.mjs') : 'not asked for'
  const sizes: Sized[] = []
  for (const part of [10, 1]) {
    const count = Math.max(1, Math.round(sessions / part))
    const mega = Math.max(1, Math.round(megabytes / part))
    context.progress(`${count} sessions, ${mega} MB ...`)
    const corpus = keptCorpus(context.corpora, `library-${count}-${mega}`, folder =>
      makeLibrary(folder, count, mega * 1_000_000),
    )
    sizes.push({ facts: corpus.facts, ...measureOne(context, corpus, omp) })
  }
  return {
    tables: [listTable(sizes, typeof omp === 'string' ? null : omp.version)],
    notes: [
      'First start: until the first page can be shown, with the newest sessions; until all rows are, true counts of small sessions in them; then until the counts of all are. Second: from the catalog cache.',
      'Slope: what each further session costs, from the two sizes. omp reads both ends of each file; its counts are estimates.',
      ...(context.hasPeer('omp') && typeof omp === 'string' ? [`omp was not measured: ${omp}`] : []),
    ],
    figures: { sizes, omp: typeof omp === 'string' ? { unavailable: omp } : { version: omp.version } },
  }
}

function measureOne(
  context: BenchContext,
  { folder, facts }: KeptCorpus<LibraryFacts>,
  omp: Omp | string,
): Omit<Sized, 'facts'> {
  const agentDir = agentDirOf(folder)
  const firsts: FirstStart[] = []
  const seconds: SecondStart[] = []
  const peers: OmpTimes[] = []
  for (let round = 0; round < context.number('rounds'); round++) {
    const dataDir = path.join(context.directory, `data-${facts.sessions}-${round}`)
    const first = askGrove<FirstStart>({ agentDir, dataDir, start: 'first' })
    if (typeof omp !== 'string') peers.push(askOmp(omp, agentDir))
    const second = askGrove<SecondStart>({ agentDir, dataDir, start: 'second' })
    for (const { sessions, messages } of [first, second])
      if (sessions !== facts.sessions || messages !== first.messages)
        throw new Error(`${sessions} sessions with ${messages} messages were listed of ${facts.sessions}.`)
    firsts.push(first)
    seconds.push(second)
  }
  const grove: ListTimes = {
    shown: medianOf(firsts.map(({ shown }) => shown)),
    rows: medianStep(firsts.map(({ rows }) => rows)),
    counts: medianStep(firsts.map(({ rows, counts }) => both(rows, counts))),
    second: medianStep(seconds.map(({ rows }) => rows)),
    rescan: medianStep(seconds.map(({ rescan }) => rescan)),
    append: medianStep(seconds.map(({ append }) => append)),
  }
  const peer = peers.length === 0 ? null : medianPeer(peers)
  return { grove, omp: peer }
}

function askGrove<T extends FirstStart | SecondStart>(request: ListRequest): T {
  return askProcess<T>(grove(), request)
}

function grove(): PeerCommand {
  const program = fileURLToPath(import.meta.url)
  return { command: [process.execPath, program], env: { ...process.env, [SIDE]: 'list' }, cwd: process.cwd() }
}

function askOmp(omp: Omp, agentDir: string): OmpTimes {
  const env = { ...omp.env, PI_CODING_AGENT_DIR: agentDir }
  return askProcess<OmpTimes>({ ...omp, env }, {})
}

function both(rows: Step, counts: Step): Step {
  return { ...counts, time: rows.time + counts.time, cpu: rows.cpu + counts.cpu }
}

function medianStep(steps: readonly Step[]): Step {
  const of = (value: (step: Step) => number) => medianOf(steps.map(value))
  return {
    time: of(({ time }) => time),
    cpu: of(({ cpu }) => cpu),
    journals: of(({ journals }) => journals),
    bytesRead: of(({ bytesRead }) => bytesRead),
  }
}

function medianPeer(times: readonly OmpTimes[]): OmpTimes {
  return {
    first: medianOf(times.map(({ first }) => first)),
    cpu: medianOf(times.map(({ cpu }) => cpu)),
    again: medianOf(times.map(({ again }) => again)),
    sessions: medianOf(times.map(({ sessions }) => sessions)),
  }
}

// The scan worker of Grove's side is this program as well.
if (!isMainThread) serveCountedScan()
else if (process.env[SIDE] === undefined)
  await runBench('list', { numbers: DEFAULTS, peers: ['omp'] }, measure)
else await answerOnce<ListRequest>(measureList)
