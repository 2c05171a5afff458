import type { SessionHits, TextAnswer, TextQuery } from '@shared/ipc/models/search-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeClient } from './fake-client'
import { EMPTY_ASK, filterCount, NO_FILTERS, spanFilter } from './search-ask'
import { createSearchStore, TYPING_PAUSE } from './search-store'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const found = (session: string, hits = 0): SessionHits => ({
  session,
  title: { text: session, ranges: [] },
  project: 'p',
  projectName: 'p',
  lastActivity: null,
  branches: 1,
  matches: 9,
  atLeast: false,
  hits: Array.from({ length: hits }, (_, ordinal) => ({
    ordinal,
    entryId: null,
    artifact: null,
    role: 'agent' as const,
    time: null,
    part: 'content.0',
    at: 0,
    snippet: { text: 'text', ranges: [] },
  })),
})
const answer = (sessions: SessionHits[], more = false): Result<TextAnswer> =>
  ok({
    sessions,
    total: sessions.length,
    atLeast: false,
    more,
    coverage: { indexed: 1, all: 1, running: false, problem: null },
    notes: [],
  })

function view() {
  const asked: { query: TextQuery; answer(result: Result<TextAnswer>): Promise<void> }[] = []
  const coverage = { indexed: 1, all: 1, running: false, problem: null }
  const client = createFakeClient({
    'search.text': query =>
      new Promise(resolve =>
        asked.push({
          query,
          answer: async result => {
            resolve(result)
            await vi.advanceTimersByTimeAsync(0)
          },
        }),
      ),
    'files.touched': ({ path }) =>
      ok({
        found: [
          {
            ...{ session: 's', title: path, project: 'p', projectName: 'p', path, count: 1, ordinal: 0 },
            ...{ entryId: null, how: 'edit', time: null },
          },
        ],
        more: false,
        coverage,
      }),
  })
  let id = 0
  const store = createSearchStore(client, () => `search-${++id}`)
  const type = async (text: string) => {
    store.getState().change({ text })
    await vi.advanceTimersByTimeAsync(TYPING_PAUSE)
  }
  const shown = () => store.getState().sessions.map(({ session }) => session)
  return { store, client, asked, type, shown }
}

test('what is typed is asked for once, after a pause; a filter at once', async () => {
  const { store, asked, type } = view()
  store.getState().change({ text: 'r' })
  await type('race')
  expect(asked.map(({ query }) => query.text)).toEqual(['race'])
  store.getState().change({ filters: { ...NO_FILTERS, role: 'user' } })
  expect(asked[1]?.query.filters.role).toBe('user')
})

test('hits stream in, and the answer puts them in order', async () => {
  const { store, client, asked, type, shown } = view()
  await type('race')
  client.raise('search.found', { search: 'search-1', sessions: [found('b')], done: 1, total: 4 })
  client.raise('search.found', { search: 'search-1', sessions: [found('a')], done: 2, total: 4 })
  expect(shown()).toEqual(['b', 'a'])
  expect(store.getState().run).toEqual({ state: 'running', done: 2, total: 4 })
  await asked[0]?.answer(answer([found('a'), found('b')]))
  expect(shown()).toEqual(['a', 'b'])
  expect(store.getState().run.state).toBe('done')
})

test('what was found for an older text stays until there is something newer, and its late answer is dropped', async () => {
  const { store, client, asked, type, shown } = view()
  await type('old')
  await asked[0]?.answer(answer([found('old')]))
  await type('older')
  await type('new')
  expect(shown()).toEqual(['old'])
  expect(store.getState().stale).toBe(true)
  await asked[1]?.answer(answer([found('late')]))
  client.raise('search.found', { search: 'search-2', sessions: [found('late')], done: 1, total: 1 })
  expect(shown()).toEqual(['old'])
  client.raise('search.found', { search: 'search-3', sessions: [found('new')], done: 1, total: 1 })
  expect(shown()).toEqual(['new'])
  expect(store.getState().stale).toBe(false)
})

test('a cancelled search keeps what it found and takes no more', async () => {
  const { store, client, asked, type, shown } = view()
  await type('race')
  client.raise('search.found', { search: 'search-1', sessions: [found('a')], done: 1, total: 4 })
  store.getState().cancel()
  client.raise('search.found', { search: 'search-1', sessions: [found('b')], done: 2, total: 4 })
  await asked[0]?.answer(err('cancelled', 'Cancelled.'))
  expect(shown()).toEqual(['a'])
  expect(store.getState().run).toEqual({ state: 'cancelled', done: 1, total: 4 })
})

test('an expression that is wrong is not searched with', async () => {
  const { store, asked, type } = view()
  store.getState().change({ mode: 'regex' })
  await type('a(b')
  expect(store.getState().run).toMatchObject({ state: 'fault', fault: { at: 1 } })
  expect(asked).toEqual([])
  await type('a(b)')
  expect(asked).toHaveLength(1)
})

test('the next page begins after what is shown, and all hits of one session take its place', async () => {
  const { store, asked, type, shown } = view()
  await type('race')
  await asked[0]?.answer(answer([found('a', 1), found('b', 1)], true))
  void store.getState().loadMore()
  void store.getState().loadMore()
  expect(asked[1]?.query.offset).toBe(2)
  expect(asked).toHaveLength(2)
  await asked[1]?.answer(answer([found('b'), found('c')]))
  expect(shown()).toEqual(['a', 'b', 'c'])
  expect(store.getState().more).toBe(false)
  void store.getState().openAll('b')
  expect(asked[2]?.query).toMatchObject({ hitsEach: 1000, filters: { session: 'b' } })
  await asked[2]?.answer(answer([found('b', 9)]))
  expect(store.getState().sessions[1]?.hits).toHaveLength(9)
})

test('an error is told, and the same can be asked again', async () => {
  const { store, asked, type } = view()
  await type('race')
  await asked[0]?.answer(err('io', 'The disk is gone.'))
  expect(store.getState().run).toMatchObject({ state: 'error', error: { code: 'io' } })
  store.getState().again()
  expect(asked[1]?.query.text).toBe('race')
})

test('a file without a text asks who touched it; nothing asks nothing', async () => {
  const { store, asked, type } = view()
  store.getState().begin({ filters: { ...NO_FILTERS, touchedFile: 'src/app.ts' } })
  await vi.advanceTimersByTimeAsync(0)
  expect(store.getState().touched?.found[0]?.path).toBe('src/app.ts')
  expect(asked).toEqual([])
  await type('race')
  expect(asked[0]?.query.filters.touchedFile).toBe('src/app.ts')
  store.getState().begin({})
  expect(store.getState()).toMatchObject({ run: { state: 'idle' }, touched: null, sessions: [] })
})

test('spans of time begin with a day', () => {
  const now = new Date(2026, 10, 30, 15, 20).getTime()
  expect(spanFilter('day', NO_FILTERS, now)).toEqual({ from: new Date(2026, 10, 30).getTime(), to: null })
  expect(spanFilter('week', NO_FILTERS, now)).toEqual({ from: new Date(2026, 10, 24).getTime(), to: null })
  expect(spanFilter('any', { ...NO_FILTERS, from: 1, to: 2 }, now)).toEqual({ from: null, to: null })
  expect(filterCount({ ...EMPTY_ASK, filters: { ...NO_FILTERS, from: 1, to: 2, role: 'user' } })).toBe(2)
})
