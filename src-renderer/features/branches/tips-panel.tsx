/** The branches at the side: one card per tip. */
import type { SessionView, TipView } from '@shared/ipc/models/session-models'
import { useStore } from 'zustand'
import { branchesStoreOf } from '../../stores/branches-store'
import { useStores } from '../../stores/stores-context'
import { countOf, formatAge, formatCost, formatCount, formatExact } from '../../ui/format'
import { laneColor } from './row-drawing'
import { plainWords } from './row-words'
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
              lane={graph.layout.lane[graph.layout.rowOf[tip.ordinal] ?? -1] ?? 0}
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

function TipCard(props: {
  tip: TipView
  lane: number
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
        <i style={{ background: laneColor(props.lane) }} />
        <span className="br-tip-text">{tip.text === '' ? 'No text' : plainWords(tip.text)}</span>
      </span>
      <span className="br-tip-facts">
        {formatCount(tip.own)} own, {formatCount(tip.onPath)} on path
      </span>
      <span className="br-tip-facts">
        <span>{tip.cost === null ? 'cost unknown' : formatCost(tip.cost)}</span>
        <time title={formatExact(tip.time)}>{formatAge(tip.time, Date.now())}</time>
        {!tip.hasMessages && <span>no messages</span>}
        {props.shown && <span className="badge badge-plain">shown</span>}
        {tip.isLeaf && <span className="badge badge-ok">omp resumes this one</span>}
      </span>
    </button>
  )
}
