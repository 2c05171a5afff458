/** What Grove's side does in a process of its own: the scan worker's jobs and main's catalog, one after the other, as the app has them. */
import fs from 'node:fs'
import path from 'node:path'
import type { ProjectView, SessionRow } from '@shared/ipc/models/library-models'
import type { Environment, WorkContext } from '../../src-main/engine/environment'
import { nodeEnvironment } from '../../src-main/engine/node-environment'
import { countingFileSystem } from '../../src-main/engine/storage/counting-file-system'
import { Catalog } from '../../src-main/library/catalog/catalog'
import { libraryRoots } from '../../src-main/library/roots'
import { createScanJobs } from '../../src-main/workers/scan-jobs'

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

export type FirstStart = { rows: Step; counts: Step; sessions: number; messages: number }
export type SecondStart = { rows: Step; rescan: Step; append: Step; sessions: number; messages: number }

/** As in a worker: other messages get their turn. */
const work: WorkContext = {
  breathe: () => new Promise(resolve => setImmediate(resolve)),
  progress: () => undefined,
}

/** Rows of the first page of a list. */
const PAGE = 100

export async function measureList(request: ListRequest): Promise<FirstStart | SecondStart> {
  const { agentDir, dataDir, start } = request
  const listing = new Listing(agentDir, dataDir)
  return start === 'first' ? firstStart(listing) : secondStart(listing)
}

async function firstStart(listing: Listing): Promise<FirstStart> {
  const rows = await listing.step(async () => {
    await listing.recall()
    await listing.look()
    return listing.page()
  })
  const counts = await listing.step(() => listing.count())
  listing.save()
  return { rows, counts, ...listing.facts() }
}

async function secondStart(listing: Listing): Promise<SecondStart> {
  const rows = await listing.step(async () => {
    await listing.recall()
    return listing.page()
  })
  const rescan = await listing.step(() => listing.look())
  const facts = listing.facts()
  const grown = listing.newest()
  const { size, atime, mtime } = fs.statSync(grown)
  fs.appendFileSync(grown, lineAfter(grown))
  try {
    return { rows, rescan, append: await listing.step(() => listing.look()), ...facts }
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

/** The library as the app has it: the scan worker's jobs and main's catalog. */
export class Listing {
  private readonly env: Environment
  private readonly counting = countingFileSystem(nodeEnvironment().fs)
  private readonly jobs: ReturnType<typeof createScanJobs>
  private readonly catalog: Catalog
  private readonly agentDir: string
  private scan: string | null = null

  constructor(agentDir: string, dataDir: string) {
    this.agentDir = agentDir
    this.env = { ...nodeEnvironment(), fs: this.counting, env: { GROVE_DATA_DIR: dataDir } }
    this.jobs = createScanJobs(this.env)
    this.catalog = new Catalog(this.env.home)
  }

  async step(work: () => Promise<unknown> | unknown): Promise<Step> {
    this.counting.reset()
    const [began, cpuBefore] = [performance.now(), process.cpuUsage()]
    await work()
    const time = performance.now() - began
    const { user, system } = process.cpuUsage(cpuBefore)
    const { opened, bytesRead } = this.counting.work
    const journals = [...opened.keys()].filter(file => file.endsWith('.jsonl')).length
    return { time, cpu: (user + system) / 1000, journals, bytesRead }
  }

  private get roots() {
    return libraryRoots(this.env, [], this.agentDir)
  }

  async recall(): Promise<void> {
    const recalled = this.jobs.recall({ roots: this.roots })
    if (!recalled.ok) throw new Error(recalled.error.message)
    this.scan = recalled.value
    await this.fetch(false)
  }

  /** Until every row says what is there. */
  async look(): Promise<void> {
    const looked = await this.jobs.look({ roots: this.roots, scan: this.scan }, work)
    if (!looked.ok) throw new Error(looked.error.message)
    this.scan = looked.value.scan
    this.catalog.takeRoots(this.roots, looked.value.roots)
    this.catalog.forget(looked.value.gone)
    await this.fetch(false)
  }

  count(): Promise<void> {
    return this.fetch(true)
  }

  private async fetch(counting: boolean): Promise<void> {
    for (;;) {
      const got = await this.jobs.rows({ scan: this.scan ?? '', counting }, work)
      if (!got.ok) throw new Error(got.error.message)
      this.catalog.takeRows(got.value.rows, this.roots)
      if (!got.value.more && (!counting || got.value.uncounted === 0)) return
    }
  }

  page() {
    return this.catalog.page({
      scope: { kind: 'all' },
      filter: '',
      sort: 'activity',
      reverse: false,
      offset: 0,
      limit: PAGE,
    })
  }

  save(): void {
    this.jobs.save(null)
  }

  /** A file that lies where it lies. */
  newest(): string {
    const [row] = this.page().rows
    const file = row === undefined ? undefined : this.catalog.resolve(row.ref)?.file
    if (file === undefined) throw new Error(`No session was found below ${path.resolve(this.agentDir)}.`)
    return file
  }

  /** Everything that the window is given of the library for searching as one types. */
  get shown(): { rows: SessionRow[]; projects: ProjectView[] } {
    const projects = this.catalog.projects({ projectOrder: 'activity', pinnedProjects: [] })
    return { rows: this.catalog.allRows(), projects }
  }

  facts(): { sessions: number; messages: number } {
    const rows = this.catalog.allRows()
    return { sessions: rows.length, messages: rows.reduce((sum, row) => sum + (row.messages ?? 0), 0) }
  }
}
