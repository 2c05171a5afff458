import type { DeletePlan } from '@shared/ipc/models/change-models'
import { err, ok } from '@shared/ipc/result'
import { describe, expect, it } from 'vitest'
import { draftStoreOf } from '../../stores/draft-store'
import { createFakeClient, type FakeHandlers } from '../../stores/fake-client'
import { createStores } from '../../stores/stores-context'
import { askDelete, undoChange, undoLast } from './change-flows'

const plan: DeletePlan = {
  planId: 'plan',
  sessions: 2,
  asked: 2,
  files: 9,
  bytes: 4_100_000,
  artifactFiles: 7,
  subagents: 0,
  drafts: 0,
  titles: ['One', 'Two'],
  linkedBy: [],
  staying: [],
  maybe: [],
}
const report = { changeId: 'c1', done: 2, asked: 2, files: 9, bytes: 4_100_000, staying: [], notes: [] }

function window(handlers: FakeHandlers) {
  const client = createFakeClient({
    'delete.plan': () => ok(plan),
    'delete.apply': () => ok(report),
    ...handlers,
  })
  return { client, stores: createStores(client) }
}
const names = (client: ReturnType<typeof createFakeClient>) => client.made.map(({ name }) => name)

describe('deleting', () => {
  it('is done at once when nothing speaks against it, and can be undone', async () => {
    const { client, stores } = window({ 'changes.undo': () => ok({ ...report, changeId: 'c2', maybe: [] }) })
    await askDelete(stores, ['a', 'b'])
    expect(stores.dialogs.getState().open).toBeNull()
    expect(stores.toasts.getState().toasts[0]).toMatchObject({
      undo: 'c1',
      body: { kind: 'report', change: { kind: 'delete' } },
    })
    expect(await undoLast(stores)).toBe(true)
    expect(client.made).toContainEqual({ name: 'changes.undo', input: { id: 'c1', includeMaybe: false } })
    expect(await undoLast(stores)).toBe(false)
  })

  it('asked for again while it is under way means the same sessions; Undo waits for it', async () => {
    const { client, stores } = window({ 'changes.undo': () => ok({ ...report, changeId: 'c2', maybe: [] }) })
    const first = askDelete(stores, ['a'])
    const second = askDelete(stores, ['a'])
    const undone = undoLast(stores)
    await Promise.all([first, second])
    expect(await undone, 'what was being deleted is what Undo means').toBe(true)
    expect(names(client).filter(name => name === 'delete.plan')).toHaveLength(1)
    expect(names(client).filter(name => name === 'changes.undo')).toHaveLength(1)
    expect(names(client).indexOf('changes.undo')).toBeGreaterThan(names(client).indexOf('delete.apply'))
  })

  it('stays to be undone until it was: where a session may be in use, the user is asked', async () => {
    const maybe = [{ ref: null, title: 'One', text: 'An omp runs there.' }]
    const { client, stores } = window({
      'changes.undo': ({ includeMaybe }) =>
        ok({ ...report, changeId: null, done: includeMaybe ? 1 : 0, maybe: includeMaybe ? [] : maybe }),
    })
    await askDelete(stores, ['a'])
    await undoChange(stores, 'c1')
    const { open } = stores.dialogs.getState()
    if (open?.kind !== 'maybe-in-use') throw new Error('nothing was asked')
    expect(open).toMatchObject({ maybe, act: 'Undo' })
    expect(stores.undo.getState().changes).toMatchObject([{ id: 'c1' }])
    await open.apply()
    expect(client.made).toContainEqual({ name: 'changes.undo', input: { id: 'c1', includeMaybe: true } })
    expect(stores.undo.getState().changes).toEqual([])
  })

  it.each([
    ['something is in use', { staying: [{ ref: 'a', title: 'One', reason: 'in-use', text: 'omp has it.' }] }],
    ['something may be in use', { maybe: [{ ref: 'a', title: 'One', text: 'omp runs there.' }] }],
    ['they are very many', { sessions: 21, asked: 21 }],
  ] satisfies [string, Partial<DeletePlan>][])('asks first when %s', async (_, change) => {
    const { client, stores } = window({ 'delete.plan': () => ok({ ...plan, ...change }) })
    await askDelete(stores, ['a', 'b'])
    expect(stores.dialogs.getState().open).toMatchObject({ kind: 'delete' })
    expect(names(client)).not.toContain('delete.apply')
  })

  it('tells of an error and changes nothing', async () => {
    const { client, stores } = window({ 'delete.plan': () => err('permission', 'not yours') })
    await askDelete(stores, ['a'])
    expect(stores.toasts.getState().toasts[0]?.body).toMatchObject({
      kind: 'error',
      error: { code: 'permission' },
    })
    expect(names(client)).not.toContain('delete.apply')
  })

  it('saves what is typed in their drafts first, and does nothing when it cannot', async () => {
    let broken = true
    const { client, stores } = window({
      'session.draft': () => ok(null),
      'draft.save': () =>
        broken
          ? err('no-space', 'full')
          : ok({ version: 'v', modified: 1, bytes: 5, alreadySent: false, change: 'c' }),
    })
    const drafts = draftStoreOf(client).getState()
    await drafts.show('a')
    drafts.edit('a', () => 'typed')
    await askDelete(stores, ['a'])
    expect(names(client)).not.toContain('delete.plan')
    expect(stores.toasts.getState().toasts[0]?.body).toMatchObject({ error: { code: 'no-space' } })
    // Another session's draft is not in the way.
    await askDelete(stores, ['b'])
    expect(names(client)).toContain('delete.apply')
    broken = false
    client.made.length = 0
    await askDelete(stores, ['a'])
    expect(names(client).slice(0, 3)).toEqual(['draft.save', 'delete.plan', 'delete.apply'])
  })

  it('closes the open session when it went too', async () => {
    let gone = false
    const { stores } = window({
      'session.open': () => err(gone ? 'not-found' : 'io', 'x'),
      'delete.apply': () => {
        gone = true
        return ok(report)
      },
    })
    await stores.session.getState().open('a')
    await askDelete(stores, ['a'])
    expect(stores.session.getState().ref).toBeNull()
  })
})
