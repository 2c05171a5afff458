/**
 * Lane layout of a session tree: filter, fold straight runs, then lanes in one pass.
 *
 * The active path stands straight in lane 0. Every other tip takes the smallest free lane and gives it back
 * at its fork. The result is flat arrays, one element per row, from which a row is drawn by itself.
 */
import { type Condensed, condense, type FoldChoice } from './condense'
import { type Forest, markPath, toForest } from './forest'
import { FreeLanes } from './free-lanes'
import { filterTree, type GraphMode, type VisibleTree } from './visible-tree'

/** Lanes for which a row knows what passes; lanes beyond are counted in `beyond`. */
export const DRAWN_LANES = 32

/** Bits of `GraphLayout.flags`. */
export const ROW = {
  tip: 1,
  fork: 2,
  root: 4,
  labelled: 8,
  /** On the path to the active tip. */
  active: 16,
  fold: 32,
  /** An edge in the row's own lane leads to a newer row. */
  toChild: 64,
  /** An edge in the row's own lane leads to its parent. */
  toParent: 128,
} as const

export type GraphInput = {
  /** Parent's ordinal per entry, -1 for a root. May hold anything; see `toForest`. */
  parents: Int32Array
  /** Index into `NODE_KINDS` per entry. */
  kinds: Uint8Array
  /** 1 where the entry carries a label. */
  labelled: Uint8Array
  /** Tip of the path in lane 0; null: the newest tip. */
  active: number | null
}

export type GraphOptions = FoldChoice & { mode: GraphMode; order: 'newest' | 'oldest' }

export type GraphLayout = {
  count: number
  newestFirst: boolean
  /** The row's entry; of a fold its newest one. */
  ordinal: Int32Array
  /** Entries in a fold, 0 for a row that is one entry. */
  folded: Int32Array
  /** Oldest entry of a fold (its name in `FoldChoice.unfolded`), else the entry itself. */
  oldest: Int32Array
  /** Name of the run that was unfolded by hand and to which the row belongs, else -1. */
  openRun: Int32Array
  /** Row of the visible parent, -1 for a root. */
  parentRow: Int32Array
  lane: Int32Array
  flags: Uint8Array
  /** Bit n: lane n runs through the row from edge to edge. */
  passing: Uint32Array
  /** Bit n: lane n comes from the newer side and curves into the row's own lane. */
  joining: Uint32Array
  /** Lanes at or beyond `DRAWN_LANES` that pass or join here. */
  beyond: Int32Array
  /** Row of each entry; hidden entries stand for the row of their nearest visible ancestor, else -1. */
  rowOf: Int32Array
  maxLane: number
  /** Visible entries, folded ones included. */
  entries: number
  /** Loop turns used; tests assert that it grows linearly. */
  work: number
}

/**
 * Lays out the graph. Linear in the number of entries, iterative, safe for any input. Whoever has the forest
 * of these parents already hands it in.
 */
export function layoutGraph(
  input: GraphInput,
  options: GraphOptions,
  forest: Forest = toForest(input.parents),
): GraphLayout {
  const tree = filterTree(forest, input.kinds, input.labelled, options.mode)
  const condensed = condense(forest, tree, input.kinds, input.labelled, options)
  const rows = makeRows(forest, tree, condensed)
  markRows(rows, forest, tree, input)
  const laneWork = assignLanes(rows)
  rows.work = forest.work + forest.order.length * 4 + laneWork
  if (options.order === 'oldest') reverseRows(rows)
  return rows
}

/** Rows newest first: children stand above their parents. */
function makeRows(forest: Forest, tree: VisibleTree, condensed: Condensed): GraphLayout {
  const { order } = forest
  const size = order.length
  const { runOf, runLength, runNewest } = condensed
  const rowOf = new Int32Array(size).fill(-1)
  const ordinals = new Int32Array(tree.count)
  const folded = new Int32Array(tree.count)
  const oldest = new Int32Array(tree.count)
  const openRun = new Int32Array(tree.count)
  let count = 0
  for (let index = size - 1; index >= 0; index--) {
    const at = order[index] ?? 0
    if (tree.visible[at] !== 1) continue
    const run = runOf[at] ?? -1
    if (run >= 0 && runNewest[run] !== at) continue
    ordinals[count] = at
    folded[count] = run >= 0 ? (runLength[run] ?? 0) : 0
    oldest[count] = run >= 0 ? run : at
    openRun[count] = condensed.openRunOf[at] ?? -1
    rowOf[at] = count++
  }
  for (const at of order) {
    if (tree.visible[at] !== 1) {
      const up = tree.parents[at] ?? -1
      rowOf[at] = up < 0 ? -1 : (rowOf[up] ?? -1)
    } else {
      const run = runOf[at] ?? -1
      if (run >= 0) rowOf[at] = rowOf[runNewest[run] ?? at] ?? -1
    }
  }
  const parentRow = new Int32Array(count).fill(-1)
  for (let row = 0; row < count; row++) {
    const up = tree.parents[oldest[row] ?? 0] ?? -1
    parentRow[row] = up < 0 ? -1 : (rowOf[up] ?? -1)
  }
  return {
    count,
    newestFirst: true,
    ordinal: ordinals.slice(0, count),
    folded: folded.slice(0, count),
    oldest: oldest.slice(0, count),
    openRun: openRun.slice(0, count),
    parentRow,
    lane: new Int32Array(count).fill(-1),
    flags: new Uint8Array(count),
    passing: new Uint32Array(count),
    joining: new Uint32Array(count),
    beyond: new Int32Array(count),
    rowOf,
    maxLane: 0,
    entries: tree.count,
    work: 0,
  }
}

