/**
 * The scan of all roots, as its worker does it: keeps the last listing and what main was told, and tells only what differs.
 *
 * A look lists the roots and opens no journal. What is to be told is then fetched in batches: first what changed and what is
 * known already; of many new sessions, quick rows by both ends of their files; behind that, their true counts. Always the
 * newest files first, archived ones last. Looks only; what it notes lies in Grove's own data.
 */
import type { Result } from '@shared/ipc/result'
import { err, ok } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment, WorkContext } from '../../engine/environment'
import { isArchive } from '../../engine/layout/session-paths'
import type { LibraryRoot } from '../roots'
import { type ListedFile, listRoots, type RootListing } from './list-roots'
import type { PackedRow } from './packed-summary'
import { type RootShelf, SummaryShelf } from './summary-shelf'

/** Plain data, as all that crosses to main. */
export type RootFound = Pick<RootListing, 'state' | 'note' | 'notes'> & { id: string }

export type LookAnswer = {
  /** Names this scan; another one knows nothing of what main was told. */
  scan: string
  roots: RootFound[]
  /** Sessions that were told of and are not there any more. */
  gone: string[]
  /** Only from a scan that main did not name: every session that there is. */
  present: string[] | null
  strayDrafts: number
}

export type RowsAnswer = {
  rows: PackedRow[]
  /** Whether more is to be fetched at once, and how many sessions are not counted yet. */
  more: boolean
  uncounted: number
}

/** What main was told of a file. */
type Told = { root: string; fingerprint: string; counted: boolean }

type Found = ListedFile & { shelf: RootShelf }

type Taken = { found: Found; packed: string }

/** Files of which both ends are read between two pauses: a pause costs a tenth of reading one. */
const QUICK_PER_BREATH = 16

export class LibraryScan {
  private readonly env: Environment
  private readonly name: string
  private readonly shelves: SummaryShelf
  private readonly told = new Map<string, Told>()
  private readonly unsettled = new Set<string>()
  private listed = new Map<string, Found>()
  /** Told before anything else; then those that are new, by their ends; then those that must be counted. The next one last. */
  private now: Found[] = []
  private quick: Found[] = []
  private behind: Found[] = []
  private saved = 0

  constructor(env: Environment) {
    this.env = env
    this.name = env.uuid()
    this.shelves = new SummaryShelf(env)
  }

  /** Takes what the caches hold of these roots for what there is, until the first look. Answers the name of this scan. */
  recall(roots: readonly LibraryRoot[]): string {
    for (const root of roots) {
      const shelf = this.shelves.of(root)
      for (const { file, fingerprint, modified, bytes, hasDraft } of shelf.rows.values()) {
        const around = { hasArtifacts: true, hasDraft, isLink: true }
        this.now.push({ file, root: 0, fingerprint, modified, bytes, ...around, shelf })
      }
    }
    this.now = newestLast(this.now)
    return this.name
  }

  /** Lists all roots. `scan`: the one that told main what it knows. Throws only `cancelled`. */
  async look(roots: readonly LibraryRoot[], scan: string | null, work: WorkContext): Promise<LookAnswer> {
    if (scan !== this.name) this.told.clear()
    const shelves = roots.map(root => this.shelves.of(root))
    this.shelves.lookAgain()
    const listings = await listRoots(this.env, roots, work, {
      fingerprint: file => this.fingerprintBefore(file, shelves),
      unsettled: this.unsettled,
    })
    this.listed = new Map()
    for (const [number, listing] of listings.entries()) {
      const shelf = shelves[number]
      if (shelf === undefined) continue
      for (const file of listing.files)
        if (!this.listed.has(file.file)) this.listed.set(file.file, { ...file, shelf })
      // A folder that cannot be read today may be readable tomorrow: what is known of it is kept.
      if (listing.state === 'ok' && listing.complete)
        shelf.keepOnly(new Set(listing.files.map(({ file }) => file)))
    }
    const gone = [...this.told.keys()].filter(file => !this.listed.has(file))
    for (const file of gone) this.told.delete(file)
    this.arrange()
    return {
      scan: this.name,
      roots: listings.map(({ state, note, notes }, at) => ({ id: roots[at]?.id ?? '', state, note, notes })),
      gone,
      present: scan === this.name || scan === null ? null : [...this.listed.keys()],
      strayDrafts: listings.reduce((sum, { strayDrafts }) => sum + strayDrafts, 0),
    }
  }

  private fingerprintBefore(file: string, shelves: readonly RootShelf[]): string | undefined {
    const listed = this.listed.get(file)
    if (listed !== undefined) return listed.fingerprint
    for (const { rows } of shelves) {
      const row = rows.get(file)
      if (row !== undefined) return row.fingerprint
    }
    return undefined
  }

