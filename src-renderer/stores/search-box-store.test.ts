import type { SessionHits, TextAnswer } from '@shared/ipc/models/search-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeClient } from './fake-client'
import { createSearchBoxStore, MESSAGES_PAUSE } from './search-box-store'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const found = (session: string): SessionHits => ({
  session,
  title: { text: session, ranges: [] },
  project: 'p',
  projectName: 'p',
  lastActivity: null,
  branches: 1,
  matches: 1,
  atLeast: false,
  hits: [],
})
const answer = (...sessions: SessionHits[]): TextAnswer => ({
  sessions,
  total: sessions.length,
  atLeast: false,
  more: false,
  coverage: { indexed: 1, all: 1, running: false, problem: null },
  notes: [],
})

/** A box whose answers the test gives. */
function box() {
  const texts: { text: string; answer(result: Result<TextAnswer>): void }[] = []
  const client = createFakeClient({
    'search.quick': ({ text }) => ok({ hits: [], total: text.length, projects: [] }),
    'search.text': ({ text }) => new Promise(resolve => texts.push({ text, answer: resolve })),
  })
  let id = 0
  const store = createSearchBoxStore(client, () => `search-${++id}`)
  store.getState().begin(false)
  const type = async (text: string) => {
    store.getState().setText(text)
    await vi.advanceTimersByTimeAsync(MESSAGES_PAUSE)
  }
  return { store, client, texts, type }
}

test('sessions are asked for with every key, messages after a pause', async () => {
  const { store, client, texts, type } = box()
  store.getState().setText('re')
  store.getState().setText('ren')
  await type('rena')
  expect(client.made.filter(({ name }) => name === 'search.quick')).toHaveLength(4)
  expect(texts.map(({ text }) => text)).toEqual(['rena'])
})

test('an answer to an older text changes nothing', async () => {
  const { store, texts, type } = box()
  await type('old')
  await type('newer')
  texts[1]?.answer(ok(answer(found('new'))))
  await vi.advanceTimersByTimeAsync(0)
  texts[0]?.answer(ok(answer(found('old'))))
  await vi.advanceTimersByTimeAsync(0)
  expect(store.getState().messages).toMatchObject({ state: 'ready', sessions: [{ session: 'new' }] })
  expect(store.getState().quick).toMatchObject({ state: 'ready', value: { total: 5 } })
})

test('messages come as they are found, those of the present search only', async () => {
  const { store, client, type } = box()
  await type('text')
  client.raise('search.found', { search: 'search-1', sessions: [found('a')], done: 1, total: 9 })
  client.raise('search.found', { search: 'other', sessions: [found('b')], done: 1, total: 9 })
  expect(store.getState().messages).toMatchObject({ state: 'running', sessions: [{ session: 'a' }] })
})

test('a command and a single letter search no messages, a single CJK character does', async () => {
  const { texts, type, client } = box()
  await type('>rename')
  await type('r')
  expect(texts).toEqual([])
  await type('失')
  expect(texts.map(({ text }) => text)).toEqual(['失'])
  expect(client.made.some(({ input }) => JSON.stringify(input).includes('>'))).toBe(false)
})

test('a failure is told', async () => {
  const { store, texts, type } = box()
  await type('text')
  texts[0]?.answer(err('io', 'The disk is gone.'))
  await vi.advanceTimersByTimeAsync(0)
  expect(store.getState().messages).toMatchObject({ state: 'error', error: { code: 'io' } })
})

test('the latest searches are remembered once each, and no commands', () => {
  const { store } = box()
  for (const text of ['a', 'b', ' a ', '>b', '']) store.getState().remember(text)
  expect(store.getState().recent).toEqual(['a', 'b'])
})
