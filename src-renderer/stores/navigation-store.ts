/** Where the user is, and the way there: place, back and forward, and the pane shown on a narrow window. */
import type { ShownPlace } from '@shared/ipc/models/app-models'
import type { SessionScope } from '@shared/ipc/models/library-models'
import { createStore } from 'zustand/vanilla'

/** How a session was looked at when it was left: the tab, and the tip of the path that was shown. */
export type Shown = { tab: ShownPlace['tab']; tip: number | null }

export type Place =
  | { view: 'sessions'; scope: SessionScope; session: string | null; shown?: Shown }
  | { view: 'search' }
  | { view: 'drafts' }
  | { view: 'trash' }
  | { view: 'changes' }

/** Panes of a narrow window, from the outermost to the innermost. */
export type Pane = 'sidebar' | 'list' | 'session'

export type NavigationState = {
  place: Place
  pane: Pane
  listHidden: boolean
  past: readonly Place[]
  future: readonly Place[]
  /** Notes how the session of the present place is looked at, so that the way back leads there. */
  note(shown: Shown): void
  /** Goes to a place and remembers the way. A place equal to the present one is not remembered twice. */
  goTo(place: Place): void
  /** The place one goes back to, already made the present one; null when there is none. */
  back(): Place | null
  forward(): Place | null
  setPane(pane: Pane): void
  setListHidden(hidden: boolean): void
}

export type NavigationStore = ReturnType<typeof createNavigationStore>

/** Places that are remembered; older ones are forgotten. */
const MOST = 100

/** True when both are the same place. */
export function samePlace(a: Place, b: Place): boolean {
  if (a.view !== 'sessions' || b.view !== 'sessions') return a.view === b.view
  return a.session === b.session && sameScope(a.scope, b.scope)
}

/** True when both scopes show the same sessions. */
export function sameScope(a: SessionScope, b: SessionScope): boolean {
  if (a.kind === 'project' || b.kind === 'project') {
    return a.kind === 'project' && b.kind === 'project' && a.project === b.project
  }
  return a.kind === b.kind
}

export function createNavigationStore() {
  return createStore<NavigationState>()((set, get) => ({
    place: { view: 'sessions', scope: { kind: 'all' }, session: null },
    pane: 'list',
    listHidden: false,
    past: [],
    future: [],
    note: shown => {
      const { place } = get()
      if (place.view === 'sessions' && place.session !== null) set({ place: { ...place, shown } })
    },
    goTo: place => {
      const { place: here, past } = get()
      if (samePlace(here, place)) return
      set({ place, past: [...past, here].slice(-MOST), future: [] })
    },
    back: () => {
      const { place, past, future } = get()
      const target = past.at(-1)
      if (!target) return null
      set({ place: target, past: past.slice(0, -1), future: [place, ...future] })
      return target
    },
    forward: () => {
      const { place, past, future } = get()
      const target = future[0]
      if (!target) return null
      set({ place: target, past: [...past, place], future: future.slice(1) })
      return target
    },
    setPane: pane => set({ pane }),
    setListHidden: listHidden => set({ listHidden }),
  }))
}
