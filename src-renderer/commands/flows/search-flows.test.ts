import type { SearchHit } from '@shared/ipc/models/search-models'
import { err, ok } from '@shared/ipc/result'
import { expect, test } from 'vitest'
import { createFakeClient } from '../../stores/fake-client'
import { findStoreOf } from '../../stores/find-store'
import { searchStoreOf } from '../../stores/search-store'
import { createStores } from '../../stores/stores-context'
import { goBack } from './navigate'
import { openHit, showSearch, showTouched } from './search-flows'

const HIT: SearchHit = {
  ...{ ordinal: 7, entryId: 'e7', artifact: null, role: 'agent', time: null, part: 'content.1', at: 40 },
  snippet: {
    text: 'a rename and a Rename',
    ranges: [
      [2, 8],
      [15, 21],
    ],
  },
}
const FOUND = { session: 's', project: 'p' }

function window() {
  const stores = createStores(
    createFakeClient({
      'session.open': () => err('io', 'not asked for'),
      // Still on its way.
      'search.text': () => new Promise(() => {}),
      'session.rowOf': ({ ordinal }) => ok({ row: 3, tip: ordinal }),
    }),
  )
  return stores
}

test('a hit opens its session at the entry, and marks the words that were found', async () => {
  const stores = window()
  await openHit(stores, FOUND, HIT)
  expect(stores.session.getState()).toMatchObject({ ref: 's', tab: 'transcript', target: { ordinal: 7 } })
  expect(findStoreOf(stores.client).getState().mark).toMatchObject({
    ...{ session: 's', ordinal: 7, part: 'content.1', place: { at: 40 } },
    wanted: { texts: ['rename', 'Rename'], exact: true },
  })
})

test('a hit outside of the listed project shows its own project, one of all sessions does not', async () => {
  const stores = window()
  await openHit(stores, FOUND, HIT)
  expect(stores.list.getState().scope).toEqual({ kind: 'all' })
  stores.list.getState().setScope({ kind: 'project', project: 'other' })
  await openHit(stores, FOUND, HIT)
  expect(stores.list.getState().scope).toEqual({ kind: 'project', project: 'p' })
})

test('a hit in an artifact opens the artifacts, one in a title the session', async () => {
  const stores = window()
  await openHit(stores, FOUND, { ...HIT, ordinal: null, artifact: { ref: 'a', name: 'plan.md' } })
  expect(stores.session.getState().tab).toBe('artifacts')
  expect(findStoreOf(stores.client).getState().mark).toBeNull()
})

test('the way back from a hit leads to the search as it was', async () => {
  const stores = window()
  const search = searchStoreOf(stores.client)
  showSearch(stores, { text: 'rename' })
  search.getState().setCursor('hit')
  await openHit(stores, FOUND, HIT)
  goBack(stores)
  expect(stores.navigation.getState().place.view).toBe('search')
  expect(search.getState()).toMatchObject({ ask: { text: 'rename' }, cursor: 'hit' })
})

test('the sessions that touched a file are asked for with no other filter', () => {
  const stores = window()
  showSearch(stores, { text: 'rename', mode: 'exact' })
  showTouched(stores, '/code/app.ts')
  expect(searchStoreOf(stores.client).getState().ask).toMatchObject({
    ...{ text: '', mode: 'words' },
    filters: { touchedFile: '/code/app.ts', project: null },
  })
})
