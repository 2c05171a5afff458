/** Which entries the graph shows, and what they hang off when those between are hidden. */
import { NODE_KINDS, type NodeKind } from '../ipc/models/session-models'
import type { Forest } from './forest'

export const GRAPH_MODES = ['default', 'no-tools', 'prompts', 'labelled', 'all'] as const
export type GraphMode = (typeof GRAPH_MODES)[number]

export type VisibleTree = {
  visible: Uint8Array
  /** Nearest visible ancestor, -1 when there is none. Filled for hidden entries too. */
  parents: Int32Array
  /** Visible children of each visible entry. */
  children: Int32Array
  count: number
}

const BOOKKEEPING: ReadonlySet<NodeKind> = new Set(['label', 'setting', 'custom', 'title', 'other'])

/** Whether an entry of this kind is shown in a mode. */
export function isShown(mode: GraphMode, kind: NodeKind, labelled: boolean): boolean {
  switch (mode) {
    case 'all':
      return true
    case 'labelled':
      return labelled
    case 'prompts':
      return kind === 'user' || labelled
    case 'no-tools':
      return (kind !== 'tool-result' && !BOOKKEEPING.has(kind)) || labelled
    case 'default':
      return !BOOKKEEPING.has(kind) || labelled
  }
}

/** Name of a kind's number; numbers from a newer program count as `other`. */
export function kindName(kind: number | undefined): NodeKind {
  return NODE_KINDS[kind ?? -1] ?? 'other'
}

/** Filters the forest: each visible entry hangs off its nearest visible ancestor. */
export function filterTree(
  forest: Forest,
  kinds: Uint8Array,
  labelled: Uint8Array,
  mode: GraphMode,
): VisibleTree {
  const size = forest.parents.length
  const visible = new Uint8Array(size)
  const parents = new Int32Array(size)
  const children = new Int32Array(size)
  let count = 0
  for (const at of forest.order) {
    const parent = forest.parents[at] ?? -1
    const up = parent < 0 ? -1 : visible[parent] === 1 ? parent : (parents[parent] ?? -1)
    parents[at] = up
    if (!isShown(mode, kindName(kinds[at]), labelled[at] === 1)) continue
    visible[at] = 1
    count++
    if (up >= 0) children[up] = (children[up] ?? 0) + 1
  }
  return { visible, parents, children, count }
}
