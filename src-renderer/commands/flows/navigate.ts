/** Going from place to place: keeps navigation, list and session together. */
import type { SessionScope } from '@shared/ipc/models/library-models'
import { branchesStoreOf } from '../../stores/branches-store'
import { type Place, sameScope } from '../../stores/navigation-store'
import { pickOnly } from '../../stores/selection'
import type { Stores } from '../../stores/stores-context'

/** Notes how the open session is looked at, before it is left. */
function noteShown(stores: Stores): void {
  const { ref, tab, tip, back } = stores.session.getState()
  const { place, note } = stores.navigation.getState()
  // Inside a subagent, the place is the session that it was opened from.
  const shown = back[0] ?? { ref, tab, tip }
  if (place.view === 'sessions' && place.session === shown.ref) note({ tab: shown.tab, tip: shown.tip })
}

/** Shows the sessions of a scope in the list. The open session stays open. */
export function showScope(stores: Stores, scope: SessionScope): void {
  const session = stores.session.getState().ref
  noteShown(stores)
  stores.navigation.getState().goTo({ view: 'sessions', scope, session })
  stores.navigation.getState().setPane('list')
  if (!sameScope(stores.list.getState().scope, scope)) stores.list.getState().setScope(scope)
}

/** Shows the search, the drafts, the trash or the recent changes. */
export function showView(stores: Stores, view: 'search' | 'drafts' | 'trash' | 'changes'): void {
  noteShown(stores)
  stores.navigation.getState().goTo({ view })
  stores.navigation.getState().setPane('list')
}

/** Opens a session in the right pane. */
export function openSession(stores: Stores, ref: string): void {
  noteShown(stores)
  const navigation = stores.navigation.getState()
  const scope = stores.list.getState().scope
  navigation.goTo({ view: 'sessions', scope, session: ref })
  navigation.setPane('session')
  void stores.session.getState().open(ref)
}

/** Brings the stores to a place that navigation already names, as after Back. */
function arrive(stores: Stores, place: Place): void {
  if (place.view !== 'sessions') {
    stores.navigation.getState().setPane('list')
    return
  }
  const list = stores.list.getState()
  if (!sameScope(list.scope, place.scope)) list.setScope(place.scope)
  if (place.session === null) stores.session.getState().close()
  else {
    void stores.session.getState().open(place.session, place.shown)
    stores.list.getState().setSelection(pickOnly(place.session))
  }
  stores.navigation.getState().setPane(place.session === null ? 'list' : 'session')
}

/** Back: out of a subagent first, then to the place before. */
export function goBack(stores: Stores): void {
  const session = stores.session.getState()
  if (stores.navigation.getState().place.view === 'sessions' && session.back.length > 0) {
    void session.goBack()
    return
  }
  noteShown(stores)
  const place = stores.navigation.getState().back()
  if (place) arrive(stores, place)
}

/** Forward: into the subagent that one came back from first, then to the place after. */
export function goForward(stores: Stores): void {
  const session = stores.session.getState()
  if (stores.navigation.getState().place.view === 'sessions' && session.ahead.length > 0) {
    void session.goAhead()
    return
  }
  noteShown(stores)
  const place = stores.navigation.getState().forward()
  if (place) arrive(stores, place)
}

/** Shows an entry of the open session in the graph. */
export function showInGraph(stores: Stores, session: string, ordinal: number): void {
  const branches = branchesStoreOf(stores.client).getState()
  branches.show(session)
  branches.want(ordinal)
  stores.session.getState().setTab('branches')
}

/** One pane outwards on a narrow window: session, list, sidebar. */
export function paneOut(stores: Stores): void {
  const { pane, setPane } = stores.navigation.getState()
  if (pane === 'session' && stores.session.getState().back.length > 0) void stores.session.getState().goBack()
  else setPane(pane === 'session' ? 'list' : 'sidebar')
}
