import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeClient } from './fake-client'
import { createReadingPlaces } from './reading-places'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Rows of these entries, from row 10. */
function rowsOf(...entries: (string | null)[]): ReadonlyMap<number, TranscriptRow> {
  // Only the entry of a row is looked at.
  return new Map(entries.map((entryId, at) => [10 + at, { entryId } as TranscriptRow]))
}

/** Of a session that is not left. */
const stays = new AbortController().signal

function setup(place: { row: number; offset: number } | null = null) {
  const client = createFakeClient({
    'session.lastRead': (_, { signal }) => (signal?.aborted ? err('cancelled', 'Cancelled.') : ok({ place })),
    'session.leave': () => ok({}),
  })
  const told = () => client.made.filter(({ name }) => name === 'session.leave').map(({ input }) => input)
  const asked = () => client.made.filter(({ name }) => name === 'session.lastRead').length
  return { places: createReadingPlaces(client), told, asked }
}

test('where an earlier window left is asked for once, for the path where reading starts', async () => {
  const { places, asked } = setup({ row: 7, offset: 3 })
  expect(await places.find('s', 42, stays)).toBeUndefined()
  expect(asked()).toBe(0)
  expect(await places.find('s', null, stays)).toEqual({ row: 7, offset: 3, atEnd: false })
  expect(places.get('s', null)).toEqual({ row: 7, offset: 3, atEnd: false })
  await places.find('s', null, stays)
  expect(asked()).toBe(1)
})

test('a session that was never left begins at the end, and is not asked for again', async () => {
  const { places, asked } = setup()
  expect(await places.find('s', null, stays)).toBeUndefined()
  expect(await places.find('s', null, stays)).toBeUndefined()
  expect(asked()).toBe(1)
})

test('main is told when reading rests, by the entry that stands there and the row of it', () => {
  const { places, told } = setup()
  const rows = rowsOf('a', 'b', 'b', 'b')
  places.leave('s', null, { row: 10, offset: 0, atEnd: false }, rows, false)
  places.leave('s', null, { row: 13, offset: 5, atEnd: false }, rows, false)
  expect(told()).toEqual([])
  vi.runAllTimers()
  expect(told()).toEqual([{ session: 's', place: { entry: 'b', below: 2, offset: 5 } }])
  places.leave('s', null, { row: 13, offset: 5, atEnd: true }, rows, false)
  vi.runAllTimers()
  expect(told().at(-1)).toEqual({ session: 's', place: null })
})

test('going on to another session tells at once where the first was left', () => {
  const { places, told } = setup()
  places.leave('s', null, { row: 10, offset: 1, atEnd: false }, rowsOf('a'), false)
  places.leave('t', null, { row: 10, offset: 2, atEnd: false }, rowsOf('c'), false)
  expect(told()).toEqual([{ session: 's', place: { entry: 'a', below: 0, offset: 1 } }])
})

test('a row that cannot be named, and other paths, are kept in the window only', () => {
  const { places, told } = setup()
  places.leave('s', null, { row: 10, offset: 1, atEnd: false }, rowsOf(null), false)
  places.leave('s', 5, { row: 10, offset: 2, atEnd: false }, rowsOf('a'), false)
  vi.runAllTimers()
  expect(told()).toEqual([])
  expect(places.get('s', 5)).toEqual({ row: 10, offset: 2, atEnd: false })
})

test('of a session whose rows are others now, main is asked again', async () => {
  const { places, asked } = setup({ row: 7, offset: 3 })
  await places.find('s', null, stays)
  places.forget('s')
  expect(places.get('s', null)).toBeUndefined()
  await places.find('s', null, stays)
  expect(asked()).toBe(2)
})

test('a question that ended because the session was left is asked again', async () => {
  const { places, asked } = setup({ row: 7, offset: 3 })
  await places.find('s', null, AbortSignal.abort())
  await places.find('s', null, stays)
  expect(asked()).toBe(2)
})

test('a place that could not be numbered is kept, and one that is not on the path is forgotten', async () => {
  let answer: Result<{ row: number | null; tip: number }> = err('damaged', 'Line 7 is no record.')
  const places = createReadingPlaces(createFakeClient({ 'session.rowOf': () => answer }))
  // Only the ordinal of a row is looked at.
  const rows = new Map([[3, { ordinal: 40 } as TranscriptRow]])
  const left = { row: 3, offset: 5, atEnd: false }
  places.leave('s', 9, left, rows, true)
  expect(await places.find('s', 9, stays), 'its number would be another row').toBeUndefined()
  expect(places.get('s', 9)).toEqual(left)
  answer = ok({ row: 103, tip: 9 })
  expect(await places.find('s', 9, stays)).toEqual({ ...left, row: 103 })
  places.leave('s', 9, left, rows, true)
  answer = ok({ row: null, tip: 9 })
  expect(await places.find('s', 9, stays)).toBeUndefined()
  expect(places.get('s', 9)).toBeUndefined()
})
