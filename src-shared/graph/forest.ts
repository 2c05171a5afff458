/**
 * A session's entries as a forest that is safe to walk.
 *
 * What stands in a file may hold self-parents, cycles, parents that are not there and parents that come
 * later than their children. Everything behind this module may rely on: every entry is reached exactly once
 * from a root, and `order` lists parents before their children.
 */

export type Forest = {
  /** Parent's ordinal, -1 for a root. Free of cycles. */
  parents: Int32Array
  /** All ordinals, every parent before its children; file order where that is possible. */
  order: Int32Array
  /** Entries whose parent was cut off because it closed a cycle. */
  broken: number
  /** Loop turns used; tests assert that it grows linearly. */
  work: number
}

/**
 * Cuts cycles and out-of-range parents, and orders parents before children. A cycle is cut at its first
 * entry in file order, so that the result does not depend on where the walk began.
 */
export function toForest(input: Int32Array): Forest {
  const count = input.length
  const parents = Int32Array.from(input)
  const stamp = new Int32Array(count)
  let broken = 0
  let work = 0
  for (let start = 0; start < count; start++) {
    let at = start
    while (at >= 0 && stamp[at] === 0) {
      stamp[at] = start + 1
      const parent = parents[at] ?? -1
      if (parent < -1 || parent >= count) parents[at] = -1
      at = parents[at] ?? -1
      work++
    }
    if (at < 0 || stamp[at] !== start + 1) continue
    // The walk met its own trail: `at` lies on a cycle.
    let first = at
    for (let step = parents[at] ?? -1; step !== at && step >= 0; step = parents[step] ?? -1) {
      if (step < first) first = step
      work++
    }
    parents[first] = -1
    broken++
  }
  const ordered = orderParentsFirst(parents)
  return { parents, order: ordered.order, broken, work: work + ordered.work }
}

function orderParentsFirst(parents: Int32Array): { order: Int32Array; work: number } {
  const count = parents.length
  const order = new Int32Array(count)
  const placed = new Uint8Array(count)
  const pending = new Int32Array(count)
  let length = 0
  let work = 0
  for (let start = 0; start < count; start++) {
    let depth = 0
    for (let at = start; at >= 0 && placed[at] === 0; at = parents[at] ?? -1) {
      placed[at] = 1
      pending[depth++] = at
      work++
    }
    while (depth > 0) order[length++] = pending[--depth] ?? 0
  }
  return { order, work: work + count }
}

/** Marks every entry from `tip` up to its root. An ordinal outside the forest marks nothing. */
export function markPath(parents: Int32Array, tip: number): Uint8Array {
  const marks = new Uint8Array(parents.length)
  for (let at = tip; at >= 0 && at < parents.length && marks[at] === 0; at = parents[at] ?? -1) marks[at] = 1
  return marks
}

/** The newest tip at or below an entry: where its path leads when nothing else was chosen. */
export function newestTipBelow(forest: Forest, ordinal: number): number {
  const { parents, order } = forest
  const below = new Uint8Array(parents.length)
  const inner = new Uint8Array(parents.length)
  for (const at of order) {
    const parent = parents[at] ?? -1
    if (parent >= 0) inner[parent] = 1
    if (at === ordinal || (parent >= 0 && below[parent] === 1)) below[at] = 1
  }
  for (let at = parents.length - 1; at >= 0; at--) if (below[at] === 1 && inner[at] === 0) return at
  return ordinal
}
