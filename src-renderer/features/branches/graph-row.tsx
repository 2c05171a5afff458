// biome-ignore-all lint/a11y/useSemanticElements: a virtual list of absolutely placed rows cannot be a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row
/** One row of the graph: lanes, text, tokens and time. */
import { ROW } from '@shared/graph/layout'
import { NODE_KINDS, type NodeKind } from '@shared/ipc/models/session-models'
import { Bookmark, ChevronsDownUp, UnfoldVertical } from 'lucide-react'
import { memo } from 'react'
import { useStore } from 'zustand'
import { previewsStoreOf } from '../../stores/previews-store'
import { useStores } from '../../stores/stores-context'
import { countOf, formatExact } from '../../ui/format'
import { plainWords } from '../../ui/plain-words'
import { Bone } from '../../ui/states'
import { drawRow, ROW_HEIGHT, type RowDrawing } from './row-drawing'
import { rowTime, shortCount } from './row-words'
import type { Graph } from './use-graph'

const KIND_NAMES: Readonly<Record<NodeKind, string>> = {
  user: 'You',
  assistant: 'Agent',
  'tool-result': 'Tool',
  note: 'Note',
  compaction: 'Compaction',
  'branch-summary': 'Branch summary',
  reset: 'Reset',
  label: 'Label',
  setting: 'Setting',
  custom: 'Extension',
  title: 'Title',
  other: 'Entry',
}

export const GraphRow = memo(function GraphRow(props: {
  graph: Graph
  row: number
  lanes: number
  laneWidth: number
  start: number
  chosen: boolean
  hit: boolean
  leaf: boolean
  onChoose: (row: number) => void
  onShow: (row: number) => void
  onToggle: (row: number) => void
}) {
  const { client } = useStores()
  const { graph, row, chosen } = props
  const { layout, tree } = graph
  const ordinal = layout.ordinal[row] ?? 0
  const flags = layout.flags[row] ?? 0
  const folded = layout.folded[row] ?? 0
  const preview = useStore(previewsStoreOf(client), state => state.previews.get(ordinal))
  const kind = NODE_KINDS[tree.kinds[ordinal] ?? -1] ?? 'other'
  const time = tree.times[ordinal] ?? Number.NaN
  const tokens = folded > 0 ? 0 : (tree.tokens[ordinal] ?? 0)
  const labels = graph.labels.get(ordinal)
  const classes = ['br-row']
  if (chosen) classes.push('br-on')
  if (props.hit) classes.push('br-hit')
  if (graph.shown[ordinal] !== 1) classes.push('br-dim')
  return (
    // The grid itself takes the keys and names the chosen row (aria-activedescendant).
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the grid
    <div
      id={`br-row-${row}`}
      className={classes.join(' ')}
      role="row"
      tabIndex={-1}
      aria-rowindex={row + 1}
      aria-selected={chosen}
      aria-level={(layout.lane[row] ?? 0) + 1}
      aria-expanded={folded > 0 ? false : undefined}
      style={{
        transform: `translateY(${props.start}px)`,
        gridTemplateColumns: `${props.laneWidth}px minmax(0, 1fr) var(--br-tokens) var(--br-time)`,
      }}
      onClick={() => (folded > 0 ? props.onToggle(row) : props.onChoose(row))}
      onDoubleClick={() => folded === 0 && props.onShow(row)}
    >
      <span role="gridcell" className="br-lanes">
        <Lanes
          drawing={drawRow(layout, graph.colors, row, tree.kinds[ordinal], props.lanes)}
          width={props.laneWidth}
        />
        <span className="u-hidden">Branch {(layout.lane[row] ?? 0) + 1}</span>
      </span>
      <span role="gridcell" className="br-text">
        {folded > 0 ? (
          <span className="br-fold">
            <UnfoldVertical aria-hidden size={13} />
            {countOf(folded, 'entry', 'entries')}
          </span>
        ) : (
          <>
            {preview?.who !== '' && (
              <span className={kind === 'user' ? 'br-who br-user' : 'br-who'}>
                {preview?.who ?? KIND_NAMES[kind]}
              </span>
            )}
            {preview === undefined ? (
              <Bone width="40%" />
            ) : (
              <span className="u-cut">{plainWords(preview.text)}</span>
            )}
            {labels?.map(label => (
              <span className="br-label" key={label}>
                <Bookmark aria-hidden size={12} />
                <span className="u-cut">{label}</span>
              </span>
            ))}
            {preview?.gap ? (
              <span className="badge badge-warn" title="The entry before this one is not in the file">
                gap
              </span>
            ) : null}
            {props.leaf ? (
              <span className="badge badge-ok">omp resumes here</span>
            ) : (
              (flags & ROW.tip) !== 0 && <span className="badge badge-plain">tip</span>
            )}
            {(layout.openRun[row] ?? -1) >= 0 && (
              <button
                type="button"
                className="br-refold"
                tabIndex={-1}
                aria-label="Fold this run"
                title="Fold this run"
                onClick={event => {
                  event.stopPropagation()
                  props.onToggle(row)
                }}
              >
                <ChevronsDownUp aria-hidden size={13} />
              </button>
            )}
          </>
        )}
      </span>
      <span role="gridcell" className="br-num br-tok">
        {tokens > 0 ? `${shortCount(tokens)} tok` : ''}
      </span>
      <span role="gridcell" className="br-num" title={Number.isNaN(time) ? undefined : formatExact(time)}>
        {Number.isNaN(time) ? '' : rowTime(time, Date.now())}
      </span>
    </div>
  )
})

function Lanes({ drawing, width }: { drawing: RowDrawing; width: number }) {
  const { mark } = drawing
  return (
    <svg width={width} height={ROW_HEIGHT} aria-hidden>
      {drawing.strokes.map(stroke => (
        <path
          key={stroke.path}
          d={stroke.path}
          stroke={stroke.color}
          strokeWidth={2}
          fill="none"
          strokeDasharray={stroke.dashed ? '2 4' : undefined}
        />
      ))}
      {mark !== null && <MarkShape {...mark} />}
      {drawing.more > 0 && (
        <text x={drawing.moreX} y={19} className="br-more">
          +{drawing.more}
        </text>
      )}
    </svg>
  )
}

function MarkShape({ x, y, kind, color }: NonNullable<RowDrawing['mark']>) {
  switch (kind) {
    case 'prompt':
      return <circle cx={x} cy={y} r={5} fill={color} />
    case 'divider':
      return (
        <rect
          x={x - 5}
          y={y - 5}
          width={10}
          height={10}
          rx={2}
          fill="var(--surface)"
          stroke={color}
          strokeWidth={2}
        />
      )
    case 'tip':
      return (
        <>
          <circle cx={x} cy={y} r={6} fill="var(--surface)" stroke={color} strokeWidth={2} />
          <circle cx={x} cy={y} r={2.5} fill={color} />
        </>
      )
    case 'small':
      return <circle cx={x} cy={y} r={3} fill={color} />
    default:
      return <circle cx={x} cy={y} r={4.5} fill="var(--surface)" stroke={color} strokeWidth={2} />
  }
}
