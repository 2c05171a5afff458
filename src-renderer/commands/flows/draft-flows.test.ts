import { err, ok } from '@shared/ipc/result'
import { describe, expect, it, vi } from 'vitest'
import { draftStoreOf } from '../../stores/draft-store'
import { createFakeClient, type FakeHandlers } from '../../stores/fake-client'
import { createStores } from '../../stores/stores-context'
import { discardDraft, discardDrafts, followDrafts, mayClose } from './draft-flows'

const saved = (text: string, change: string | null) =>
  ok({ version: `v-${text}`, modified: 1, bytes: text.length, alreadySent: false, change })

/** A window in which the drafts of the sessions in `broken` cannot be saved. */
async function window(sessions: string[], broken: Set<string>, handlers: FakeHandlers = {}) {
  const disk = new Map<string, string>()
  const client = createFakeClient({
    'session.draft': () => ok(null),
    'draft.save': ({ session, text }) => {
      if (broken.has(session)) return err('no-space', 'full')
      disk.set(session, text)
      return saved(text, 'round')
    },
    ...handlers,
  })
  const stores = createStores(client)
  const drafts = draftStoreOf(client)
  for (const session of sessions) await drafts.getState().show(session)
  followDrafts(stores)
  const close = vi.fn()
  return {
    client,
    stores,
    disk,
    drafts,
    close,
    type: (session: string, text: string) => drafts.getState().edit(session, () => text),
    /** Asks to close, and waits for what follows. */
    async ask() {
      const may = mayClose(stores, close)
      await settle()
      return may
    },
    toasts: () => stores.toasts.getState().toasts.length,
  }
}
const settle = () => new Promise(resolve => setTimeout(resolve, 0))

describe('closing the window', () => {
  it('waits until what is typed is saved', async () => {
    const { type, ask, close, disk } = await window(['a'], new Set())
    type('a', 'typed')
    expect(await ask()).toBe(false)
    expect(disk.get('a')).toBe('typed')
    expect(close).toHaveBeenCalledTimes(1)
    expect(await ask()).toBe(true)
  })

  it('tells once of what cannot be saved, and then closes', async () => {
    const { type, ask, close, toasts } = await window(['a'], new Set(['a']))
    type('a', 'lost')
    expect(await ask()).toBe(false)
    expect(close).not.toHaveBeenCalled()
    expect(toasts()).toBe(1)
    expect(await ask()).toBe(false)
    expect(close).toHaveBeenCalledTimes(1)
    // Now the window asks because of `close`.
    expect(await ask()).toBe(true)
  })

  it('saves another draft that was typed after the user was told of the first', async () => {
    const { type, ask, close, disk } = await window(['a', 'b'], new Set(['a']))
    type('a', 'lost')
    await ask()
    type('b', 'last words')
    expect(await ask()).toBe(false)
    expect(disk.get('b')).toBe('last words')
    expect(close).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['another draft fails', 'b', 'more'],
    ['the same draft was typed in', 'a', 'lost, and longer'],
  ])('tells again when %s', async (_, session, text) => {
    const { type, ask, close, toasts } = await window(['a', 'b'], new Set(['a', 'b']))
    type('a', 'lost')
    await ask()
    type(session, text)
    expect(await ask()).toBe(false)
    expect(close).not.toHaveBeenCalled()
    expect(toasts()).toBe(2)
    expect(await ask()).toBe(false)
    expect(close).toHaveBeenCalledTimes(1)
    type(session, `${text}!`)
    expect(await ask()).toBe(false)
  })
})

describe('discarding from the list', () => {
  const report = { changeId: 'c', done: 1, asked: 1, files: 1, bytes: 1, staying: [], notes: [] }
  const theirs = { text: 'omp', bytes: 3, modified: 1, alreadySent: false, version: 'v2' }
  const discards = (client: { made: { name: string; input: unknown }[] }) =>
    client.made.filter(({ name }) => name === 'draft.discard').map(({ input }) => input)

  it('takes the draft that is on the disk now, not the one that was seen', async () => {
    let disk: typeof theirs | null = null
    const { client, stores } = await window(['a'], new Set(), {
      'session.draft': () => ok(disk),
      'draft.discard': () => ok(report),
    })
    disk = theirs
    await discardDraft(stores, 'a')
    expect(discards(client)).toEqual([{ session: 'a', version: 'v2' }])
  })

  it('says so when there is none, and why one of several stays', async () => {
    const none = await window(['a'], new Set())
    await discardDraft(none.stores, 'a')
    expect(none.toasts()).toBe(1)
    const { client, stores, type, drafts } = await window(['a', 'b'], new Set(), {
      'session.draft': () => ok(theirs),
      'draft.save': () => err('no-space', 'full'),
      'draft.discard': () => ok(report),
    })
    type('a', 'mine')
    await drafts.getState().flush('a')
    await discardDrafts(stores, ['a', 'b'])
    expect(discards(client)).toEqual([{ session: 'b', version: 'v2' }])
    const told = stores.toasts.getState().toasts.map(({ body }) => body.kind)
    expect(told).toContain('error')
  })
})
