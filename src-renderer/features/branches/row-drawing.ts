/** What is drawn in the lanes of one row, from the flat arrays of the layout. Pure geometry. */
import { DRAWN_LANES, type GraphLayout, ROW } from '@shared/graph/layout'
import { kindName } from '@shared/graph/visible-tree'
import type { BranchColors } from './branch-colors'

export const ROW_HEIGHT = 30
const MIDDLE = ROW_HEIGHT / 2
const FIRST_X = 16
const PITCH = 20
/** Room for `+n` behind the last lane. */
const MORE_WIDTH = 42

export type Mark = 'prompt' | 'agent' | 'small' | 'divider' | 'fold' | 'tip'

export type RowDrawing = {
  /** Path data with the colour of its branch. */
  strokes: { path: string; color: string; dashed: boolean }[]
  mark: { x: number; y: number; kind: Mark; color: string } | null
  /** Lanes that are open here and not drawn. */
  more: number
  moreX: number
}

/** Lanes drawn and the width they take, for a layout in a pane of this width. */
export function laneColumn(maxLane: number, paneWidth: number): { lanes: number; width: number } {
  const fit = Math.max(2, Math.min(DRAWN_LANES, Math.floor((paneWidth * 0.25) / PITCH)))
  const lanes = Math.min(maxLane + 1, fit)
  const width = FIRST_X * 2 + (lanes - 1) * PITCH + (maxLane + 1 > lanes ? MORE_WIDTH : 0)
  return { lanes, width: Math.max(width, 52) }
}

/** Draws one row. `kind` is the number of the entry's kind. */
export function drawRow(
  layout: GraphLayout,
  colors: BranchColors,
  row: number,
  kind: number | undefined,
  lanes: number,
): RowDrawing {
  const own = layout.lane[row] ?? 0
  const flags = layout.flags[row] ?? 0
  const x = (lane: number) => FIRST_X + Math.min(lane, lanes) * PITCH
  const y = (value: number) => (layout.newestFirst ? value : ROW_HEIGHT - value)
  const color = colors(own, row)
  const strokes: RowDrawing['strokes'] = []
  const line = (lane: number, from: number, to: number, dashed = false) =>
    strokes.push({ path: `M${x(lane)} ${y(from)}V${y(to)}`, color: colors(lane, row), dashed })
  const inside = own < lanes

  eachLane(layout.passing[row] ?? 0, lane => {
    if (lane < lanes) line(lane, 0, ROW_HEIGHT)
  })
  eachLane(layout.joining[row] ?? 0, lane => {
    if (lane >= lanes) return
    const path = `M${x(lane)} ${y(0)}C${x(lane)} ${y(12)} ${x(own)} ${y(4)} ${x(own)} ${y(MIDDLE)}`
    strokes.push({ path, color: colors(lane, row), dashed: false })
  })
  const fold = (flags & ROW.fold) !== 0
  if (inside && fold) {
    line(own, 0, 8)
    line(own, 8, 22, true)
    line(own, 22, ROW_HEIGHT)
  } else if (inside) {
    if ((flags & ROW.toChild) !== 0) line(own, 0, MIDDLE)
    if ((flags & ROW.toParent) !== 0) line(own, MIDDLE, ROW_HEIGHT)
  }
  return {
    strokes,
    mark: fold ? null : { x: x(own), y: MIDDLE, kind: markOf(kind, flags), color },
    more: hiddenLanes(layout, row, lanes),
    moreX: x(lanes) + (inside ? 2 : 12),
  }
}

function markOf(kind: number | undefined, flags: number): Mark {
  switch (kindName(kind)) {
    case 'user':
      return 'prompt'
    case 'compaction':
    case 'branch-summary':
    case 'reset':
      return 'divider'
    case 'assistant':
      return (flags & ROW.tip) !== 0 ? 'tip' : 'agent'
    default:
      return (flags & ROW.tip) !== 0 ? 'tip' : 'small'
  }
}

/** Lanes at or beyond `lanes` that pass or join in a row. */
export function hiddenLanes(layout: GraphLayout, row: number, lanes: number): number {
  let count = layout.beyond[row] ?? 0
  eachLane((layout.passing[row] ?? 0) | (layout.joining[row] ?? 0), lane => {
    if (lane >= lanes) count++
  })
  return count
}

function eachLane(bits: number, visit: (lane: number) => void): void {
  for (let rest = bits >>> 0; rest !== 0; ) {
    const lane = 31 - Math.clz32(rest & -rest)
    visit(lane)
    rest = (rest & (rest - 1)) >>> 0
  }
}
