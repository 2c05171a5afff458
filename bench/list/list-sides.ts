/** What Grove's side does in a process of its own: the app's scan worker in a thread, and main's scanner and catalog. */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeEnvironment } from '../../src-main/engine/node-environment'
import { Catalog } from '../../src-main/library/catalog/catalog'
import { libraryRoots } from '../../src-main/library/roots'
import { LibraryScanner } from '../../src-main/shell/library-scanner'
import { WorkerClient } from '../../src-main/workers/worker-client'
import type { CountedScanHandlers } from './scan-worker'

/** `first`: with nothing noted yet; `second`: with what the first noted, then once more, then after an append. */
export type ListRequest = { agentDir: string; dataDir: string; start: 'first' | 'second' }

export type Step = {
  /** ms */
  time: number
  /** ms of processors, which other programs do not lengthen. */
  cpu: number
  /** Journals that were opened, and bytes that were read of all files. */
  journals: number
  bytesRead: number
}

/** `shown`: ms until the first page can be shown; its rows are the newest. */
export type FirstStart = { shown: number; rows: Step; counts: Step; sessions: number; messages: number }
export type SecondStart = { rows: Step; rescan: Step; append: Step; sessions: number; messages: number }

/** Rows of the first page of a list. */
const PAGE = 100

export async function measureList(request: ListRequest): Promise<FirstStart | SecondStart> {
  const { agentDir, dataDir, start } = request
  // The worker takes it from here.
  process.env.GROVE_DATA_DIR = dataDir
  const listing = new Listing(agentDir)
  // The worker keeps no program from ending; here nothing else does.
  const open = setInterval(() => undefined, 60_000)
  try {
    await listing.ready()
    return start === 'first' ? await firstStart(listing) : await secondStart(listing)
  } finally {
    clearInterval(open)
    await listing.close()
  }
}

async function firstStart(listing: Listing): Promise<FirstStart> {
  const began = performance.now()
  const rows = await listing.step(async () => {
    await listing.scanner.recall()
    await listing.scanner.rescan()
    return listing.page()
  })
  const counts = await listing.step(() => listing.counted())
  await listing.scanner.stop()
  return { shown: listing.shownAt - began, rows, counts, ...listing.facts() }
}

async function secondStart(listing: Listing): Promise<SecondStart> {
  const rows = await listing.step(async () => {
    await listing.scanner.recall()
    return listing.page()
  })
  const rescan = await listing.step(() => listing.scanner.rescan())
  const facts = listing.facts()
  const grown = listing.newest()
  const { size, atime, mtime } = fs.statSync(grown)
  fs.appendFileSync(grown, lineAfter(grown))
  try {
    return { rows, rescan, append: await listing.step(() => listing.scanner.rescan()), ...facts }
  } finally {
    fs.truncateSync(grown, size)
    fs.utimesSync(grown, atime, mtime)
  }
}

/** An answer that hangs under the last entry. */
function lineAfter(file: string): string {
  const last = /"id":"([^"]+)"/.exec(fs.readFileSync(file, 'utf8').trimEnd().split('\n').pop() ?? '')
  const message = { role: 'user', content: [{ type: 'text', text: 'and one more thing' }] }
  const timestamp = new Date().toISOString()
  return `${JSON.stringify({ type: 'message', id: 'ffffffff', parentId: last?.[1] ?? null, timestamp, message })}\n`
}

/** The library as the app's main process has it. The program's own file serves as the worker's (`serveCountedScan`). */
class Listing {
  readonly scanner: LibraryScanner
  private readonly worker = new WorkerClient<CountedScanHandlers>(fileURLToPath(import.meta.url))
  private readonly catalog: Catalog
  private readonly agentDir: string
  private onCounted: () => void = () => undefined
  /** When a page of rows was there first. */
  shownAt = Number.NaN

  constructor(agentDir: string) {
    this.agentDir = agentDir
    const env = nodeEnvironment()
    this.catalog = new Catalog(env.home)
    this.scanner = new LibraryScanner(this.worker, this.catalog, {
      roots: () => libraryRoots(env, [], agentDir),
      // The scanner tells of the end of counting by a change of no row.
      changed: refs => {
        if (Number.isNaN(this.shownAt) && this.page().rows.length > 0) this.shownAt = performance.now()
        if (refs?.length === 0) this.onCounted()
      },
      looked: () => undefined,
    })
  }

  /** Resolves once the worker's modules are loaded. */
  async ready(): Promise<void> {
    await this.worker.run('work', null)
  }

  close(): Promise<void> {
    return this.worker.close(0)
  }

  /** Resolves when the true counts of all are there. */
  counted(): Promise<void> {
    if (this.catalog.allRows().every(({ messages }) => messages !== null)) return Promise.resolve()
    return new Promise(resolve => {
      this.onCounted = resolve
    })
  }

  async step(work: () => Promise<unknown>): Promise<Step> {
    await this.worker.run('work', null)
    const [began, cpuBefore] = [performance.now(), process.cpuUsage()]
    await work()
    const time = performance.now() - began
    const { user, system } = process.cpuUsage(cpuBefore)
    const read = await this.worker.run('work', null)
    if (!read.ok) throw new Error(read.error.message)
    return { time, cpu: (user + system) / 1000, ...read.value }
  }

  page() {
    const shown = { filter: '', sort: 'activity', reverse: false } as const
    return this.catalog.page({ scope: { kind: 'all' }, ...shown, offset: 0, limit: PAGE })
  }

  /** A file that lies where it lies. */
  newest(): string {
    const [row] = this.page().rows
    const file = row === undefined ? undefined : this.catalog.resolve(row.ref)?.file
    if (file === undefined) throw new Error(`No session was found below ${path.resolve(this.agentDir)}.`)
    return file
  }

  facts(): { sessions: number; messages: number } {
    const rows = this.catalog.allRows()
    return { sessions: rows.length, messages: rows.reduce((sum, row) => sum + (row.messages ?? 0), 0) }
  }
}
