/**
 * The tree of one session as flat arrays, one element per entry in file order.
 *
 * Guarantees: O(1) look-up by id, O(1) append; appending entry by entry equals building from all of them;
 * every walk is iterative and ends, whatever ids and parents the file holds. A parent is the nearest earlier
 * entry of that id, else the first later one. An id that occurs twice names its last entry (as in omp), while
 * both stay in the tree. Rule: docs/format.md, Tree.
 */
import { GrowingFloats, GrowingInts } from './growing-array'
import { IdTable } from './id-table'

export const NO_PARENT = -1

export type IndexedEntry = {
  id: string | null
  parentId: string | null
  /** Place of the record in the file, in bytes. */
  offset: number
  length: number
}

/** Where the ids of an entry stand in its line, both ASCII and not empty; `parentStart` -1 for a root. */
export type IdPlaces = { idStart: number; idEnd: number; parentStart: number; parentEnd: number }

export class SessionEntryIndex {
  private readonly ids = new IdTable()
  /** Parents' ids of entries whose parent was not there when they came; that of any other is the id of its parent. */
  private readonly unmetParentIds = new Map<number, string>()
  private readonly offsets = new GrowingFloats()
  private readonly lengths = new GrowingInts()
  private readonly parentOrdinals = new GrowingInts()
  private readonly childCounts = new GrowingInts()
  private readonly waiting = new Map<string, number[]>()
  private readonly duplicates: number[] = []
  private last: number | null = null
  private used = 0
  private adopted = false

  get count(): number {
    return this.used
  }

  /** Adds the next entry of the file and answers its ordinal. */
  append(entry: IndexedEntry): number {
    const { id, parentId } = entry
    const parent = parentId === null ? NO_PARENT : this.ids.findText(parentId)
    if (parentId !== null && parent === NO_PARENT) this.await(parentId, id)
    return this.add(parent, this.ids.pushText(id), entry.offset, entry.length)
  }

  /** As `append`, by the bytes of the ids in the entry's line. False, and nothing is added, where its id is there already. */
  appendBytes(bytes: Uint8Array, places: IdPlaces, offset: number, length: number): boolean {
    const { idStart, idEnd, parentStart, parentEnd } = places
    const parent = parentStart === -1 ? NO_PARENT : this.ids.find(bytes, parentStart, parentEnd)
    if (!this.ids.pushNew(bytes, idStart, idEnd)) return false
    if (parentStart !== -1 && parent === NO_PARENT)
      this.await(asciiText(bytes, parentStart, parentEnd), asciiText(bytes, idStart, idEnd))
    this.add(parent, -1, offset, length)
    return true
  }

  /**
   * The file's last record so far repeats this entry: omp's leaf is it, though nothing is added, and it is what its id names
   * from here on.
   */
  meetAgain(ordinal: number): void {
    this.last = ordinal
    this.ids.nameAgain(ordinal)
  }

  /** The next entry's parent is not there: it may come later. One that names itself waits for nothing. */
  private await(parentId: string, id: string | null): void {
    this.unmetParentIds.set(this.used, parentId)
    if (parentId === id) return
    const list = this.waiting.get(parentId)
    if (list === undefined) this.waiting.set(parentId, [this.used])
    else list.push(this.used)
  }

  private add(parent: number, namesake: number, offset: number, length: number): number {
    const ordinal = this.used++
    this.offsets.push(offset)
    this.lengths.push(length)
    this.childCounts.push(0)
    this.parentOrdinals.push(parent)
    if (parent !== NO_PARENT) this.childCounts.add(parent, 1)
    if (namesake !== -1) this.duplicates.push(ordinal)
    if (this.waiting.size > 0) this.adopt(ordinal)
    this.last = ordinal
    return ordinal
  }

  /** Entries that waited for this one become its children. */
  private adopt(ordinal: number): void {
    const id = this.id(ordinal)
    const children = id === null ? undefined : this.waiting.get(id)
    if (id === null || children === undefined) return
    this.waiting.delete(id)
    this.adopted = true
    for (const child of children) {
      this.parentOrdinals.set(child, ordinal)
      this.childCounts.add(ordinal, 1)
    }
  }

  /** Ordinal of the entry that an id names (the last of that id), or undefined. */
  ordinalOf(id: string): number | undefined {
    const found = this.ids.findText(id)
    return found === -1 ? undefined : found
  }

  id(ordinal: number): string | null {
    return this.ids.text(ordinal)
  }

  /** The parent's id as the file has it, whether such an entry exists or not. */
  parentId(ordinal: number): string | null {
    const parent = this.parent(ordinal)
    return parent === NO_PARENT ? (this.unmetParentIds.get(ordinal) ?? null) : this.id(parent)
  }

  /** Ordinal of the parent, or `NO_PARENT`. */
  parent(ordinal: number): number {
    return this.parentOrdinals.at(ordinal) ?? NO_PARENT
  }

  place(ordinal: number): { offset: number; length: number } {
    return { offset: this.offsets.at(ordinal) ?? 0, length: this.lengths.at(ordinal) ?? 0 }
  }

  childCount(ordinal: number): number {
    return this.childCounts.at(ordinal) ?? 0
  }

  /** All parents; a copy, safe to hand over. */
  parents(): Int32Array<ArrayBuffer> {
    return this.parentOrdinals.toArray()
  }

  /** omp's leaf: the entry that the last record of the file is, whatever its type; null for none. */
  get leaf(): number | null {
    return this.last
  }

