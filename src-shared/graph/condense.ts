/** Folds straight runs of the visible tree into one row each. */
import type { Forest } from './forest'
import { kindName, type VisibleTree } from './visible-tree'

/** A run shorter than this is shown as it is: a fold row would save nothing. */
export const SHORTEST_FOLD = 2

export type Condensed = {
  /** Oldest entry of the folded run an entry belongs to, -1 when it stands in a row of its own. */
  runOf: Int32Array
  /** By the run's oldest entry: how many entries it has, and its newest entry. */
  runLength: Int32Array
  runNewest: Int32Array
  /** Oldest entry of the run an entry belongs to although that run was unfolded by hand, else -1. */
  openRunOf: Int32Array
}

export type FoldChoice = {
  /** Nothing is folded. */
  unfoldAll: boolean
  /** Runs that were unfolded one by one, named by their oldest entry (which stays when the file grows). */
  unfolded: ReadonlySet<number>
}

/**
 * Finds the straight runs. Prompts, labelled entries, dividers, roots, forks and tips are never folded, so
 * what is left are the entries between two points of interest.
 */
export function condense(
  forest: Forest,
  tree: VisibleTree,
  kinds: Uint8Array,
  labelled: Uint8Array,
  choice: FoldChoice,
): Condensed {
  const size = forest.parents.length
  const runOf = new Int32Array(size).fill(-1)
  const runLength = new Int32Array(size)
  const runNewest = new Int32Array(size).fill(-1)
  const openRunOf = new Int32Array(size).fill(-1)
  const condensed = { runOf, runLength, runNewest, openRunOf }
  if (choice.unfoldAll) return condensed
  for (const at of forest.order) {
    if (tree.visible[at] !== 1 || !isFoldable(tree, kinds, labelled, at)) continue
    const parent = tree.parents[at] ?? -1
    const run = (runOf[parent] ?? -1) >= 0 ? (runOf[parent] ?? at) : at
    runOf[at] = run
    runLength[run] = (runLength[run] ?? 0) + 1
    runNewest[run] = at
  }
  for (const at of forest.order) {
    const run = runOf[at] ?? -1
    if (run < 0) continue
    const short = (runLength[run] ?? 0) < SHORTEST_FOLD
    if (!short && choice.unfolded.has(run)) openRunOf[at] = run
    if (short || choice.unfolded.has(run)) runOf[at] = -1
  }
  return condensed
}

function isFoldable(tree: VisibleTree, kinds: Uint8Array, labelled: Uint8Array, at: number): boolean {
  if (labelled[at] === 1 || tree.children[at] !== 1 || (tree.parents[at] ?? -1) < 0) return false
  switch (kindName(kinds[at])) {
    case 'user':
    case 'compaction':
    case 'branch-summary':
    case 'reset':
      return false
    default:
      return true
  }
}
