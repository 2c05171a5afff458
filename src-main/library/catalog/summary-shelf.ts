/**
 * Summaries by file, each true of the file with the fingerprint that it is kept under: from the catalog cache, and from reading.
 * A file that only grew is read from where its reading ended.
 */
import path from 'node:path'
import type { Environment } from '../../engine/environment'
import type { LibraryRoot } from '../roots'
import type { CachedRow } from './cached-row'
import { CatalogCache, pointText } from './catalog-cache'
import { readSummary } from './grown-summary'
import type { ListedFile } from './list-roots'
import { packSummary, unpackSummary } from './packed-summary'
import { quickSummary } from './quick-summary'
import type { ResumePoint } from './resume-point'
import { type KnownPlaces, realPathOf } from './session-summary'

export class SummaryShelf {
  private readonly env: Environment
  private readonly shelves = new Map<string, RootShelf>()
  /** Folder -> the folder with links resolved, as it was at the last look. */
  private readonly realFolders = new Map<string, string | null>()

  constructor(env: Environment) {
    this.env = env
  }

  /** The sessions of a root, as noted in its cache at first. */
  of(root: LibraryRoot): RootShelf {
    const known = this.shelves.get(root.id)
    if (known !== undefined) return known
    const shelf = new RootShelf(this.env, root)
    this.shelves.set(root.id, shelf)
    return shelf
  }

  /** Links may lead elsewhere since the last look. */
  lookAgain(): void {
    this.realFolders.clear()
  }

  /** The packed summary of a file as it is now; reads what is not known of it. */
  read(shelf: RootShelf, listed: ListedFile): string {
    const { file, fingerprint } = listed
    const known = shelf.rows.get(file)
    if (known?.fingerprint === fingerprint) return known.packed
    const before =
      known === undefined ? null : { summary: unpackSummary(file, known.packed), point: shelf.pointOf(known) }
    const { summary, point, lasting } = readSummary(this.env, file, before, this.placesOf(listed))
    const { modified, bytes, hasDraft } = summary
    const packed = packSummary(summary)
    shelf.put({ file, fingerprint, modified, bytes, hasDraft, packed, point: pointText(point) }, lasting)
    return packed
  }

  /** As `read`, by both ends of the file; null: only reading it whole tells. Nothing is kept of it. */
  quick(listed: ListedFile): string | null {
    const { file, hasDraft } = listed
    const summary = quickSummary(this.env, file, { ...this.placesOf(listed), hasDraft })
    return summary === null ? null : packSummary(summary)
  }

  private placesOf({ file, hasArtifacts, isLink }: ListedFile): KnownPlaces {
    if (isLink) return { hasArtifacts }
    const folder = path.dirname(file)
    let real = this.realFolders.get(folder)
    if (real === undefined) {
      real = realPathOf(this.env, folder)
      this.realFolders.set(folder, real)
    }
    return { hasArtifacts, realFile: real === null ? undefined : path.join(real, path.basename(file)) }
  }

  /** Rows that no cache has yet. */
  get unsaved(): number {
    return [...this.shelves.values()].reduce((sum, shelf) => sum + shelf.unsaved, 0)
  }

  save(): void {
    for (const shelf of this.shelves.values()) shelf.save()
  }
}

/** The sessions of one root. */
export class RootShelf {
  readonly root: LibraryRoot
  readonly rows: Map<string, CachedRow>
  private readonly cache: CatalogCache
  private readonly changed = new Set<string>()
  /** Files whose rows are not for the cache. */
  private readonly passing = new Set<string>()

  constructor(env: Environment, root: LibraryRoot) {
    this.root = root
    this.cache = new CatalogCache(env, root)
    this.rows = this.cache.load()
  }

  /** `lasting`: it is true of the file with that fingerprint at any time. */
  put(row: CachedRow, lasting: boolean): void {
    this.rows.set(row.file, row)
    this.changed.add(row.file)
    if (lasting) this.passing.delete(row.file)
    else this.passing.add(row.file)
  }

  /** Where the reading of a row's file may go on; null: nowhere. */
  pointOf(row: CachedRow): ResumePoint | null {
    return this.cache.pointOf(row)
  }

  /** Forgets all files but these. */
  keepOnly(files: ReadonlySet<string>): void {
    for (const file of this.rows.keys()) {
      if (files.has(file)) continue
      this.rows.delete(file)
      this.changed.add(file)
    }
  }

  get unsaved(): number {
    return this.changed.size
  }

  save(): void {
    const rows: CachedRow[] = []
    const gone: string[] = []
    for (const file of this.changed) {
      const row = this.passing.has(file) ? undefined : this.rows.get(file)
      if (row === undefined) gone.push(file)
      else rows.push(row)
    }
    this.changed.clear()
    this.cache.save(rows, gone, () => [...this.rows.values()].filter(({ file }) => !this.passing.has(file)))
  }
}
