import type { SessionRow } from '@shared/ipc/models/library-models'
import { err, ok } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakeClient } from './fake-client'
import { createListStore } from './list-store'
import { NO_SELECTION, pickOnly } from './selection'

const row = (ref: string): SessionRow => ({
  ref,
  id: ref,
  title: ref,
  titleFrom: 'user',
  firstPrompt: '',
  project: 'p',
  projectName: 'p',
  shortCwd: '~/p',
  created: 0,
  lastActivity: 0,
  lastActivityRaw: null,
  status: 'complete',
  messages: 1,
  bytes: 1,
  model: null,
  cost: null,
  branches: 1,
  artifacts: 0,
  subagents: 0,
  hasDraft: false,
  origin: null,
  starred: false,
  use: null,
  useText: null,
  damagedLines: 0,
  problem: null,
  archived: false,
  readOnly: false,
})

function library(count: number) {
  let rows = Array.from({ length: count }, (_, index) => row(`s${index}`))
  const client = createFakeClient({
    'library.sessions': ({ offset, limit, filter, reverse, find }) => {
      const found = rows.filter(candidate => candidate.title.includes(filter))
      if (reverse) found.reverse()
      const page = { revision: 1, total: found.length, offset, rows: found.slice(offset, offset + limit) }
      if (find === undefined) return ok(page)
      return ok({ ...page, through: found.findLastIndex(({ ref }) => find.includes(ref)) + 1 })
    },
  })
  return {
    client,
    remove: (ref: string) => {
      rows = rows.filter(candidate => candidate.ref !== ref)
    },
    insert: (count: number) => {
      rows = [...Array.from({ length: count }, (_, index) => row(`new${index}`)), ...rows]
    },
  }
}

const calls = (client: ReturnType<typeof createFakeClient>) => client.made.length

