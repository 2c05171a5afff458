import type { PromptRow, TranscriptRow } from '@shared/ipc/models/transcript-models'
import { err, ok } from '@shared/ipc/result'
import { describe, expect, test } from 'vitest'
import { createFakeClient, type FakeHandlers } from './fake-client'
import { createTranscriptStore, newMessages, PAGE_ROWS } from './transcript-store'

function row(index: number): PromptRow {
  return {
    kind: 'prompt',
    key: `k${index}`,
    ordinal: index,
    entryId: null,
    time: null,
    rawTime: null,
    labels: [],
    fork: null,
    text: { text: `row ${index}`, cut: index === 3, chars: 5, lines: 1, part: 'text' },
    images: [],
    injected: null,
    synthetic: false,
  }
}

const settle = async () => {
  for (let n = 0; n < 4; n++) await new Promise(resolve => setTimeout(resolve, 0))
}

function setup(total: number, handlers: FakeHandlers = {}) {
  const file = { total }
  const client = createFakeClient({
    'session.transcript': ({ tip, from, count }) => {
      const start = from ?? Math.max(0, file.total - count)
      const rows: TranscriptRow[] = []
      for (let n = start; n < Math.min(file.total, start + count); n++) rows.push(row(n))
      return ok({
        revision: 1,
        tip: tip ?? 99,
        total: file.total,
        from: start,
        earlier: false,
        origin: 0,
        rows,
      })
    },
    'session.outline': () => ok({ revision: 1, items: [{ row: 0, ordinal: 0, text: 'first', time: null }] }),
    'session.rowOf': ({ ordinal }) => ok({ row: ordinal, tip: 99 }),
    'session.text': () => ok({ text: 'all of it', cut: false }),
    ...handlers,
  })
  const asked = () => client.made.filter(call => call.name === 'session.transcript').length
  return { client, store: createTranscriptStore(client), file, asked }
}

