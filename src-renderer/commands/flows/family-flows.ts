/** Going to the relatives of a session. The way back is kept. */
import type { Stores } from '../../stores/stores-context'
import { tellError } from './change-flows'

/** Makes a session the open one, where it is not yet. */
async function enter(stores: Stores, session: string): Promise<void> {
  const { scope } = stores.list.getState()
  const open = stores.session.getState()
  if (open.ref !== session) {
    stores.navigation.getState().goTo({ view: 'sessions', scope, session })
    await open.open(session)
  }
  stores.navigation.getState().setPane('session')
}

/** Opens the session that this one came from, or belongs to; where there is none, says so. */
export async function goToParent(stores: Stores, session: string): Promise<void> {
  const family = await stores.client.call('session.family', { session })
  if (!family.ok) return tellError(stores, family.error)
  const parent = family.value.find(({ kind }) => kind === 'owner' || kind === 'parent')
  if (parent === undefined || parent.session === null) {
    const text =
      parent === undefined ? 'This session came from no other.' : `Parent not found: ${parent.title}`
    stores.toasts.getState().push({ tone: 'error', text, undo: null })
    return
  }
  await enter(stores, session)
  await stores.session.getState().openFrom(parent.session)
}

/** Opens a session at its relatives, in the details. */
export async function showRelatives(stores: Stores, session: string): Promise<void> {
  await enter(stores, session)
  stores.session.getState().showFamily()
}