function markRows(rows: GraphLayout, forest: Forest, tree: VisibleTree, input: GraphInput): void {
  const active = markPath(forest.parents, input.active ?? forest.order[forest.order.length - 1] ?? -1)
  for (let row = 0; row < rows.count; row++) {
    const at = rows.ordinal[row] ?? 0
    const children = tree.children[at] ?? 0
    let flags = 0
    if (children === 0) flags |= ROW.tip
    if (children > 1) flags |= ROW.fork
    if ((rows.parentRow[row] ?? -1) < 0) flags |= ROW.root
    if (input.labelled[at] === 1) flags |= ROW.labelled
    if (active[at] === 1) flags |= ROW.active
    if ((rows.folded[row] ?? 0) > 0) flags |= ROW.fold
    rows.flags[row] = flags
  }
}

/** One pass from the newest row to the oldest. `open` holds which lanes are in use, as bits and a count. */
function assignLanes(rows: GraphLayout): number {
  const { count, flags, lane, parentRow, passing, joining, beyond } = rows
  const free = new FreeLanes(1)
  // Children of a row wait in a linked list until the row is reached.
  const firstChild = new Int32Array(count).fill(-1)
  const nextChild = new Int32Array(count).fill(-1)
  let openBits = 0
  let openBeyond = 0
  let work = 0
  for (let row = 0; row < count; row++) {
    work++
    const own = ownLane(rows, row, firstChild[row] ?? -1, nextChild, free)
    lane[row] = own
    if (own > rows.maxLane) rows.maxLane = own
    let bits = 0
    let joinedBeyond = 0
    for (let child = firstChild[row] ?? -1; child >= 0; child = nextChild[child] ?? -1) {
      work++
      const from = lane[child] ?? 0
      if (from === own) flags[row] = (flags[row] ?? 0) | ROW.toChild
      else if (from < DRAWN_LANES) bits |= 1 << from
      else joinedBeyond++
      if (from < DRAWN_LANES) openBits &= ~(1 << from)
      else openBeyond--
      if (from !== own && from !== 0) free.release(from)
    }
    passing[row] = openBits
    joining[row] = bits
    beyond[row] = openBeyond + joinedBeyond
    const parent = parentRow[row] ?? -1
    if (parent < 0) {
      if (own !== 0) free.release(own)
      continue
    }
    flags[row] = (flags[row] ?? 0) | ROW.toParent
    if (own < DRAWN_LANES) openBits |= 1 << own
    else openBeyond++
    nextChild[row] = firstChild[parent] ?? -1
    firstChild[parent] = row
  }
  return work + free.work
}

/** Lane 0 on the active path; else the smallest lane of the children, a free one for a tip. */
function ownLane(
  rows: GraphLayout,
  row: number,
  first: number,
  nextChild: Int32Array,
  free: FreeLanes,
): number {
  if (((rows.flags[row] ?? 0) & ROW.active) !== 0) return 0
  let smallest = -1
  for (let child = first; child >= 0; child = nextChild[child] ?? -1) {
    const lane = rows.lane[child] ?? 0
    if (smallest < 0 || lane < smallest) smallest = lane
  }
  return smallest >= 0 ? smallest : free.take()
}

function reverseRows(rows: GraphLayout): void {
  const last = rows.count - 1
  for (const list of [rows.ordinal, rows.folded, rows.oldest, rows.openRun, rows.lane, rows.beyond])
    list.reverse()
  rows.flags.reverse()
  rows.passing.reverse()
  rows.joining.reverse()
  rows.parentRow.reverse()
  for (let row = 0; row <= last; row++) {
    const parent = rows.parentRow[row] ?? -1
    if (parent >= 0) rows.parentRow[row] = last - parent
  }
  for (let at = 0; at < rows.rowOf.length; at++) {
    const row = rows.rowOf[at] ?? -1
    if (row >= 0) rows.rowOf[at] = last - row
  }
  rows.newestFirst = false
}
