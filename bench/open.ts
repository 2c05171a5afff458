/**
 * How fast one large session is shown: its newest page, its whole index, a page anywhere in it, the layout of its tree; and what memory
 * that takes.
 *
 *   npm run bench -- open [--entries N] [--megabytes N] [--branches N] [--rounds N] [--peer omp]
 *
 * Sessions of three shapes: with branches, a chain, and one of a tenth of the entries, so that what an entry costs can be told. Each
 * opening is a process of its own, measured from when its modules are loaded; Grove and omp take turns.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeLargeSession, type SessionFacts } from './corpus/session-corpus'
import { answerOnce, askProcess } from './harness/ask-process'
import { keptCorpus } from './harness/kept-corpus'
import { findOmp, type Omp } from './harness/omp'
import { medianOf } from './harness/quantiles'
import type { PeerCommand } from './harness/round-peer'
import { type BenchContext, type BenchReport, runBench } from './harness/run-bench'
import { type Everything, measureOpen, type Opened, type OpenRequest } from './open/open-sides'
import { type OmpOpen, type OpenTimes, openTable, type Shaped } from './open/open-table'

const DEFAULTS = { entries: 100_000, megabytes: 100, branches: 500, rounds: 5 }
/** In a process of Grove's side. */
const SIDE = 'GROVE_BENCH_SIDE'

async function measure(context: BenchContext): Promise<BenchReport> {
  const [entries, megabytes] = [context.number('entries'), context.number('megabytes')]
  const branches = context.number('branches')
  const omp = context.hasPeer('omp') ? findOmp(context.directory, 'omp-open.mjs') : 'not asked for'
  const tenth = (count: number) => Math.max(1, Math.round(count / 10))
  const asked = [
    { entries: tenth(entries), megabytes: tenth(megabytes), branches: tenth(branches) },
    { entries, megabytes, branches },
    { entries, megabytes, branches: 1 },
  ]
  const shapes: Shaped[] = []
  for (const shape of asked) {
    context.progress(`${shape.entries} entries, ${shape.megabytes} MB, ${shape.branches} branches ...`)
    const name = `session-${shape.entries}-${shape.megabytes}-${shape.branches}`
    const { folder, facts } = keptCorpus(context.corpora, name, into =>
      makeLargeSession(into, { ...shape, bytes: shape.megabytes * 1_000_000 }),
    )
    shapes.push({ facts, ...measureOne(context, { ...facts, file: path.join(folder, facts.file) }, omp) })
  }
  return {
    tables: [openTable(shapes, typeof omp === 'string' ? null : omp.version)],
    notes: [
      'From a session that was never opened: until the last rows are made from the end of the file; until ids, parents, kinds and times of all entries are known; until the newest rows are made, too; until all entries were parsed.',
      'Memory is what the process had at most, and what it had before it opened anything.',
      ...(context.hasPeer('omp') && typeof omp === 'string' ? [`omp was not measured: ${omp}`] : []),
    ],
    figures: { shapes, omp: typeof omp === 'string' ? { unavailable: omp } : { version: omp.version } },
  }
}

function measureOne(context: BenchContext, facts: SessionFacts, omp: Omp | string): Omit<Shaped, 'facts'> {
  const { file } = facts
  const toPage: Opened[] = []
  const toComplete: Opened[] = []
  const all: Everything[] = []
  const peers: OmpOpen[] = []
  for (let round = 0; round < context.number('rounds'); round++) {
    toPage.push(askGrove<Opened>({ file, until: 'page' }))
    if (typeof omp !== 'string') peers.push(askProcess<OmpOpen>(omp, { file }))
    toComplete.push(askGrove<Opened>({ file, until: 'complete' }))
    all.push(askGrove<Everything>({ file, until: 'everything' }))
  }
  for (const { entries, tips } of [...toPage, ...toComplete, ...all])
    if (entries !== facts.entries || tips !== facts.branches)
      throw new Error(`${file}: ${entries} entries with ${tips} tips were read.`)
  for (const { entries } of peers)
    if (entries !== facts.entries) throw new Error(`${file}: omp read ${entries} entries.`)
  return { grove: mediansOf(toPage, toComplete, all), omp: peers.length === 0 ? null : medianPeer(peers) }
}

function mediansOf(
  toPage: readonly Opened[],
  toComplete: readonly Opened[],
  all: readonly Everything[],
): OpenTimes {
  const of = <T>(runs: readonly T[], value: (run: T) => number) => medianOf(runs.map(value))
  const layouts = all[0]?.layouts ?? []
  return {
    last: of([...toPage, ...toComplete, ...all], ({ last }) => last ?? Number.NaN),
    index: of([...toPage, ...toComplete, ...all], ({ index }) => index),
    page: of([...toPage, ...toComplete, ...all], ({ page }) => page),
    complete: of([...toComplete, ...all], ({ complete }) => complete),
    pagePeak: of(toPage, ({ peak }) => peak),
    completePeak: of(toComplete, ({ peak }) => peak),
    peak: of(all, ({ peak }) => peak),
    before: of(toPage, ({ before }) => before),
    planned: of(all, ({ planned }) => planned),
    pages: all.flatMap(({ pages }) => pages),
    // The first of each process, and so on.
    layouts: layouts.map((_, at) => of(all, run => run.layouts[at] ?? Number.NaN)),
  }
}

function medianPeer(runs: readonly OmpOpen[]): OmpOpen {
  return {
    open: medianOf(runs.map(({ open }) => open)),
    peak: medianOf(runs.map(({ peak }) => peak)),
    before: medianOf(runs.map(({ before }) => before)),
    entries: medianOf(runs.map(({ entries }) => entries)),
  }
}

function askGrove<T extends Opened>(request: OpenRequest): T {
  const program = fileURLToPath(import.meta.url)
  const command: PeerCommand['command'] = [process.execPath, program]
  return askProcess<T>({ command, env: { ...process.env, [SIDE]: 'open' }, cwd: process.cwd() }, request)
}

if (process.env[SIDE] === undefined) await runBench('open', { numbers: DEFAULTS, peers: ['omp'] }, measure)
else await answerOnce<OpenRequest>(measureOpen)