describe('transcript store', () => {
  test('opens at the newest end and fetches only pages that are needed', async () => {
    const { store, asked } = setup(500)
    store.getState().show('a', null)
    expect(store.getState().state).toBe('loading')
    await settle()
    const { state, total, rows, shownTip, outline } = store.getState()
    expect({ state, total, shownTip, prompts: outline.length }).toEqual({
      state: 'ready',
      total: 500,
      shownTip: 99,
      prompts: 1,
    })
    expect([...rows.keys()][0]).toBe(500 - PAGE_ROWS)
    store.getState().need(470, 490)
    store.getState().need(470, 490)
    await settle()
    expect(asked()).toBe(2)
    store.getState().need(470, 490)
    await settle()
    expect(asked()).toBe(2)
    expect(store.getState().rows.get(425)?.key).toBe('k425')
  })

  test('fetches on where fewer rows come at once than were asked for', async () => {
    const { store, asked } = setup(100, {
      'session.transcript': ({ from, count }) => {
        const start = from ?? 97
        const rows = Array.from({ length: Math.min(7, count, 100 - start) }, (_, at) => row(start + at))
        return ok({ revision: 1, tip: 99, total: 100, from: start, earlier: false, origin: 0, rows })
      },
    })
    store.getState().show('a', null)
    await settle()
    expect([...store.getState().rows.keys()]).toEqual([97, 98, 99])
    store.getState().need(0, 99)
    for (let n = 0; n < 9; n++) await settle()
    expect(store.getState().rows.size).toBe(100)
    expect(asked()).toBe(1 + Math.ceil(60 / 7) + Math.ceil(37 / 7))
    store.getState().need(0, 99)
    await settle()
    expect(asked()).toBe(1 + Math.ceil(60 / 7) + Math.ceil(37 / 7))
  })

  test('counts what arrives, and fetches again what may have changed', async () => {
    const { store, client, file, asked } = setup(100)
    store.getState().show('a', null)
    await settle()
    file.total = 104
    client.raise('session.changed', { session: 'a', revision: 2, how: 'grown' })
    await settle()
    expect(store.getState()).toMatchObject({ total: 104, unseen: { rows: 4, messages: 4, more: false } })
    expect(store.getState().rows.get(103)?.key).toBe('k103')
    const before = asked()
    store.getState().need(41, 50)
    await settle()
    expect(asked()).toBe(before + 1)
    store.getState().seenEnd()
    expect(store.getState().unseen).toEqual({ rows: 0, messages: 0, more: false })
  })

  test('says that more came than was counted when more came than a page holds', async () => {
    const { store, client, file } = setup(100)
    store.getState().show('a', null)
    await settle()
    file.total = 500
    client.raise('session.changed', { session: 'a', revision: 2, how: 'grown' })
    await settle()
    expect(store.getState().unseen).toEqual({ rows: 400, messages: PAGE_ROWS, more: true })
  })

  test('loads a rewritten file in place and forgets what was keyed by its entries', async () => {
    const { store, client, file } = setup(10)
    store.getState().show('a', null)
    await settle()
    const { serial } = store.getState()
    await store.getState().loadWhole(3, 'text')
    expect(store.getState().whole.size).toBe(1)
    file.total = 5
    client.raise('session.changed', { session: 'a', revision: 2, how: 'rewritten' })
    expect(store.getState().state).toBe('ready')
    await settle()
    expect(store.getState()).toMatchObject({ total: 5, serial: serial + 1 })
    expect(store.getState().whole.size).toBe(0)
    expect(store.getState().rows.size).toBe(5)
  })

  test('keeps the fork in view when another continuation is shown', async () => {
    const { store, client } = setup(500)
    store.getState().show('a', null)
    await settle()
    store.getState().keepRow(200)
    store.getState().show('a', 42)
    await settle()
    expect(store.getState().jump?.row).toBe(200)
    const last = client.made.filter(call => call.name === 'session.transcript').pop()
    expect(last?.input).toMatchObject({ tip: 42, from: 170 })
  })

  test('remembers where reading was left, per path', async () => {
    const { store } = setup(500)
    store.getState().show('a', null)
    store.getState().leave({ row: 100, offset: 7, atEnd: false })
    store.getState().show('b', null)
    expect(store.getState().place()).toBeNull()
    store.getState().show('a', null)
    await settle()
    expect(store.getState().place()).toEqual({ row: 100, offset: 7, atEnd: false })
    expect(store.getState().rows.has(100)).toBe(true)
  })

  test('jumps to an entry, also when asked before the path is there', async () => {
    const { store } = setup(500)
    store.getState().show('a', null)
    void store.getState().jumpToEntry(7)
    await settle()
    expect(store.getState()).toMatchObject({ current: 7, jump: { row: 7 } })
  })

  /** A path of 500 rows, of which the last 100 are there until the whole is planned; so by rows from elsewhere, or `planned`. */
  function longPath() {
    const whole = { planned: false, fails: false }
    const outlines: (() => void)[] = []
    const made = setup(0, {
      'session.transcript': ({ from, count }) => {
        if (from !== null) whole.planned = true
        if (whole.fails) return err('io', 'no')
        const total = whole.planned ? 500 : 100
        const origin = whole.planned ? 400 : 0
        const start = from ?? total - count
        const rows = Array.from({ length: Math.min(count, total - start) }, (_, at) =>
          row(start + at + 400 - origin),
        )
        return ok({ revision: 1, tip: 99, total, from: start, earlier: !whole.planned, origin, rows })
      },
      'session.outline': async () => {
        await new Promise<void>(resolve => outlines.push(resolve))
        whole.planned = true
        return ok({ revision: 1, items: [{ row: 0, ordinal: 0, text: 'first', time: null }] })
      },
      'session.rowOf': ({ ordinal }) => {
        whole.planned = true
        return ok({ row: ordinal, tip: 99 })
      },
    })
    const planned = (at = 0) => outlines[at]?.()
    return { ...made, whole, planned }
  }
  const allInPlace = (rows: ReadonlyMap<number, TranscriptRow>) => {
    for (const [at, { key }] of rows) expect(key).toBe(row(at).key)
  }

  test('shows the end of a long path first, and keeps it in place when the rows above are there', async () => {
    const { store, planned } = longPath()
    store.getState().show('a', null)
    await settle()
    expect(store.getState()).toMatchObject({ total: 100, earlier: true, outline: [], outlined: false })
    expect(store.getState().rows.get(99)?.key).toBe(row(499).key)
    store.getState().setCurrent(98)
    store.getState().leave({ row: 97, offset: 3, atEnd: false })
    store.getState().jumpTo(95)
    const { serial } = store.getState()
    planned()
    await settle()
    expect(store.getState()).toMatchObject({ total: 500, earlier: false, current: 498, serial: serial + 1 })
    expect(store.getState()).toMatchObject({ outlined: true })
    expect(store.getState().outline).toHaveLength(1)
    expect(store.getState().unseen).toMatchObject({ rows: 0, messages: 0 })
    expect(store.getState().place()).toEqual({ row: 497, offset: 3, atEnd: false })
    expect(store.getState().jump?.row).toBe(495)
    allInPlace(store.getState().rows)
  })

  test('goes to the first row of all where that was wished for while rows above were to come', async () => {
    for (const changedMind of [false, true]) {
      const { store, planned } = longPath()
      store.getState().show('a', null)
      await settle()
      store.getState().setCurrent(0)
      store.getState().toStart()
      if (changedMind) store.getState().setCurrent(7)
      planned()
      await settle()
      const { jump, current } = store.getState()
      expect(current).toBe(changedMind ? 407 : 0)
      expect(jump?.row ?? null).toBe(changedMind ? null : 0)
    }
  })

  test('numbers the prompts as the rows, also where the session grows before the whole is planned', async () => {
    const { store, client, planned, whole } = longPath()
    store.getState().show('a', null)
    await settle()
    client.raise('session.changed', { session: 'a', revision: 2, how: 'grown' })
    await settle()
    expect(store.getState()).toMatchObject({ earlier: true, outline: [] })
    whole.fails = true
    planned(0)
    await settle()
    expect(store.getState(), 'the rows are still those of the end').toMatchObject({
      earlier: true,
      outline: [],
    })
    whole.fails = false
    planned(1)
    await settle()
    expect(store.getState()).toMatchObject({ total: 500, earlier: false, outline: [{ row: 0 }] })
    allInPlace(store.getState().rows)
  })

  test('keeps a fork in view that was numbered from the end of its path', async () => {
    const { store, client } = longPath()
    store.getState().show('a', null)
    await settle()
    store.getState().keepRow(60)
    store.getState().show('a', 42)
    await settle()
    expect(store.getState().jump?.row).toBe(460)
    const last = client.made.filter(call => call.name === 'session.transcript').pop()
    expect(last?.input).toMatchObject({ tip: 42, from: 430 })
  })

  test('a row that was kept for a path that was not shown means nothing to another session', async () => {
    const { store } = setup(500)
    store.getState().show('a', null)
    await settle()
    store.getState().keepRow(200)
    store.getState().show('b', null)
    await settle()
    expect(store.getState()).toMatchObject({ jump: null, current: -1 })
  })

  test('comes back to where reading was left, also when that was numbered from the end', async () => {
    for (const atEnd of [false, true]) {
      const { store, whole } = longPath()
      store.getState().show('a', null)
      await settle()
      store.getState().leave({ row: 60, offset: 7, atEnd })
      store.getState().show('b', null)
      await settle()
      store.getState().show('a', null)
      await settle()
      expect(whole.planned, 'the end needs no other number').toBe(!atEnd)
      const row = atEnd ? 60 : 460
      expect(store.getState().place()).toEqual({ row, offset: 7, atEnd })
      expect(store.getState().rows.has(row)).toBe(true)
      if (!atEnd) allInPlace(store.getState().rows)
    }
  })

  test('jumps to no row of the end by a number that it has on the whole path', async () => {
    const { store, whole } = longPath()
    store.getState().show('a', null)
    await settle()
    whole.fails = true
    await store.getState().jumpToEntry(70)
    expect(store.getState()).toMatchObject({ earlier: true, jump: null, current: -1 })
    whole.fails = false
    await store.getState().jumpToEntry(70)
    expect(store.getState()).toMatchObject({ earlier: false, jump: { row: 70 }, current: 70 })
  })

  test('drops answers for a path that is no longer shown, and reports failures', async () => {
    const { store } = setup(10, {
      'session.transcript': async ({ session }) => {
        if (session === 'slow') await new Promise(resolve => setTimeout(resolve, 5))
        return session === 'broken'
          ? err('io', 'no')
          : ok({
              revision: 1,
              tip: 1,
              total: 1,
              from: 0,
              earlier: false,
              origin: 0,
              rows: [{ ...row(0), key: session }],
            })
      },
    })
    store.getState().show('slow', null)
    store.getState().show('fast', null)
    await new Promise(resolve => setTimeout(resolve, 10))
    expect(store.getState().rows.get(0)?.key).toBe('fast')
    store.getState().show('broken', null)
    await settle()
    expect(store.getState()).toMatchObject({ state: 'error', error: { code: 'io' } })
  })

  test('what "all" means wins over what was folded by hand before', () => {
    const { store } = setup(1)
    store.getState().setFold('k', true)
    store.getState().setAll('tool', true)
    expect(store.getState().folds.size).toBe(0)
    expect(store.getState().unfoldAll).toEqual({ thinking: false, tool: true })
  })
})

test('messages are counted, not rows', () => {
  const rows = [row(8), row(9)]
  expect(newMessages({ revision: 1, tip: 1, total: 10, from: 8, earlier: false, origin: 0, rows }, 9)).toBe(1)
})
