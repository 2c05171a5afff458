/** Which colour each branch has: told apart by branch, not only by lane, so that tips in one lane differ. Pure. */
import { DRAWN_LANES, type GraphLayout, ROW } from '@shared/graph/layout'

/** Colour tokens of branches: the first is the active path's, the others take turns. */
const COLORS = 8

/** Colour token of a lane at a row. */
export type BranchColors = (lane: number, row: number) => string

type Lane = { starts: number[]; colors: number[] }

/**
 * Gives every stretch of a lane, from its tip to its fork, a colour: the next in turn that no lane beside it
 * has there. Linear in the number of rows.
 */
export function branchColors(layout: GraphLayout): BranchColors {
  const { count, newestFirst } = layout
  const lanes = new Map<number, Lane>()
  /** Colour of each lane that is open at the row one is at. */
  const open = new Map<number, number>()
  const place = (row: number) => (newestFirst ? row : count - 1 - row)
  let turn = 0
  for (let at = 0; at < count; at++) {
    const row = place(at)
    closeLanes(open, layout.joining[row] ?? 0)
    const lane = layout.lane[row] ?? 0
    const ends = (layout.parentRow[row] ?? -1) < 0
    if (((layout.flags[row] ?? 0) & ROW.toChild) !== 0) {
      if (ends) open.delete(lane)
      continue
    }
    const color = lane === 0 ? 0 : nextColor(turn, open)
    if (lane !== 0) turn = color
    const stretches = lanes.get(lane) ?? { starts: [], colors: [] }
    lanes.set(lane, stretches)
    stretches.starts.push(at)
    stretches.colors.push(color)
    // Where lanes beyond the drawn ones end is not known, and they are not seen beside the others.
    if (!ends && lane < DRAWN_LANES) open.set(lane, color)
  }
  return (lane, row) => {
    const stretches = lanes.get(lane)
    const color = stretches?.colors[lastAtOrBefore(stretches.starts, place(row))] ?? lane % COLORS
    return `var(--lane-${color + 1})`
  }
}

function closeLanes(open: Map<number, number>, joining: number): void {
  for (let rest = joining >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
    open.delete(31 - Math.clz32(rest & -rest))
  }
}

/** The next colour in turn that is free; when none is, just the next. */
function nextColor(turn: number, open: ReadonlyMap<number, number>): number {
  const used = new Set(open.values())
  const side = COLORS - 1
  for (let step = 0; step < side; step++) {
    const color = ((turn + step) % side) + 1
    if (!used.has(color)) return color
  }
  return (turn % side) + 1
}

/** Index of the last number at or below `value` in an ascending list, -1 if there is none. */
function lastAtOrBefore(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