  /** Sorts what is to be told by what it costs. */
  private arrange(): void {
    const now: Found[] = []
    const fresh: Found[] = []
    this.behind = []
    for (const found of this.listed.values()) {
      const told = this.told.get(found.file)
      const isTold = told?.fingerprint === found.fingerprint && told.root === found.shelf.root.id
      if (isTold && told.counted) continue
      const row = found.shelf.rows.get(found.file)
      if (isTold && row?.fingerprint !== found.fingerprint) this.behind.push(found)
      else if (row !== undefined) now.push(found)
      else fresh.push(found)
    }
    const bytes = fresh.reduce((sum, found) => sum + found.bytes, 0)
    const isLittle = fresh.length <= limits.countedAtOnce && bytes <= limits.countedAtOnceBytes
    if (isLittle) now.push(...fresh)
    else this.behind.push(...fresh)
    // The ends of an archived one are not to be had without the rest: it waits to be counted.
    this.quick = isLittle ? [] : newestLast(fresh.filter(({ file }) => !isArchive(file)))
    this.now = newestLast(now)
    this.behind = newestLast(this.behind)
  }

  /**
   * The next rows. `counting`: those of the sessions that are not counted yet are wanted as well, when there are no others.
   * An error when main was told things by another scan. Throws only `cancelled`.
   */
  async rows(scan: string, counting: boolean, work: WorkContext): Promise<Result<RowsAnswer>> {
    if (scan !== this.name) return err('conflict', 'The scan was started again.')
    const taken: Taken[] = []
    try {
      await this.takeNext(taken, counting, work)
    } catch (thrown) {
      // Nobody is told of these now.
      for (const { found } of taken) this.told.delete(found.file)
      this.arrange()
      throw thrown
    }
    // A look that came between two of them may have found one gone or changed, and main may know.
    const rows = taken.flatMap(({ found, packed }) =>
      this.told.get(found.file)?.fingerprint === found.fingerprint
        ? [{ root: found.shelf.root.id, file: found.file, packed }]
        : [],
    )
    const more = this.now.length > 0 || this.quick.length > 0
    if (this.shelves.unsaved >= limits.cacheRows || (!more && this.isSavingDue())) this.save()
    return ok({ rows, more, uncounted: this.behind.length })
  }

  private async takeNext(taken: Taken[], counting: boolean, work: WorkContext): Promise<void> {
    const done = { bytes: 0 }
    let quick = 0
    while (taken.length < limits.rowsAtOnce && done.bytes < limits.readAtOnceBytes) {
      const next = this.next(counting)
      if (next === undefined) return
      const packed = this.packedOf(next.found, next.isQuick, done)
      if (packed !== null) taken.push({ found: next.found, packed })
      // Another look, or the rows of what just changed, may come between two files.
      if (done.bytes > 0 && (!next.isQuick || ++quick % QUICK_PER_BREATH === 0)) await work.breathe()
    }
  }

  private next(counting: boolean): { found: Found; isQuick: boolean } | undefined {
    const now = this.now.pop()
    if (now !== undefined) return { found: now, isQuick: false }
    const quick = this.quick.pop()
    if (quick !== undefined) return { found: quick, isQuick: quick.bytes > limits.quickWholeBytes }
    const behind = counting ? this.behind.pop() : undefined
    return behind === undefined ? undefined : { found: behind, isQuick: false }
  }

  /** Null: there is nothing to tell, or nothing new. */
  private packedOf(found: Found, isQuick: boolean, done: { bytes: number }): string | null {
    const { file, fingerprint, shelf } = found
    const told = this.told.get(file)
    const root = shelf.root.id
    if (told?.fingerprint === fingerprint && told.root === root && (told.counted || isQuick)) return null
    const isKnown = shelf.rows.get(file)?.fingerprint === fingerprint
    const byEnds = isQuick && !isKnown
    const packed = byEnds ? this.shelves.quick(found) : this.shelves.read(shelf, found)
    if (!isKnown) done.bytes += isQuick ? limits.quickHeadBytes + limits.quickTailBytes : found.bytes + 4096
    if (packed !== null) this.told.set(file, { root, fingerprint, counted: !byEnds })
    return packed
  }

  private isSavingDue(): boolean {
    return this.shelves.unsaved > 0 && this.env.now() - this.saved >= limits.cacheMs
  }

  /** Notes in the caches what is new. */
  save(): void {
    this.saved = this.env.now()
    this.shelves.save()
  }
}

/** The newest ones last; before all others those that omp archived, whose time is that of the packing. */
function newestLast(found: readonly Found[]): Found[] {
  // Names are not compared again and again: there are thousands of files.
  const archived = found.filter(({ file }) => isArchive(file))
  const others = archived.length === 0 ? [...found] : found.filter(({ file }) => !isArchive(file))
  const byTime = (a: Found, b: Found) => a.modified - b.modified
  return [...archived.sort(byTime), ...others.sort(byTime)]
}
