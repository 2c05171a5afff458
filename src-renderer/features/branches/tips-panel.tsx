/** The branches at the side: one card per tip. */
import type { SessionView, TipView } from '@shared/ipc/models/session-models'
import { useStore } from 'zustand'
import { branchesStoreOf } from '../../stores/branches-store'
import { useStores } from '../../stores/stores-context'
import { countOf, formatAge, formatCost, formatCount, formatExact } from '../../ui/format'
import { plainWords } from '../../ui/plain-words'
import type { Graph } from './use-graph'

export function TipsPanel(props: {
  view: SessionView
  graph: Graph
  shownTip: number | null
  onShowPath: (ordinal: number) => void
}) {
  const { view, graph, shownTip } = props
  const { client } = useStores()
  const branches = branchesStoreOf(client)
  const chosen = useStore(branches, state => state.chosen ?? graph.tree.leaf)
  const hidden = view.tipCount - view.tips.length
  return (
    <aside className="br-tips" aria-label="Tips of the branches">
      <h2>{countOf(view.tipCount, 'branch', 'branches')}</h2>
      <ul>
        {view.tips.map(tip => (
          <li key={tip.ordinal}>
            <TipCard
              tip={tip}
              color={colorOf(graph, tip.ordinal)}
              chosen={chosen === tip.ordinal}
              shown={shownTip === tip.ordinal}
              onChoose={() => branches.getState().choose(tip.ordinal)}
              onShow={() => props.onShowPath(tip.ordinal)}
            />
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="u-muted">{formatCount(hidden)} older ones are in the graph.</p>}
    </aside>
  )
}

/** The colour that an entry's branch has in the graph. */
function colorOf({ layout, colors }: Graph, ordinal: number): string {
  const row = layout.rowOf[ordinal] ?? -1
  return colors(layout.lane[row] ?? 0, row)
}

function TipCard(props: {
  tip: TipView
  color: string
  chosen: boolean
  shown: boolean
  onChoose: () => void
  onShow: () => void
}) {
  const { tip } = props
  return (
    <button
      type="button"
      className={props.chosen ? 'br-tip br-tip-on' : 'br-tip'}
      aria-pressed={props.chosen}
      title="Click to find it in the graph, double click to read it"
      onClick={props.onChoose}
      onDoubleClick={props.onShow}
      onKeyDown={event => {
        if (event.key !== 'Enter' || !props.chosen) return
        event.preventDefault()
        props.onShow()
      }}
    >
      <span className="br-tip-head">
        <i style={{ background: props.color }} />
        <span className="br-tip-text">{tip.text === '' ? 'No text' : plainWords(tip.text)}</span>
      </span>
      <span className="br-tip-facts">
        <span className="u-grow">
          {formatCount(tip.own)} own, {formatCount(tip.onPath)} on path,{' '}
          {tip.cost === null ? 'cost unknown' : formatCost(tip.cost)}
        </span>
        <time title={formatExact(tip.time)}>{formatAge(tip.time, Date.now())}</time>
      </span>
      <span className="br-tip-facts">
        {!tip.hasMessages && <span>no messages</span>}
        {props.shown && <span className="badge badge-plain">shown</span>}
        {tip.isLeaf && <span className="badge badge-ok">omp resumes here</span>}
      </span>
    </button>
  )
}
