/** What Grove's side does in a process of its own: the reading worker's jobs, one after the other, as the window asks for them. */
import path from 'node:path'
import { layoutGraph } from '@shared/graph/layout'
import type { TranscriptPage } from '@shared/ipc/models/transcript-models'
import type { Result } from '@shared/ipc/result'
import { nodeEnvironment } from '../../src-main/engine/node-environment'
import { createReadingJobs } from '../../src-main/workers/reading-jobs'
import { generator } from '../corpus/prose'
import { peakBytes } from '../harness/ask-process'
import { workerWork } from '../harness/worker-work'

/** `until`: where it ends, so that memory is that of what was done up to there. */
export type OpenRequest = { file: string; until: 'page' | 'complete' | 'everything' }

export type Opened = {
  /** ms until the last rows are there, from the end of the file alone; null for a session that is small enough to be read at once. */
  last: number | null
  /** ms until the index of all entries is there; until the newest page is, too; until costs and counts of all entries are. */
  index: number
  page: number
  complete: number
  /** Bytes of memory that the process had at most; before it opened anything. */
  peak: number
  before: number
  entries: number
  tips: number
}

export type Everything = Opened & {
  /** ms until rows of the whole path are known; for each page anywhere on it; for each layout of the whole tree. */
  planned: number
  pages: number[]
  layouts: number[]
  rows: number
}

const PAGE = 60
/** As many as the window asks for. */
const LAST_ROWS = 20
const PAGES = 200
const LAYOUTS = 15

export async function measureOpen({ file, until }: OpenRequest): Promise<Opened | Everything> {
  const before = peakBytes()
  const jobs = createReadingJobs(nodeEnvironment())
  const place = { journal: file, blobsDir: path.join(path.dirname(file), 'blobs'), blobRoot: '', session: '' }
  const pageAt = async (from: number | null) =>
    valueIn(await jobs.transcript({ ...place, tip: null, from, count: PAGE, subagents: {} }, workerWork))
  const began = performance.now()
  // The window asks for both at once; the worker answers this one in a pause of the other.
  const opening = jobs.openSession(place, workerWork)
  const last = valueIn(jobs.lastRows({ ...place, count: LAST_ROWS, subagents: {} }))
  const lastAt = performance.now() - began
  if (last !== null && last.length < LAST_ROWS) throw new Error('There are too few last rows.')
  const opened = valueIn(await opening)
  const index = performance.now() - began
  const newest = await pageAt(null)
  const page = performance.now() - began
  checkPage(newest)
  const known = {
    last: last === null ? null : lastAt,
    index,
    page,
    entries: opened.entries,
    tips: opened.tipCount,
    before,
  }
  if (until === 'page') return { ...known, complete: 0, peak: peakBytes() }
  valueIn(await jobs.completeSession(place, workerWork))
  const complete = { ...known, complete: performance.now() - began, peak: peakBytes() }
  if (until === 'complete') return complete
  const whole = await timed(() => pageAt(0))
  const random = generator(3)
  const pages: number[] = []
  for (let at = 0; at < PAGES; at++) {
    const from = Math.floor(random() * whole.value.total)
    const { time, value } = await timed(() => pageAt(from))
    checkPage(value)
    pages.push(time)
  }
  const tree = valueIn(await jobs.tree(place, workerWork))
  const labelled = new Uint8Array(tree.count)
  const layouts: number[] = []
  for (let at = 0; at < LAYOUTS; at++) {
    const layout = await timed(() =>
      layoutGraph(
        { parents: tree.parents, kinds: tree.kinds, labelled, active: tree.leaf },
        { mode: 'all', order: 'newest', unfoldAll: true, unfolded: new Set() },
      ),
    )
    layouts.push(layout.time)
  }
  return { ...complete, planned: whole.time, pages, layouts, rows: whole.value.total }
}

function checkPage({ rows }: TranscriptPage): void {
  if (rows.length === 0) throw new Error('A page has no rows.')
}

async function timed<T>(work: () => Promise<T> | T): Promise<{ time: number; value: T }> {
  const began = performance.now()
  const value = await work()
  return { time: performance.now() - began, value }
}

function valueIn<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
