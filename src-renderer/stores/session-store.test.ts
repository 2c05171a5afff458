import type { SessionView, TipView } from '@shared/ipc/models/session-models'
import { err, ok } from '@shared/ipc/result'
import { describe, expect, test } from 'vitest'
import { createFakeClient, type FakeHandlers } from './fake-client'
import { createSessionStore } from './session-store'

function tip(ordinal: number, isLeaf: boolean): TipView {
  return {
    ordinal,
    id: null,
    text: `tip ${ordinal}`,
    time: null,
    own: 1,
    onPath: 1,
    cost: null,
    isLeaf,
    hasMessages: true,
  }
}

function view(ref: string, leaf: number, tips: number[] = [leaf]): SessionView {
  return {
    revision: 1,
    row: {
      ref,
      id: ref,
      title: `Title of ${ref}`,
      titleFrom: 'user',
      firstPrompt: '',
      project: 'p',
      projectName: 'p',
      shortCwd: '~/p',
      created: null,
      lastActivity: null,
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
    },
    parent: null,
    cwd: null,
    projectState: 'unknown',
    outside: null,
    entries: leaf + 1,
    openTip: leaf,
    leaf,
    tips: tips.map(ordinal => tip(ordinal, ordinal === leaf)),
    tipCount: tips.length,
    prompts: 1,
    complete: true,
    artifacts: 0,
    hasDraft: false,
    damagedLines: 0,
    problems: [],
  }
}

const settle = () => new Promise(resolve => setTimeout(resolve, 0))

function setup(handlers: FakeHandlers = {}) {
  const leaf = { now: 4, tips: [4, 2] }
  const client = createFakeClient({
    'session.open': ({ session }) => ok(view(session, leaf.now, leaf.tips)),
    'session.close': () => ok({}),
    ...handlers,
  })
  return { client, store: createSessionStore(client), leaf }
}

describe('session store', () => {
  test('opens, and drops an answer that comes after another session was opened', async () => {
    let release: () => void = () => undefined
    const slow = new Promise<void>(resolve => {
      release = resolve
    })
    const { store } = setup({
      'session.open': async ({ session }) => {
        if (session === 'a') await slow
        return ok(view(session, 1))
      },
    })
    const first = store.getState().open('a')
    await store.getState().open('b')
    release()
    await first
    const { view: shown, ref } = store.getState()
    expect(ref).toBe('b')
    expect(shown.state === 'ready' && shown.value.row.ref).toBe('b')
  })

  test('follows a session that was moved to the name that it has there', async () => {
    let name = 'old'
    const { store, client } = setup({ 'session.open': () => ok(view(name, 1)) })
    await store.getState().open('old')
    name = 'new'
    await store.getState().refresh()
    expect(store.getState()).toMatchObject({ ref: 'new', gone: false })
    expect(client.made).toContainEqual({ name: 'session.close', input: { session: 'old' } })
    await store.getState().open('old')
    expect(store.getState().ref, 'also by its old name').toBe('new')
    expect(client.made).not.toContainEqual({ name: 'session.close', input: { session: 'new' } })
  })

  test.each([
    ['in order', ['a', 'b', 'a']],
    ['in another order', ['b', 'a', 'a']],
    ['on to a third', ['a', 'b', 'c']],
  ])('never lets go of the session that is shown, nor keeps another: %s', async (_, order) => {
    const waiting: { session: string; answer(): void }[] = []
    const open = new Set<string>()
    const { store } = setup({
      'session.open': ({ session }) =>
        new Promise(resolve => {
          waiting.push({
            session,
            answer() {
              open.add(session)
              resolve(ok(view(session, 1)))
            },
          })
        }),
      'session.close': ({ session }) => {
        open.delete(session)
        return ok({})
      },
    })
    const last = order.includes('c') ? 'c' : 'a'
    for (const session of ['a', 'b', last]) void store.getState().open(session)
    await settle()
    for (const session of order) {
      const at = waiting.findIndex(one => one.session === session)
      waiting.splice(at, 1)[0]?.answer()
      await settle()
    }
    expect(store.getState().ref).toBe(last)
    expect([...open]).toEqual([last])
  })

  test('leads into a subagent and back to the same tab and tip', async () => {
    const { store, client } = setup()
    await store.getState().open('a')
    store.getState().setTab('artifacts')
    store.getState().showTip(2)
    await store.getState().openFrom('sub')
    expect(store.getState()).toMatchObject({ ref: 'sub', tab: 'transcript', tip: null })
    expect(store.getState().back.map(place => place.title)).toEqual(['Title of a'])
    await store.getState().openFrom('a')
    expect(store.getState()).toMatchObject({ ref: 'a', tab: 'artifacts', tip: 2, back: [] })
    const closed = client.made.filter(call => call.name === 'session.close').map(call => call.input)
    expect(closed).toEqual([{ session: 'a' }, { session: 'sub' }])
  })

  test('follows omp when the chosen tip was its tip and was continued', async () => {
    const { store, client, leaf } = setup()
    await store.getState().open('a')
    store.getState().showTip(4)
    leaf.now = 6
    leaf.tips = [6, 2]
    client.raise('session.changed', { session: 'a', revision: 2, how: 'grown' })
    await settle()
    expect(store.getState().tip).toBe(6)
  })

  test('stays on another branch when omp goes on elsewhere', async () => {
    const { store, client, leaf } = setup()
    await store.getState().open('a')
    store.getState().showTip(2)
    leaf.now = 6
    leaf.tips = [6, 2]
    client.raise('session.changed', { session: 'a', revision: 2, how: 'grown' })
    await settle()
    expect(store.getState().tip).toBe(2)
    client.raise('session.changed', { session: 'a', revision: 3, how: 'rewritten' })
    expect(store.getState().tip).toBeNull()
    client.raise('session.changed', { session: 'other', revision: 3, how: 'gone' })
    expect(store.getState().gone).toBe(false)
    client.raise('session.changed', { session: 'a', revision: 3, how: 'gone' })
    expect(store.getState().gone).toBe(true)
  })

  test('reads an entry on a path through it', async () => {
    const { store } = setup({
      'session.rowOf': () => ok({ row: null, tip: 4 }),
      'session.tree': () =>
        ok({
          revision: 1,
          count: 5,
          parents: Int32Array.from([-1, 0, 1, 0, 3]),
          kinds: new Uint8Array(5),
          times: new Float64Array(5),
          tokens: new Int32Array(5),
          labels: [],
          leaf: 4,
        }),
    })
    await store.getState().open('a')
    store.getState().setTab('artifacts')
    await store.getState().readAt(1)
    expect(store.getState()).toMatchObject({ tab: 'transcript', tip: 2, target: { ordinal: 1 } })
  })

  test('reads an entry on the path that main names, and stays on the open one where that is it', async () => {
    const { store } = setup({ 'session.rowOf': ({ ordinal }) => ok({ row: 3, tip: ordinal === 2 ? 4 : 9 }) })
    await store.getState().open('a')
    await store.getState().readAt(2)
    expect(store.getState().tip).toBeNull()
    await store.getState().readAt(7)
    expect(store.getState()).toMatchObject({ tip: 9, target: { ordinal: 7 } })
  })

  test('shows why a session cannot be opened, and tries again', async () => {
    let broken = true
    const { store } = setup({
      'session.open': ({ session }) => (broken ? err('io', 'no') : ok(view(session, 1))),
    })
    await store.getState().open('a')
    expect(store.getState().view.state).toBe('error')
    broken = false
    await store.getState().reload()
    expect(store.getState().view.state).toBe('ready')
  })
})
