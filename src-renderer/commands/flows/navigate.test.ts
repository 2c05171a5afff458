import { err } from '@shared/ipc/result'
import { expect, test } from 'vitest'
import { createFakeClient } from '../../stores/fake-client'
import { createStores } from '../../stores/stores-context'
import { goBack, goForward, openSession, showScope, showView } from './navigate'

function window() {
  // What a session holds does not matter here.
  const stores = createStores(createFakeClient({ 'session.open': () => err('io', 'not asked for') }))
  const shown = () => {
    const { ref, tab, tip } = stores.session.getState()
    return { ref, tab, tip }
  }
  return { stores, shown }
}

test('back and forward lead to the tab and the path that were left', () => {
  const { stores, shown } = window()
  openSession(stores, 'a')
  stores.session.getState().setTab('branches')
  stores.session.getState().showTip(7)
  openSession(stores, 'b')
  expect(shown()).toEqual({ ref: 'b', tab: 'transcript', tip: null })
  stores.session.getState().setTab('details')
  goBack(stores)
  expect(shown()).toEqual({ ref: 'a', tab: 'branches', tip: 7 })
  goForward(stores)
  expect(shown()).toEqual({ ref: 'b', tab: 'details', tip: null })
})

test('a place without a session is left and come back to', () => {
  const { stores, shown } = window()
  openSession(stores, 'a')
  stores.session.getState().setTab('artifacts')
  showView(stores, 'trash')
  showScope(stores, { kind: 'starred' })
  goBack(stores)
  expect(stores.navigation.getState().place.view).toBe('trash')
  goBack(stores)
  expect(shown()).toEqual({ ref: 'a', tab: 'artifacts', tip: null })
  expect(stores.list.getState().scope).toEqual({ kind: 'all' })
})

test('out of a subagent and into it again, then to the place before', async () => {
  const { stores, shown } = window()
  openSession(stores, 'first')
  openSession(stores, 'a')
  stores.session.getState().setTab('artifacts')
  await stores.session.getState().openFrom('sub')
  stores.session.getState().setTab('details')
  goBack(stores)
  expect(shown()).toEqual({ ref: 'a', tab: 'artifacts', tip: null })
  goForward(stores)
  expect(shown()).toEqual({ ref: 'sub', tab: 'details', tip: null })
  goBack(stores)
  goBack(stores)
  expect(shown().ref).toBe('first')
  goForward(stores)
  expect(shown()).toEqual({ ref: 'a', tab: 'artifacts', tip: null })
})
