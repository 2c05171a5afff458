/**
 * Brings the catalog up to date: lets the scan worker look at the roots, fetches the rows of what changed in batches, and
 * behind that the true counts of sessions that are shown without. Looks only; the one thing that is written are notes in
 * Grove's own data.
 */
import type { Catalog } from '../library/catalog/catalog'
import type { LookAnswer } from '../library/catalog/library-scan'
import { foundRow, type PackedRow } from '../library/catalog/packed-summary'
import type { LibraryRoot } from '../library/roots'
import { SharedRun } from '../library/watch/shared-run'
import type { ScanHandlers } from '../workers/scan-jobs'
import type { WorkerClient } from '../workers/worker-client'

export type AroundScan = {
  roots(): LibraryRoot[]
  /** Null: any row may have changed. */
  changed(refs: readonly string[] | null): void
  /** Every row says what is there. */
  looked(): void
}

/** Milliseconds that the end of the program waits for the last notes. */
const SAVE_MS = 2_000
/** The name of no scan: what the catalog holds is not known to the worker any more. */
const UNKNOWN = 'unknown'

export class LibraryScanner {
  private readonly worker: WorkerClient<ScanHandlers>
  private readonly catalog: Catalog
  private readonly around: AroundScan
  /** The scan that told what the catalog holds; null: none did. */
  private scan: string | null = null
  private readonly looks = new SharedRun(
    () => this.lookOnce(),
    () => this.stopped,
  )
  private counting = false
  private stopped = false
  private looked = false
  /** How far the counting is, and of how many. */
  private counted: { done: number; total: number } | null = null
  /** Drafts whose session is gone, at the last look. */
  strayDrafts = 0
  /** Sentences about the library's own troubles: the worker failed, notes cannot be written. */
  troubles: string[] = []

  constructor(worker: WorkerClient<ScanHandlers>, catalog: Catalog, around: AroundScan) {
    this.worker = worker
    this.catalog = catalog
    this.around = around
  }

  /** What still goes on, null when every row is there and counted. */
  get progress(): { done: number; total: number } | null {
    return this.looked ? this.counted : (this.counted ?? { done: 0, total: 0 })
  }

  /** Shows what was known when Grove ran last. */
  async recall(): Promise<void> {
    const roots = this.around.roots()
    const recalled = await this.worker.run('recall', { roots })
    if (!recalled.ok) return
    this.scan = recalled.value
    await this.fetch(roots, this.scan)
  }

  /** Looks at all roots; resolves when every row says what is there. Calls while one runs share the next. */
  rescan(): Promise<void> {
    return this.looks.run()
  }

  /** Resolves when what was learnt is noted, or cannot be noted soon: it is but what the next start would find out again. */
  async stop(): Promise<void> {
    this.stopped = true
    const tooLong = new AbortController()
    const timer = setTimeout(() => tooLong.abort(), SAVE_MS)
    const late = new Promise(resolve => tooLong.signal.addEventListener('abort', resolve))
    await Promise.race([this.worker.run('save', null), late])
    clearTimeout(timer)
  }

  private async lookOnce(): Promise<void> {
    const roots = this.around.roots()
    const before = { revision: this.catalog.revision, strayDrafts: this.strayDrafts }
    const looked = await this.worker.run('look', { roots, scan: this.scan })
    if (!looked.ok) return this.failed(looked.error.message)
    this.troubles = []
    this.takeLook(roots, looked.value)
    const uncounted = await this.fetch(roots, looked.value.scan)
    await this.readSurroundings(roots)
    const isFirst = !this.looked
    this.looked = true
    const { revision, strayDrafts } = before
    if (isFirst || this.catalog.revision !== revision || this.strayDrafts !== strayDrafts)
      this.around.changed(null)
    this.around.looked()
    // Not waited for: it may take a minute, and is but numbers in rows that are there.
    if (uncounted > 0 && !this.counting) void this.count(roots)
  }

  private takeLook(
    roots: readonly LibraryRoot[],
    { scan, gone, present, strayDrafts, ...look }: LookAnswer,
  ): void {
    this.scan = scan
    this.strayDrafts = strayDrafts
    this.catalog.takeRoots(roots, look.roots)
    this.catalog.forget(gone)
    if (present !== null) this.catalog.keepOnly(present)
  }

  /** Takes rows until there are no more to be told at once; answers how many are not counted yet. */
  private async fetch(roots: readonly LibraryRoot[], scan: string): Promise<number> {
    const ask = () => this.worker.run('rows', { scan, counting: false })
    for (let asked = ask(); ; ) {
      const got = await asked
      if (!got.ok) {
        this.failed(got.error.message)
        return 0
      }
      const { rows, more, uncounted } = got.value
      const isLast = !more || this.stopped
      // The worker reads the next while these are taken.
      if (!isLast) asked = ask()
      this.takeRows(roots, rows)
      if (isLast) return uncounted
    }
  }

  private takeRows(roots: readonly LibraryRoot[], rows: readonly PackedRow[]): void {
    const refs = this.catalog.takeRows(rows.map(foundRow), roots)
    if (refs.length > 0) this.around.changed(refs)
  }

  /** Fills in true counts until all have theirs. Looks go on meanwhile, and come first. */
  private async count(roots: readonly LibraryRoot[]): Promise<void> {
    this.counting = true
    let total = 0
    while (this.scan !== null && !this.stopped) {
      const got = await this.worker.run('rows', { scan: this.scan, counting: true })
      // Another look tells what there is, and begins again.
      if (!got.ok) break
      this.takeRows(roots, got.value.rows)
      const { uncounted } = got.value
      total = Math.max(total, uncounted + got.value.rows.length)
      this.counted = uncounted === 0 ? null : { done: total - uncounted, total }
      if (uncounted === 0 && !got.value.more) break
    }
    this.counted = null
    this.counting = false
    this.around.changed([])
  }

  /** What main was told may be less than it should have been: the next look tells all anew. */
  private failed(message: string): void {
    this.troubles = this.stopped ? [] : [message]
    this.scan = UNKNOWN
    this.around.changed(null)
  }

  /** Stars, and whether the project folders are there. */
  private async readSurroundings(roots: readonly LibraryRoot[]): Promise<void> {
    const pins = await this.worker.run('pins', { files: roots.map(({ layout }) => layout.pinsFile) })
    if (pins.ok) this.catalog.takePins(pins.value)
    const states = await this.worker.run('projectStates', { cwds: this.catalog.cwds() })
    if (!states.ok) return
    this.catalog.takeProjectStates(states.value)
    const present = states.value.filter(({ state }) => state === 'present').map(({ cwd }) => cwd)
    const noted = await this.worker.run('noteProjects', { cwds: present })
    if (!noted.ok) this.troubles = [`Project folders cannot be noted: ${noted.error.message}`]
  }
}
