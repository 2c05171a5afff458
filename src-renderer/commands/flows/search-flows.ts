/** From what was found to where it stands, and from where one is to the search. */
import type { SearchHit, SessionHits, TouchedBy } from '@shared/ipc/models/search-models'
import { findStoreOf } from '../../stores/find-store'
import { sameScope } from '../../stores/navigation-store'
import { EMPTY_ASK, NO_FILTERS, type SearchAsk } from '../../stores/search-ask'
import { searchStoreOf } from '../../stores/search-store'
import { pickOnly } from '../../stores/selection'
import type { Stores } from '../../stores/stores-context'
import { openSession, showView } from './navigate'

/** Opens the one box. */
export function openBox(stores: Stores, sessionsOnly: boolean): void {
  stores.dialogs.getState().show({ kind: 'search', sessionsOnly })
}

/** Shows the search view; with `ask`, it searches for that and for nothing that was asked before. */
export function showSearch(stores: Stores, ask?: Partial<SearchAsk>): void {
  if (ask !== undefined) searchStoreOf(stores.client).getState().begin(ask)
  showView(stores, 'search')
}

/** Shows which sessions touched a file. */
export function showTouched(stores: Stores, path: string): void {
  showSearch(stores, { ...EMPTY_ASK, filters: { ...NO_FILTERS, touchedFile: path } })
}

/** Opens a session that was found, and selects it in a list that has it. */
export function openFound(stores: Stores, session: string, project: string): void {
  const { list } = stores
  const { scope, filter, rows } = list.getState()
  const isListed = rows.some(({ ref }) => ref === session)
  if (!isListed) {
    if (filter !== '') list.getState().setFilter('')
    const own = { kind: 'project' as const, project }
    if (scope.kind !== 'all' && !sameScope(scope, own)) list.getState().setScope(own)
  }
  openSession(stores, session)
  list.getState().setSelection(pickOnly(session))
}

/** Opens a session at what was found in it: its branch, its entry, the folded text unfolded, the match marked. */
export async function openHit(
  stores: Stores,
  found: Pick<SessionHits, 'session' | 'project'>,
  hit: SearchHit,
): Promise<void> {
  const { session, project } = found
  openFound(stores, session, project)
  if (hit.artifact !== null) {
    stores.session.getState().setTab('artifacts')
    return
  }
  if (hit.ordinal === null) return
  const { text, ranges } = hit.snippet
  const texts = [...new Set(ranges.map(([from, to]) => text.slice(from, to)))].filter(one => one !== '')
  findStoreOf(stores.client)
    .getState()
    .markHit({
      ...{ session, ordinal: hit.ordinal, part: hit.part },
      place: { at: hit.at },
      wanted: { texts, exact: true },
    })
  await stores.session.getState().readAt(hit.ordinal)
}

/** Opens a session at its last change of a file. */
export async function openTouch(stores: Stores, touch: TouchedBy): Promise<void> {
  openFound(stores, touch.session, touch.project)
  await stores.session.getState().readAt(touch.ordinal)
}