  /** Ordinals from the root to `tip`. Bounded: stops at the first entry met twice. */
  path(tip: number | null): number[] {
    const path: number[] = []
    if (tip === null || tip < 0 || tip >= this.count) return path
    const seen = this.adopted ? new Uint8Array(this.count) : null
    for (let at = tip; at !== NO_PARENT && seen?.[at] !== 1; at = this.parent(at)) {
      if (seen !== null) seen[at] = 1
      path.push(at)
    }
    return path.reverse()
  }

  /**
   * Entries without children, in file order. Of a cycle from which nothing leads away, the one before its first entry: where
   * reading around it ends.
   */
  tips(): number[] {
    const tips = this.ordinalsWhere(ordinal => this.childCount(ordinal) === 0)
    const ends = this.cycles()
      .filter(first => this.isBareCycle(first))
      .map(first => this.parent(first))
    return ends.length === 0 ? tips : [...tips, ...ends].sort((a, b) => a - b)
  }

  private isBareCycle(first: number): boolean {
    let at = first
    do {
      if (this.childCount(at) > 1) return false
      at = this.parent(at)
    } while (at !== first)
    return true
  }

  /** Entries without a parent in the file: null, self, or missing. A pure cycle has none. */
  roots(): number[] {
    return this.ordinalsWhere(ordinal => this.parent(ordinal) === NO_PARENT)
  }

  /** Entries whose parent is named but not in the file (and is not themselves). */
  orphans(): number[] {
    return this.unmet().filter(ordinal => {
      const parentId = this.parentId(ordinal)
      return parentId !== null && parentId !== this.id(ordinal)
    })
  }

  selfParents(): number[] {
    return this.unmet().filter(
      ordinal => this.parentId(ordinal) !== null && this.parentId(ordinal) === this.id(ordinal),
    )
  }

  /** Roots that name a parent, in file order. */
  private unmet(): number[] {
    return [...this.unmetParentIds.keys()].filter(ordinal => this.parent(ordinal) === NO_PARENT)
  }

  /** How many entries have no id. */
  get withoutId(): number {
    return this.ids.withoutIds
  }

  /** Whether some entry stands before its parent. Only then can there be a cycle. */
  get hasLateParents(): boolean {
    return this.adopted
  }

  /** Entries whose id stood in the file before. */
  duplicateIds(): readonly number[] {
    return this.duplicates
  }

  /** Entries on the path from the root to each entry, itself included: `path(n).length` for all n in one pass. */
  pathLengths(): Int32Array {
    const lengths = new Int32Array(this.count)
    for (let start = 0; start < this.count; start++) {
      const walk: number[] = []
      for (let at = start; at !== NO_PARENT && lengths[at] === 0; at = this.parent(at)) {
        // Marked as being on this walk; a cycle leads back to the mark.
        lengths[at] = -1
        walk.push(at)
      }
      this.settleLengths(walk, lengths)
    }
    return lengths
  }

  private settleLengths(walk: readonly number[], lengths: Int32Array): void {
    const top = walk[walk.length - 1]
    if (top === undefined) return
    const above = this.parent(top)
    const cycleStart = above !== NO_PARENT && lengths[above] === -1 ? walk.indexOf(above) : -1
    if (cycleStart !== -1) {
      // A path inside a cycle goes once around, wherever it begins.
      const size = walk.length - cycleStart
      for (let at = cycleStart; at < walk.length; at++) lengths[walk[at] ?? 0] = size
      walk = walk.slice(0, cycleStart)
    }
    for (let at = walk.length - 1; at >= 0; at--) {
      const ordinal = walk[at] ?? 0
      const parent = this.parent(ordinal)
      lengths[ordinal] = 1 + (parent === NO_PARENT ? 0 : (lengths[parent] ?? 0))
    }
  }

  /** Children of every entry at once, in file order: entry -> its children, only where there are any. */
  childrenByParent(): Map<number, number[]> {
    const children = new Map<number, number[]>()
    for (let ordinal = 0; ordinal < this.count; ordinal++) {
      const parent = this.parent(ordinal)
      const list = children.get(parent)
      if (list === undefined) children.set(parent, [ordinal])
      else list.push(ordinal)
    }
    return children
  }

  /** As `childrenByParent`, of those that have several; those without a parent as well, under `NO_PARENT`. */
  forks(): Map<number, number[]> {
    const children = new Map<number, number[]>()
    for (let ordinal = 0; ordinal < this.count; ordinal++) {
      const parent = this.parent(ordinal)
      if (parent !== NO_PARENT && this.childCount(parent) < 2) continue
      const list = children.get(parent)
      if (list === undefined) children.set(parent, [ordinal])
      else list.push(ordinal)
    }
    return children
  }

  /** One entry of each cycle (the first in the file): entries that no root leads to. */
  cycles(): number[] {
    if (!this.adopted) return []
    // 0: not visited, 1: on the present walk, 2: settled.
    const state = new Uint8Array(this.count)
    const found: number[] = []
    for (let start = 0; start < this.count; start++) {
      const walk: number[] = []
      let at = start
      while (at !== NO_PARENT && state[at] === 0) {
        state[at] = 1
        walk.push(at)
        at = this.parent(at)
      }
      if (at !== NO_PARENT && state[at] === 1) found.push(firstOf(walk.slice(walk.indexOf(at))))
      for (const ordinal of walk) state[ordinal] = 2
    }
    return found.sort((a, b) => a - b)
  }

  private ordinalsWhere(test: (ordinal: number) => boolean): number[] {
    const found: number[] = []
    for (let ordinal = 0; ordinal < this.count; ordinal++) if (test(ordinal)) found.push(ordinal)
    return found
  }
}

function firstOf(ordinals: number[]): number {
  return ordinals.reduce((least, ordinal) => Math.min(least, ordinal), Number.POSITIVE_INFINITY)
}

function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] ?? 0)
  return text
}
