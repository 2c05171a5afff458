/** Branches of a session: forks, the tips beyond them, and which tip reading starts at. */
import { type EntryColumns, isMessageKind } from './entry-columns'
import { NO_PARENT, type SessionEntryIndex } from './session-entry-index'

export type Branches = {
  /** Per entry: the newest entry at or below it. */
  newestBelow: Int32Array
  /** Per entry: 1 when it or something below it is a message. */
  hasMessages: Uint8Array
}

/** One pass from the end; a second settles entries whose parent stands after them. */
export function findBranches(index: SessionEntryIndex, columns: EntryColumns): Branches {
  const newestBelow = new Int32Array(index.count)
  const hasMessages = new Uint8Array(index.count)
  for (let ordinal = 0; ordinal < index.count; ordinal++) {
    newestBelow[ordinal] = ordinal
    hasMessages[ordinal] = isMessageKind(columns.kind(ordinal)) ? 1 : 0
  }
  for (let pass = 0; pass < 2; pass++) {
    for (let ordinal = index.count - 1; ordinal >= 0; ordinal--) {
      const parent = index.parent(ordinal)
      if (parent === NO_PARENT) continue
      newestBelow[parent] = Math.max(newestBelow[parent] ?? parent, newestBelow[ordinal] ?? ordinal)
      if (hasMessages[ordinal] === 1) hasMessages[parent] = 1
    }
  }
  return { newestBelow, hasMessages }
}

/** Entries from the tip up to the nearest fork, tip first: what only this branch has. */
export function ownSegment(index: SessionEntryIndex, tip: number): number[] {
  const own: number[] = []
  const seen = new Set<number>()
  let at = tip
  while (at !== NO_PARENT && !seen.has(at)) {
    seen.add(at)
    if (own.length > 0 && index.childCount(at) > 1) break
    own.push(at)
    at = index.parent(at)
  }
  return own
}

/**
 * Where reading starts: omp's leaf, unless its own branch is a dead end without a message beside one that has
 * messages; then the newest tip with messages.
 */
export function openingTip(index: SessionEntryIndex, columns: EntryColumns): number | null {
  const leaf = index.leaf
  if (leaf === null) return null
  const hasOwn = (tip: number) => ownSegment(index, tip).some(ordinal => isMessageKind(columns.kind(ordinal)))
  if (hasOwn(leaf)) return leaf
  const tips = index.tips()
  for (let at = tips.length - 1; at >= 0; at--) {
    const tip = tips[at]
    if (tip !== undefined && hasOwn(tip)) return tip
  }
  return leaf
}
