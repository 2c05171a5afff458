/** What the window shows, told to main as it changes, and shown again after the window ended by itself. */
import type { ShownPlace } from '@shared/ipc/models/app-models'
import { coalesce } from '../../stores/coalesce'
import type { Place } from '../../stores/navigation-store'
import type { Stores } from '../../stores/stores-context'

/** As many rows as the contract takes; a larger selection is not brought back whole. */
const MOST_SELECTED = 10_000

function shownNow(stores: Stores): ShownPlace {
  const { place, pane } = stores.navigation.getState()
  const { ref, tab, tip } = stores.session.getState()
  const { scope, selection } = stores.list.getState()
  const selected = [...selection.picked].slice(0, MOST_SELECTED)
  return { view: place.view, scope, session: ref, tab, tip, pane, selected, at: null }
}

/** Tells main from now on; the answer ends it. Nothing is told that was told before. */
export function rememberShown(stores: Stores): () => void {
  let told = ''
  const tell = coalesce(async () => {
    const place = shownNow(stores)
    const text = JSON.stringify(place)
    if (text === told) return
    told = text
    // It only matters after a crash: a failure to remember is no news for the user.
    await stores.client.call('app.remember', { place })
  })
  const changed = () => void tell()
  const ends = [stores.navigation, stores.session, stores.list].map(store => store.subscribe(changed))
  changed()
  return () => {
    for (const end of ends) end()
  }
}

/** Shows what was shown before, when the window is there again because it ended by itself. */
export async function restoreShown(stores: Stores): Promise<void> {
  const last = await stores.client.call('app.lastPlace', {})
  if (!last.ok || !last.value.crashed) return
  stores.toasts.getState().push({ tone: 'done', text: 'The window failed and was loaded again.', undo: null })
  if (last.value.place !== null) await show(stores, last.value.place)
}

async function show(stores: Stores, shown: ShownPlace): Promise<void> {
  const { scope, session, tab, tip, pane, selected } = shown
  const list = stores.list.getState()
  list.setScope(scope)
  stores.navigation.getState().goTo(placeOf(shown))
  stores.navigation.getState().setPane(pane)
  if (selected.length > 0) {
    const cursor = selected.at(-1) ?? null
    list.setSelection({ picked: new Set(selected), cursor, anchor: cursor })
  }
  if (session === null) return
  const opened = stores.session.getState().open(session)
  stores.session.getState().setTab(tab)
  if (tip !== null) stores.session.getState().showTip(tip)
  await opened
  const now = stores.session.getState()
  // Rewritten meanwhile: there is no such entry any more.
  const lost = now.view.state === 'ready' && now.tip !== null && now.tip >= now.view.value.entries
  if (now.ref === session && lost) now.showTip(null)
}

function placeOf({ view, scope, session }: ShownPlace): Place {
  return view === 'sessions' ? { view, scope, session } : { view }
}
