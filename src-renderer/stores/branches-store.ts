/** How the graph is looked at: filter, unfolded runs, the chosen entry. Kept per session while it is open. */
import type { GraphMode } from '@shared/graph/visible-tree'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { perClient } from './per-client'

export type BranchesState = {
  session: string | null
  mode: GraphMode
  unfoldAll: boolean
  /** Runs unfolded one by one, by their oldest entry. */
  unfolded: ReadonlySet<number>
  /** Chosen entry; null: omp's tip. */
  chosen: number | null
  /** Entry that was asked for from elsewhere, until its row is drawn as one of its own. */
  wanted: number | null
  find: string
  /** Counts the wishes to type in the field. */
  findAsked: number
  show(session: string): void
  setMode(mode: GraphMode): void
  setUnfoldAll(unfoldAll: boolean): void
  toggleRun(oldest: number): void
  choose(ordinal: number): void
  /** Chooses an entry and has it drawn, whatever is folded or filtered. */
  want(ordinal: number): void
  found(): void
  setFind(find: string): void
  askFind(): void
}

export type BranchesStore = StoreApi<BranchesState>

const FRESH = { unfoldAll: false, unfolded: new Set<number>(), chosen: null, wanted: null, find: '' }

/** Creates the store. The filter stays when another session is shown: it is a way of looking. */
export function createBranchesStore(): BranchesStore {
  return createStore<BranchesState>()((set, get) => ({
    ...FRESH,
    session: null,
    mode: 'default',
    findAsked: 0,
    show(session) {
      if (get().session !== session) set({ ...FRESH, session })
    },
    setMode: mode => set({ mode }),
    setUnfoldAll: unfoldAll => set({ unfoldAll, unfolded: new Set() }),
    toggleRun(oldest) {
      const unfolded = new Set(get().unfolded)
      if (!unfolded.delete(oldest)) unfolded.add(oldest)
      set({ unfolded })
    },
    choose: chosen => set({ chosen }),
    want: ordinal => set({ chosen: ordinal, wanted: ordinal }),
    found: () => set({ wanted: null }),
    setFind: find => set({ find }),
    askFind: () => set({ findAsked: get().findAsked + 1 }),
  }))
}

export const branchesStoreOf = perClient(createBranchesStore)
