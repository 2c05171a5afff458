/** The graph as it is looked at: layout of the tree with the chosen filter, order and folds. */
import { markPath, newestTipBelow, toForest } from '@shared/graph/forest'
import { type GraphLayout, layoutGraph } from '@shared/graph/layout'
import { type GraphMode, isShown, kindName } from '@shared/graph/visible-tree'
import type { SessionTree } from '@shared/ipc/models/session-models'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { branchesStoreOf } from '../../stores/branches-store'
import { useStores } from '../../stores/stores-context'
import { type BranchColors, branchColors } from './branch-colors'

export type Graph = {
  tree: SessionTree
  layout: GraphLayout
  colors: BranchColors
  labels: ReadonlyMap<number, readonly string[]>
  /** 1 for entries on the path that the transcript shows. */
  shown: Uint8Array
  /** Tip of the path through an entry: the shown one when the entry is on it, else the newest. */
  tipThrough(ordinal: number): number
}

/** Recomputed only when the tree or the way of looking changes. */
export function useGraph(tree: SessionTree, active: number | null, shownTip: number | null): Graph {
  const { client, settings } = useStores()
  const branches = branchesStoreOf(client)
  const mode = useStore(branches, state => state.mode)
  const unfoldAll = useStore(branches, state => state.unfoldAll)
  const unfolded = useStore(branches, state => state.unfolded)
  const order = useStore(settings, state => state.settings.graphOrder)
  const labels = useMemo(() => labelsByOrdinal(tree), [tree])
  const forest = useMemo(() => toForest(tree.parents), [tree])
  const layout = useMemo(() => {
    const labelled = new Uint8Array(tree.count)
    for (const ordinal of labels.keys()) labelled[ordinal] = 1
    return layoutGraph(
      { parents: tree.parents, kinds: tree.kinds, labelled, active },
      { mode, order, unfoldAll, unfolded },
      forest,
    )
  }, [tree, forest, labels, active, mode, order, unfoldAll, unfolded])
  const colors = useMemo(() => branchColors(layout), [layout])
  const shown = useMemo(() => markPath(forest.parents, shownTip ?? -1), [forest, shownTip])
  return useMemo(
    () => ({
      tree,
      layout,
      colors,
      labels,
      shown,
      tipThrough: ordinal =>
        shown[ordinal] === 1 && shownTip !== null ? shownTip : newestTipBelow(forest, ordinal),
    }),
    [tree, layout, colors, labels, shown, shownTip, forest],
  )
}

function labelsByOrdinal(tree: SessionTree): Map<number, string[]> {
  const labels = new Map<number, string[]>()
  for (const { ordinal, label } of tree.labels) {
    const list = labels.get(ordinal)
    if (list) list.push(label)
    else labels.set(ordinal, [label])
  }
  return labels
}

/** Entries that a mode shows, folded ones included, in the order of their rows; at most `most`. */
export function shownEntries(graph: Graph, mode: GraphMode, most: number): number[] {
  const { tree, labels, layout } = graph
  const found: number[] = []
  const newest = layout.newestFirst
  for (let n = 0; n < tree.count && found.length < most; n++) {
    const at = newest ? tree.count - 1 - n : n
    if (isShown(mode, kindName(tree.kinds[at]), labels.has(at))) found.push(at)
  }
  return found
}
