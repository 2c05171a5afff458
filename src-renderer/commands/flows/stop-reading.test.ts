import { err, ok } from '@shared/ipc/result'
import { expect, it } from 'vitest'
import { createFakeClient } from '../../stores/fake-client'
import { detailsStoreOf } from '../../stores/session-views-stores'
import { createStores, type Stores } from '../../stores/stores-context'
import { stopReadingLeft } from './stop-reading'

const settle = async () => {
  for (let n = 0; n < 4; n++) await new Promise(resolve => setTimeout(resolve, 0))
}

/** Everything that is read goes on until it is stopped. */
function window() {
  const running = new Map<string, number>()
  const untilStopped = (name: string, signal: AbortSignal | undefined) => {
    running.set(name, (running.get(name) ?? 0) + 1)
    return new Promise<ReturnType<typeof err>>(resolve => {
      const stopped = () => {
        running.set(name, (running.get(name) ?? 0) - 1)
        resolve(err('cancelled', 'Cancelled.'))
      }
      if (signal?.aborted) stopped()
      signal?.addEventListener('abort', stopped)
    })
  }
  let whole = false
  const client = createFakeClient({
    'session.open': (_, { signal }) => untilStopped('open', signal),
    'session.close': () => ok({}),
    'session.lastRead': () => ok({ place: null }),
    'session.outline': (_, { signal }) => untilStopped('outline', signal),
    'session.transcript': (_, { signal }) =>
      whole
        ? ok({ revision: 1, tip: 1, total: 0, from: 0, earlier: false, origin: 0, rows: [] })
        : untilStopped('transcript', signal),
    'session.rowOf': (_, { signal }) => untilStopped('rowOf', signal),
    'session.details': ({ session }, { signal }) => untilStopped(`details of ${session}`, signal),
  })
  const stores = createStores(client)
  stopReadingLeft(stores)
  return {
    stores,
    running: () => [...running].filter(([, count]) => count > 0).map(([name]) => name),
    nowWhole: () => {
      whole = true
    },
  }
}

it('stops the reading of the rows when the opening is cancelled, and reads them when it is tried again', async () => {
  const { stores, running, nowWhole } = window()
  void stores.session.getState().open('a')
  stores.transcript.getState().show('a', null)
  void stores.transcript.getState().jumpToEntry(7)
  await settle()
  expect(running()).toEqual(['open', 'rowOf', 'transcript'])
  stores.session.getState().cancelOpening()
  await settle()
  expect(running()).toEqual([])
  nowWhole()
  void stores.session.getState().reload()
  stores.transcript.getState().show('a', null)
  await settle()
  expect(running()).toEqual(['open', 'outline'])
  expect(stores.transcript.getState().state).toBe('ready')
})

it('stops it when another session is opened, or none, also where that shows no rows', async () => {
  const open = (stores: Stores) => void stores.session.getState().open('b')
  const close = (stores: Stores) => stores.session.getState().close()
  for (const leave of [open, close]) {
    const { stores, running, nowWhole } = window()
    nowWhole()
    void stores.session.getState().open('a')
    stores.transcript.getState().show('a', null)
    await settle()
    expect(running()).toEqual(['open', 'outline'])
    leave(stores)
    await settle()
    expect(running()).not.toContain('outline')
  }
})

it('stops what a tab reads, which keeps nothing else waiting, and reads it again when it is shown again', async () => {
  const { stores, running } = window()
  const details = detailsStoreOf(stores.client)
  void stores.session.getState().open('a')
  details.getState().show('a')
  await settle()
  expect(running()).toEqual(['open', 'details of a'])
  void stores.session.getState().open('b')
  details.getState().show('b')
  await settle()
  expect(running()).toEqual(['open', 'details of b'])
  stores.session.getState().close()
  await settle()
  expect(running()).toEqual([])
  void stores.session.getState().open('b')
  details.getState().show('b')
  await settle()
  expect(running()).toEqual(['open', 'details of b'])
})
