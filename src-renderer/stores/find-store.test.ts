import type { FindAnswer } from '@shared/ipc/models/search-models'
import { ok, type Result } from '@shared/ipc/result'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeClient } from './fake-client'
import { countOfPlaces, indexFrom, indexOf, placeAt } from './find-places'
import { createFindStore, FIND_PAUSE } from './find-store'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const ANSWER: FindAnswer = {
  revision: 1,
  tip: 30,
  matches: [
    { ordinal: 2, part: 'content', row: 1, count: 2 },
    { ordinal: 9, part: 'content.0', row: 4, count: 1 },
    { ordinal: 20, part: 'content', row: 12, count: 3 },
  ],
  total: 6,
  cut: false,
}

test('occurrences are counted over all texts', () => {
  expect([0, 1, 2, 3, 5, 6, -1].map(at => placeAt(ANSWER, at)?.nth ?? null)).toEqual([
    0,
    1,
    0,
    0,
    2,
    null,
    null,
  ])
  expect([0, 1, 2, 4, 5, 13].map(row => indexFrom(ANSWER, row))).toEqual([0, 0, 2, 2, 3, 0])
  expect(indexFrom({ ...ANSWER, matches: [] }, 0)).toBe(-1)
  expect(indexOf(ANSWER, { ordinal: 20, part: 'content', row: 99, nth: 2 })).toBe(5)
  expect(indexOf(ANSWER, { ordinal: 20, part: 'content', row: 12, nth: 3 })).toBe(-1)
  expect(countOfPlaces(ANSWER)).toBe(6)
})

function bar(answers: FindAnswer[] = [ANSWER]) {
  const client = createFakeClient({
    'search.inSession': (): Result<FindAnswer> =>
      ok(answers.length > 1 ? (answers.shift() ?? ANSWER) : (answers[0] ?? ANSWER)),
  })
  const store = createFindStore(client)
  store.getState().show('s', null)
  const asked = () => client.made.filter(({ name }) => name === 'search.inSession')
  const type = async (text: string) => {
    store.getState().setText(text)
    await vi.advanceTimersByTimeAsync(FIND_PAUSE)
  }
  return { store, client, asked, type }
}

test('the first match is the one at or after the row that is read', async () => {
  const { store, type } = bar()
  store.getState().begin(2)
  await type('race')
  expect(store.getState().at).toBe(2)
  expect(store.getState().mark).toMatchObject({ ordinal: 9, row: 4, place: { nth: 0 }, focus: false })
})

test('next and previous go round', async () => {
  const { store, type } = bar()
  store.getState().begin(12)
  await type('race')
  store.getState().step(1)
  store.getState().step(1)
  expect(store.getState().mark).toMatchObject({ ordinal: 20, place: { nth: 2 } })
  store.getState().step(1)
  expect(store.getState().at).toBe(0)
  store.getState().step(-1)
  expect(store.getState().at).toBe(5)
})

test('typing costs one question; nothing typed finds nothing', async () => {
  const { store, asked, type } = bar()
  store.getState().begin(0)
  store.getState().setText('r')
  await type('ra')
  expect(asked()).toHaveLength(1)
  await type('')
  expect(store.getState()).toMatchObject({ answer: null, at: -1, mark: null, running: false })
})

test('growth changes the count and not the place', async () => {
  const grown: FindAnswer = {
    ...ANSWER,
    total: 7,
    matches: [{ ordinal: 1, part: 'content', row: 0, count: 1 }, ...ANSWER.matches],
  }
  const { store, client, type } = bar([ANSWER, grown])
  store.getState().begin(4)
  await type('race')
  const { mark } = store.getState()
  client.raise('session.changed', { session: 's', revision: 2, how: 'grown' })
  await vi.advanceTimersByTimeAsync(0)
  expect(store.getState().answer?.total).toBe(7)
  expect(store.getState().at).toBe(3)
  expect(store.getState().mark).toBe(mark)
})

test('another session closes the bar, another path asks anew', async () => {
  const { store, asked, type } = bar()
  store.getState().begin(0)
  await type('race')
  store.getState().show('s', 7)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked().at(-1)?.input).toMatchObject({ tip: 7 })
  store.getState().show('other', null)
  expect(store.getState()).toMatchObject({ open: false, mark: null, answer: null })
})

test('the match of a search waits for its session and path, and is gone with the next path', () => {
  const { store } = bar()
  store.getState().markHit({
    ...{ session: 'other', ordinal: 4, part: 'content', place: { at: 10 } },
    wanted: { texts: ['race'], exact: true },
  })
  store.getState().show('other', null)
  store.getState().show('other', 9)
  const { mark } = store.getState()
  expect(mark).toMatchObject({ ordinal: 4, row: null, focus: true })
  store.getState().setBrought(mark?.nonce ?? 0)
  store.getState().show('other', 3)
  expect(store.getState().mark).toBeNull()
})
