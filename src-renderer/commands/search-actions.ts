/** What the commands of searching and finding do. */
import type { CommandId } from '@shared/commands'
import { branchesStoreOf } from '../stores/branches-store'
import { findStoreOf } from '../stores/find-store'
import type { Stores } from '../stores/stores-context'
import type { Action } from './action'
import type { CommandContext } from './context'
import { showScope } from './flows/navigate'
import { openBox, showSearch } from './flows/search-flows'

type SearchCommand = Extract<CommandId, `search.${string}` | `find.${string}` | 'library.filter'>

/** The tab of the open session in which one can find, if there is one on screen. */
function findTab(stores: Stores): 'transcript' | 'branches' | null {
  const { ref, tab } = stores.session.getState()
  if (ref === null || stores.navigation.getState().place.view !== 'sessions') return null
  return tab === 'transcript' || tab === 'branches' ? tab : null
}

function findHere(stores: Stores): void {
  if (findTab(stores) === 'branches') {
    branchesStoreOf(stores.client).getState().askFind()
    return
  }
  const { current, place } = stores.transcript.getState()
  findStoreOf(stores.client)
    .getState()
    .begin(current >= 0 ? current : (place()?.row ?? 0))
}

/** Shows the session list and goes to its filter. */
function filterSessions({ stores, page }: CommandContext): void {
  const { place, setPane, setListHidden } = stores.navigation.getState()
  if (place.view !== 'sessions') showScope(stores, stores.list.getState().scope)
  setListHidden(false)
  setPane('list')
  page.focusFilter()
}

/** Goes to the field that filters what is shown; where there is none, to that of the session list. */
function filterHere(context: CommandContext): void {
  const { view } = context.stores.navigation.getState().place
  // These have such a field of their own.
  if (view === 'search' || view === 'drafts') context.page.focusFilter()
  else filterSessions(context)
}

const step = (by: 1 | -1): Action => ({
  inText: true,
  enabled: ({ stores }) => findTab(stores) === 'transcript' && findStoreOf(stores.client).getState().open,
  run: ({ stores }) => findStoreOf(stores.client).getState().step(by),
})

export const searchActions: Record<SearchCommand, Action> = {
  'search.box': { inText: true, run: ({ stores }) => openBox(stores, false) },
  'search.sessions': { inText: true, run: ({ stores }) => openBox(stores, true) },
  'search.view': {
    inText: true,
    run: ({ stores, page }) => {
      showSearch(stores)
      page.focusFilter()
    },
  },
  // In a session its text, elsewhere the list.
  'find.here': {
    inText: true,
    run: context => {
      const region = context.page.currentRegion()
      const inSession = region === 'session' || region === null
      if (inSession && findTab(context.stores) !== null) findHere(context.stores)
      else filterHere(context)
    },
  },
  'find.next': step(1),
  'find.previous': step(-1),
  'library.filter': { inText: true, run: filterSessions },
}
