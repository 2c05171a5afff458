import type { SessionRow } from '@shared/ipc/models/library-models'
import { ok } from '@shared/ipc/result'
import { expect, test } from 'vitest'
import { createFakeClient } from '../stores/fake-client'
import { enter, pickOnly, toggle } from '../stores/selection'
import { createStores, type Stores } from '../stores/stores-context'
import { sessionsOf, shownSessionsOf } from './action'
import type { CommandContext, Region } from './context'

const ALL = ['a', 'b', 'c']

async function listOf(): Promise<Stores> {
  const client = createFakeClient({
    'library.sessions': ({ filter, offset }) => {
      // Only the name of a row is looked at.
      const rows = ALL.filter(ref => filter === '' || ref === filter).map(ref => ({ ref }) as SessionRow)
      return ok({ revision: 1, total: rows.length, offset, rows })
    },
  })
  const stores = createStores(client)
  await stores.list.getState().refresh()
  return stores
}

async function filterBy({ list }: Stores, filter: string): Promise<void> {
  const shown = new Promise<void>(resolve => {
    const stop = list.subscribe(({ phase, rows }) => {
      if (phase !== 'ready' || rows.length === ALL.length) return
      stop()
      resolve()
    })
  })
  list.getState().setFilter(filter)
  await shown
}

function inRegion(stores: Stores, region: Region | null): CommandContext {
  const none = () => undefined
  const page = { mac: false, focusFilter: none, focusRegion: none, onePane: () => false }
  return { stores, page: { ...page, currentRegion: () => region }, target: null }
}

/** What the list does when the keyboard comes into it. */
function focusList({ list }: Stores): void {
  const { rows, selection, setSelection } = list.getState()
  setSelection(
    enter(
      selection,
      rows.map(({ ref }) => ref),
    ),
  )
}

test('what a filter hides is not what commands of the list act on, before the keyboard comes there and after', async () => {
  const stores = await listOf()
  stores.list.getState().setSelection(pickOnly('a'))
  void stores.session.getState().open('a')
  await filterBy(stores, 'b')
  expect(sessionsOf(inRegion(stores, 'list'))).toEqual([])
  focusList(stores)
  for (const chosen of [sessionsOf, shownSessionsOf]) expect(chosen(inRegion(stores, 'list'))).toEqual(['b'])
  expect(sessionsOf(inRegion(stores, 'session')), 'it is still the open one').toEqual(['a'])
})

test('of several that are picked only those that are shown are acted on', async () => {
  const stores = await listOf()
  stores.list.getState().setSelection(toggle(pickOnly('a'), 'b'))
  await filterBy(stores, 'b')
  for (const region of ['list', 'sidebar', null] as const)
    expect(sessionsOf(inRegion(stores, region))).toEqual(['b'])
})

test('an open session that the list does not show is not moved to the trash from there', async () => {
  const stores = await listOf()
  void stores.session.getState().open('a')
  expect(shownSessionsOf(inRegion(stores, 'list'))).toEqual(['a'])
  await filterBy(stores, 'b')
  expect(shownSessionsOf(inRegion(stores, 'list'))).toEqual([])
  expect(shownSessionsOf(inRegion(stores, null))).toEqual(['a'])
})
