/**
 * Branches of a session: forks, the tips beyond them, and which tip reading starts at.
 * Rule: docs/format.md, Tree.
 */
import { type EntryColumns, isMessageKind } from './entry-columns'
import { NO_PARENT, type SessionEntryIndex } from './session-entry-index'

export type Branches = {
  /** Per entry: the newest entry at or below it. */
  newestBelow: Int32Array
  /** Per entry: 1 when it or something below it is a message. */
  hasMessages: Uint8Array
}

/** From the tips up, every entry after all of its children, in linear time; the members of a cycle share one answer. */
export function findBranches(index: SessionEntryIndex, columns: EntryColumns): Branches {
  const newestBelow = new Int32Array(index.count)
  const hasMessages = new Uint8Array(index.count)
  const open = new Int32Array(index.count)
  const ready: number[] = []
  for (let ordinal = 0; ordinal < index.count; ordinal++) {
    newestBelow[ordinal] = ordinal
    hasMessages[ordinal] = isMessageKind(columns.kind(ordinal)) ? 1 : 0
    open[ordinal] = index.childCount(ordinal)
    if (open[ordinal] === 0) ready.push(ordinal)
  }
  const branches = { newestBelow, hasMessages }
  for (let ordinal = ready.pop(); ordinal !== undefined; ordinal = ready.pop()) {
    const parent = index.parent(ordinal)
    if (parent === NO_PARENT) continue
    raise(branches, parent, ordinal)
    open[parent] = (open[parent] ?? 0) - 1
    if (open[parent] === 0) ready.push(parent)
  }
  for (const start of index.cycles()) settleCycle(index, branches, start)
  return branches
}

function raise({ newestBelow, hasMessages }: Branches, parent: number, child: number): void {
  newestBelow[parent] = Math.max(newestBelow[parent] ?? parent, newestBelow[child] ?? child)
  if (hasMessages[child] === 1) hasMessages[parent] = 1
}

/** In a cycle each entry lies below every other. */
function settleCycle(index: SessionEntryIndex, branches: Branches, start: number): void {
  for (let round = 0; round < 2; round++) {
    let at = start
    do {
      const parent = index.parent(at)
      raise(branches, parent, at)
      at = parent
    } while (at !== start)
  }
}

/** Entries from the tip up to the nearest fork, tip first: what only this branch has. */
export function ownSegment(index: SessionEntryIndex, tip: number): number[] {
  const own: number[] = []
  const seen = index.hasLateParents ? new Set<number>() : null
  let at = tip
  while (at !== NO_PARENT && seen?.has(at) !== true) {
    seen?.add(at)
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
  const isMessage = (ordinal: number) => isMessageKind(columns.kind(ordinal))
  // Mostly the tip itself is one, and nothing above it needs to be looked at.
  const hasOwn = (tip: number) => isMessage(tip) || ownSegment(index, tip).some(isMessage)
  if (hasOwn(leaf)) return leaf
  const tips = index.tips()
  for (let at = tips.length - 1; at >= 0; at--) {
    const tip = tips[at]
    if (tip !== undefined && hasOwn(tip)) return tip
  }
  return leaf
}
