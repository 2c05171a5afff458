/** The branches tab: the session's tree as a lane graph, its tips, and the chosen entry. */
import type { SessionTree, SessionView } from '@shared/ipc/models/session-models'
import { Filter, GitBranch, TriangleAlert } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { errorHeading } from '../../commands/error-text'
import { branchesStoreOf } from '../../stores/branches-store'
import { previewsStoreOf } from '../../stores/previews-store'
import { treeStoreOf } from '../../stores/session-views-stores'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Bone, EmptyState, ErrorState } from '../../ui/states'
import { BranchesToolbar } from './branches-toolbar'
import { GraphList } from './graph-list'
import { Inspector } from './inspector'
import { TipsPanel } from './tips-panel'
import { useFind } from './use-find'
import { useGraph } from './use-graph'
import './branches.css'

/** Needs no props: the stores say which session. */
export function BranchesView() {
  const { client, session } = useStores()
  const ref = useStore(session, state => state.ref)
  const view = useStore(session, state => state.view)
  const treeStore = treeStoreOf(client)
  const tree = useStore(treeStore, state => state.data)
  const loaded = useStore(treeStore, state => state.session)
  useEffect(() => {
    if (ref === null) return
    treeStore.getState().show(ref)
    previewsStoreOf(client).getState().show(ref)
    branchesStoreOf(client).getState().show(ref)
  }, [client, treeStore, ref])
  if (ref === null) return null
  const failed = view.state === 'error' ? view.error : tree.state === 'error' ? tree.error : null
  if (failed !== null) {
    return (
      <ErrorState
        icon={<TriangleAlert aria-hidden />}
        title={errorHeading(failed.code)}
        text={failed.message}
        actions={<Button onClick={() => treeStore.getState().reload()}>Try again</Button>}
      />
    )
  }
  if (loaded !== ref || tree.state !== 'ready' || view.state !== 'ready') return <Loading />
  if (tree.value.count === 0) {
    return (
      <EmptyState icon={<GitBranch aria-hidden />} title="No entries">
        This file holds no entry that could be drawn.
      </EmptyState>
    )
  }
  return <Branches session={ref} tree={tree.value} view={view.value} />
}

function Branches({ session: ref, tree, view }: { session: string; tree: SessionTree; view: SessionView }) {
  const { client, session } = useStores()
  const branches = branchesStoreOf(client)
  const chosen = useStore(branches, state => state.chosen)
  const mode = useStore(branches, state => state.mode)
  const shownTip = useStore(session, state => state.tip) ?? view.openTip
  const graph = useGraph(tree, view.openTip ?? tree.leaf, shownTip)
  const found = useFind(graph, view.tips)
  const input = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const here = chosen ?? tree.leaf
  const findAsked = useStore(branches, state => state.findAsked)
  const answered = useRef(findAsked)
  useEffect(() => {
    if (answered.current === findAsked) return
    answered.current = findAsked
    input.current?.focus()
    input.current?.select()
  }, [findAsked])
  const wanted = useStore(branches, state => state.wanted)
  useEffect(() => {
    if (wanted === null) return
    const { setMode, toggleRun, found: seen } = branches.getState()
    const row = graph.layout.rowOf[wanted] ?? -1
    // Filtered out: all entries are shown first, then its run is unfolded.
    if (row < 0 && mode !== 'all') return setMode('all')
    if ((graph.layout.folded[row] ?? 0) > 0) toggleRun(graph.layout.oldest[row] ?? -1)
    seen()
  }, [branches, graph.layout, mode, wanted])
  const hitRows = useMemo(
    () => new Set(found.hits.map(at => graph.layout.rowOf[at] ?? -1)),
    [found.hits, graph.layout],
  )

  const showPath = useCallback(
    (ordinal: number) => {
      const state = session.getState()
      const tip = graph.tipThrough(ordinal)
      if (tip !== shownTip) state.showTip(tip)
      branches.getState().choose(ordinal)
      void state.readAt(ordinal)
    },
    [session, branches, graph, shownTip],
  )
  const at = here === null ? -1 : found.hits.indexOf(here)
  const step = (by: 1 | -1) => {
    const { hits } = found
    if (hits.length === 0) return
    const target = hits[nextHit(hits, graph.layout.rowOf, here ?? -1, by)]
    if (target === undefined) return
    const row = graph.layout.rowOf[target] ?? -1
    const state = branches.getState()
    if ((graph.layout.folded[row] ?? 0) > 0) state.toggleRun(graph.layout.oldest[row] ?? -1)
    state.choose(target)
  }
  const focusGraph = () => frame.current?.querySelector<HTMLElement>('.br-graph')?.focus()
  const onKey = (event: KeyboardEvent<HTMLElement>): boolean => {
    if (event.key === '/') input.current?.focus()
    else if (event.key === 'n') step(1)
    else if (event.key === 'N') step(-1)
    else return false
    return true
  }

  return (
    <section className="br-view" aria-label="Branches" ref={frame}>
      <BranchesToolbar input={input} found={found} at={at} onStep={step} onLeave={focusGraph} />
      <div className="br-body">
        <div className="br-main">
          {graph.layout.count === 0 ? (
            <EmptyState
              icon={<Filter aria-hidden />}
              title={mode === 'labelled' ? 'No labels' : 'Nothing to show'}
              actions={<Button onClick={() => branches.getState().setMode('all')}>Show all entries</Button>}
            >
              {mode === 'labelled'
                ? 'No entry of this session carries a label.'
                : 'This filter hides all entries of this session.'}
            </EmptyState>
          ) : (
            <GraphList graph={graph} hits={hitRows} onShowPath={showPath} onKey={onKey} />
          )}
          {here !== null && graph.layout.count > 0 && (
            <Inspector session={ref} graph={graph} ordinal={here} onShowPath={showPath} />
          )}
        </div>
        <TipsPanel view={view} graph={graph} shownTip={shownTip} onShowPath={showPath} />
      </div>
    </section>
  )
}

/** Index of the next match after (or before) where one is, going round. */
function nextHit(hits: readonly number[], rowOf: Int32Array, here: number, by: 1 | -1): number {
  const at = hits.indexOf(here)
  if (at >= 0) return (at + by + hits.length) % hits.length
  const row = rowOf[here] ?? -1
  const after = hits.findIndex(hit => (rowOf[hit] ?? -1) > row)
  if (by === 1) return Math.max(0, after)
  return ((after < 0 ? hits.length : after) - 1 + hits.length) % hits.length
}

function Loading() {
  return (
    <div className="br-loading" aria-busy="true">
      <p className="u-hidden">Loading the branches</p>
      {[64, 40, 52, 30, 58, 44].map(width => (
        <Bone key={width} width={`${width}%`} height={12} />
      ))}
    </div>
  )
}