describe('list store', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('shows the first page, and the rest only when it is needed', async () => {
    const { client } = library(1500)
    const store = createListStore(client)
    await store.getState().refresh()
    expect(store.getState()).toMatchObject({ phase: 'ready', total: 1500 })
    expect(store.getState().rows).toHaveLength(200)
    expect(calls(client)).toBe(1)
    await store.getState().loadTo(600)
    expect(store.getState().rows).toHaveLength(700)
    await store.getState().loadAll()
    expect(store.getState().rows).toHaveLength(1500)
    expect(new Set(store.getState().rows.map(candidate => candidate.ref)).size).toBe(1500)
  })

  it('fetches again only what is in view, and all of it where the cursor is at the end', async () => {
    const { client } = library(3000)
    const store = createListStore(client)
    await store.getState().refresh()
    const steps: number[] = []
    store.subscribe(({ rows }) => steps.push(rows.length))
    await store.getState().loadAll()
    expect(steps, 'all rows come in one step').toEqual([3000])
    await store.getState().loadTo(120)
    const before = calls(client)
    await store.getState().refresh()
    expect([calls(client) - before, store.getState().rows.length]).toEqual([1, 200])
    const ending = store.getState().loadAll()
    const refreshing = store.getState().refresh()
    await ending
    store.getState().setSelection(pickOnly('s2999'))
    await refreshing
    expect([store.getState().rows.length, store.getState().selection.cursor]).toEqual([3000, 's2999'])
  })

  it('keeps the rows of a newer query where older ones were still being fetched', async () => {
    const { client } = library(3000)
    const store = createListStore(client)
    await store.getState().refresh()
    const all = store.getState().loadAll()
    store.getState().setFilter('s12')
    await vi.advanceTimersByTimeAsync(200)
    await all
    expect(
      store
        .getState()
        .rows.map(({ ref }) => ref)
        .filter(ref => !ref.startsWith('s12')),
    ).toEqual([])
    expect(store.getState().rows).toHaveLength(store.getState().total)
  })

  it('asks once for a word that is typed', async () => {
    const { client } = library(20)
    const store = createListStore(client)
    await store.getState().refresh()
    const before = calls(client)
    for (const text of ['s', 's1', 's12']) store.getState().setFilter(text)
    await vi.advanceTimersByTimeAsync(200)
    expect(calls(client) - before).toBe(1)
    expect(store.getState().rows.map(candidate => candidate.ref)).toEqual(['s12'])
  })

  it('drops the answer to an older question', async () => {
    const answers: ((rows: SessionRow[]) => void)[] = []
    const client = createFakeClient({
      'library.sessions': () =>
        new Promise(resolve => {
          answers.push(rows => resolve(ok({ revision: 1, total: rows.length, offset: 0, rows })))
        }),
    })
    const store = createListStore(client)
    store.getState().setScope({ kind: 'starred' })
    store.getState().setScope({ kind: 'project', project: 'p' })
    answers[1]?.([row('new')])
    answers[0]?.([row('old')])
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().rows.map(candidate => candidate.ref)).toEqual(['new'])
  })

  it('shows no row twice where sessions come between two pages of one load', async () => {
    const all = Array.from({ length: 500 }, (_, at) => row(`s${at}`))
    let isShifting = false
    const client = createFakeClient({
      'library.sessions': ({ offset, limit }) => {
        if (isShifting && offset > 0) all.unshift(row(`came${offset}`))
        return ok({ revision: 1, total: all.length, offset, rows: all.slice(offset, offset + limit) })
      },
    })
    const store = createListStore(client)
    await store.getState().refresh()
    await store.getState().loadTo(450)
    isShifting = true
    await store.getState().refresh()
    const refs = store.getState().rows.map(({ ref }) => ref)
    expect(refs.length).toBeGreaterThan(400)
    expect(new Set(refs).size).toBe(refs.length)
  })

  it('refetches on change and moves the cursor off a row that is gone', async () => {
    const { client, remove } = library(5)
    const store = createListStore(client)
    await store.getState().refresh()
    store.getState().setSelection(pickOnly('s1'))
    remove('s1')
    client.raise('library.changed', { revision: 2, sessions: null })
    await vi.advanceTimersByTimeAsync(0)
    expect(store.getState().total).toBe(4)
    expect(store.getState().selection.cursor).toBe('s2')
  })

  it('fetches no whole list because sessions that are picked are gone', async () => {
    const { client, remove } = library(10_000)
    const store = createListStore(client)
    await store.getState().refresh()
    for (const picked of [['s1'], ['s3', 's5', 's7']]) {
      const cursor = picked[0] ?? null
      store.getState().setSelection({ picked: new Set(picked), cursor, anchor: cursor })
      for (const ref of picked) remove(ref)
      const before = calls(client)
      await store.getState().refresh()
      expect(calls(client) - before).toBe(2)
    }
    expect(store.getState().selection).toEqual(pickOnly('s4'))
  })

  it('keeps the one session that is picked where another order puts it far down', async () => {
    const { client } = library(1500)
    const store = createListStore(client)
    await store.getState().refresh()
    store.getState().setSelection(pickOnly('s3'))
    store.getState().setSort('activity', true)
    await vi.advanceTimersByTimeAsync(0)
    const { rows, selection } = store.getState()
    expect([[...selection.picked], selection.cursor]).toEqual([['s3'], 's3'])
    expect(rows.findIndex(({ ref }) => ref === 's3')).toBe(1496)
  })

  it('keeps the session that is picked while a filter hides it, and after', async () => {
    const { client, remove } = library(1500)
    const store = createListStore(client)
    await store.getState().refresh()
    await store.getState().loadAll()
    store.getState().setSelection(pickOnly('s1300'))
    for (const filter of ['s1', 's7']) {
      store.getState().setFilter(filter)
      await vi.advanceTimersByTimeAsync(200)
      const before = calls(client)
      await store.getState().refresh()
      expect(calls(client) - before, 'what is hidden is not looked for').toBe(1)
      expect([...store.getState().selection.picked]).toEqual(['s1300'])
    }
    store.getState().setFilter('')
    await vi.advanceTimersByTimeAsync(0)
    expect([...store.getState().selection.picked]).toEqual(['s1300'])
    remove('s1300')
    await store.getState().refresh()
    await store.getState().loadAll()
    await store.getState().refresh()
    expect(store.getState().selection, 'gone, and with no row beside it').toEqual(NO_SELECTION)
  })

  it('follows the picked session that a refresh finds beyond the rows it asked for', async () => {
    const { client, insert, remove } = library(1500)
    const store = createListStore(client)
    await store.getState().refresh()
    store.getState().setSelection(pickOnly('s199'))
    insert(40)
    await store.getState().refresh()
    expect([...store.getState().selection.picked]).toEqual(['s199'])
    expect(store.getState().rows.some(({ ref }) => ref === 's199')).toBe(true)
    remove('s199')
    await store.getState().refresh()
    expect([...store.getState().selection.picked]).toEqual(['s200'])
  })

  it('follows no cursor alone, as the keyboard puts it on the first row, while many sessions come', async () => {
    const { client, insert } = library(30)
    const store = createListStore(client)
    await store.getState().refresh()
    store.getState().setSelection({ ...NO_SELECTION, cursor: 's0', anchor: 's0' })
    insert(1500)
    await store.getState().refresh()
    expect(store.getState().rows).toHaveLength(200)
    expect(store.getState().selection).toEqual(NO_SELECTION)
  })

  it('takes a filter away at once, so that what is asked for then is among all rows', async () => {
    const { client } = library(1500)
    const store = createListStore(client)
    await store.getState().refresh()
    store.getState().setFilter('s12')
    await vi.advanceTimersByTimeAsync(200)
    store.getState().setFilter('')
    await store.getState().refresh()
    await store.getState().loadAll()
    store.getState().setSelection(pickOnly('s1400'))
    await vi.advanceTimersByTimeAsync(1000)
    expect([store.getState().rows.length, store.getState().selection.cursor]).toEqual([1500, 's1400'])
  })

  it('asks for the rest of what it shows while a word is typed', async () => {
    const { client } = library(1500)
    const store = createListStore(client)
    await store.getState().refresh()
    store.getState().setFilter('s3')
    await store.getState().loadAll()
    expect(store.getState().rows.map(({ ref }) => ref)).toEqual(
      Array.from({ length: 1500 }, (_, at) => `s${at}`),
    )
    await vi.advanceTimersByTimeAsync(200)
    expect(store.getState().rows.every(({ ref }) => ref.includes('s3'))).toBe(true)
  })

  it('keeps rows on screen when a refresh fails, and says why', async () => {
    let broken = false
    const client = createFakeClient({
      'library.sessions': () =>
        broken ? err('io', 'no disk') : ok({ revision: 1, total: 1, offset: 0, rows: [row('a')] }),
    })
    const store = createListStore(client)
    await store.getState().refresh()
    broken = true
    await store.getState().refresh()
    expect(store.getState()).toMatchObject({ phase: 'error', error: { code: 'io' } })
    expect(store.getState().rows).toHaveLength(1)
  })
})
