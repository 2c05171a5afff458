import type { ShownPlace } from '@shared/ipc/models/app-models'
import { err, ok } from '@shared/ipc/result'
import { describe, expect, it } from 'vitest'
import { createFakeClient } from '../../stores/fake-client'
import { createStores } from '../../stores/stores-context'
import { rememberShown, restoreShown } from './shown-place'

const SHOWN: ShownPlace = {
  view: 'sessions',
  scope: { kind: 'starred' },
  session: 's-1',
  tab: 'details',
  tip: 7,
  pane: 'session',
  selected: ['s-1', 's-2'],
  at: null,
}

function window(place: ShownPlace | null, crashed: boolean) {
  const client = createFakeClient({
    'app.lastPlace': () => ok({ place, crashed }),
    'app.remember': () => ok({}),
    'session.open': () => err('io', 'not in this test'),
  })
  return { client, stores: createStores(client) }
}

const remembered = (client: ReturnType<typeof createFakeClient>) =>
  client.made.filter(({ name }) => name === 'app.remember').map(({ input }) => input)

describe('what the window shows', () => {
  it('comes back after a crash, with a quiet word', async () => {
    const { stores } = window(SHOWN, true)
    await restoreShown(stores)
    expect(stores.navigation.getState()).toMatchObject({
      place: { view: 'sessions', scope: { kind: 'starred' }, session: 's-1' },
      pane: 'session',
    })
    expect(stores.session.getState()).toMatchObject({ ref: 's-1', tab: 'details', tip: 7 })
    expect(stores.list.getState().scope).toEqual({ kind: 'starred' })
    expect([...stores.list.getState().selection.picked]).toEqual(['s-1', 's-2'])
    expect(stores.toasts.getState().toasts[0]?.body).toMatchObject({ kind: 'text', tone: 'done' })
  })

  it('comes back where no session was open', async () => {
    const { stores } = window({ ...SHOWN, view: 'trash', session: null }, true)
    await restoreShown(stores)
    expect(stores.navigation.getState().place).toEqual({ view: 'trash' })
    expect(stores.session.getState().ref).toBeNull()
  })

  it('is left alone when nothing crashed', async () => {
    const { stores } = window(SHOWN, false)
    await restoreShown(stores)
    expect(stores.session.getState().ref).toBeNull()
    expect(stores.toasts.getState().toasts).toEqual([])
  })

  it('is only a word when the window failed before it showed anything', async () => {
    const { stores } = window(null, true)
    await restoreShown(stores)
    expect(stores.session.getState().ref).toBeNull()
    expect(stores.toasts.getState().toasts).toHaveLength(1)
  })

  it('is told to main as it changes, and not twice', async () => {
    const { client, stores } = window(null, false)
    const end = rememberShown(stores)
    stores.navigation.getState().setPane('sidebar')
    stores.session.getState().setTab('draft')
    await new Promise(resolve => setTimeout(resolve, 0))
    const told = remembered(client)
    expect(told.at(-1)).toMatchObject({ place: { pane: 'sidebar', tab: 'draft', session: null } })
    expect(told.length).toBeLessThanOrEqual(2)
    stores.session.getState().setTab('draft')
    await new Promise(resolve => setTimeout(resolve, 0))
    expect(remembered(client)).toHaveLength(told.length)
    end()
    stores.session.getState().setTab('details')
    await new Promise(resolve => setTimeout(resolve, 0))
    expect(remembered(client)).toHaveLength(told.length)
  })
})
