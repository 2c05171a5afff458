import type { EditReport } from '@shared/ipc/models/manage-models'
import { err, ok } from '@shared/ipc/result'
import { describe, expect, it } from 'vitest'
import { createFakeClient, type FakeHandlers } from '../../stores/fake-client'
import { createStores } from '../../stores/stores-context'
import { undoLast } from './change-flows'
import { askFork, continueBranch, renameSession, setLabel, starSessions } from './manage-flows'

const done: EditReport = {
  changeId: 'c1',
  done: 1,
  asked: 1,
  files: 1,
  bytes: 256,
  staying: [],
  notes: [],
  maybe: [],
}
const asks: EditReport = {
  ...done,
  changeId: null,
  done: 0,
  maybe: [{ ref: 's', title: 'One', text: 'omp (process 7) runs there.' }],
}

function window(handlers: FakeHandlers) {
  const client = createFakeClient(handlers)
  const stores = createStores(client)
  const calls = (name: string) => client.made.filter(call => call.name === name).map(call => call.input)
  return { stores, calls, toast: () => stores.toasts.getState().toasts.at(-1) }
}

describe('renaming', () => {
  it('tells the new title and can be undone once', async () => {
    const { stores, calls, toast } = window({
      'session.rename': () => ok(done),
      'changes.undo': () => ok({ ...done, changeId: 'c2', maybe: [] }),
    })
    await renameSession(stores, 's', 'Old', '  New  ')
    expect(calls('session.rename')).toEqual([{ session: 's', title: 'New', includeMaybe: false }])
    expect(toast()).toMatchObject({ undo: 'c1', body: { change: { kind: 'rename', title: 'New' } } })
    stores.toasts.getState().dismiss(toast()?.id ?? 0)
    expect(await undoLast(stores), 'also when the toast is gone').toBe(true)
    expect(await undoLast(stores)).toBe(false)
    await new Promise(resolve => setTimeout(resolve, 0))
    expect(toast()?.body).toMatchObject({ change: { kind: 'undo', of: 'rename' } })
  })

  it.each([
    ['the same', 'Old'],
    ['no', '   '],
  ])('with %s title changes nothing', async (_, text) => {
    const { stores, calls } = window({})
    await renameSession(stores, 's', 'Old', text)
    expect(calls('session.rename')).toEqual([])
  })

  it('asks first when the session may be in use, and then does it', async () => {
    const { stores, calls, toast } = window({
      'session.rename': ({ includeMaybe }) => ok(includeMaybe ? done : asks),
    })
    await renameSession(stores, 's', 'Old', 'New')
    expect(toast()).toBeUndefined()
    const dialog = stores.dialogs.getState().open
    expect(dialog).toMatchObject({ kind: 'maybe-in-use', maybe: asks.maybe })
    if (dialog?.kind === 'maybe-in-use') await dialog.apply()
    expect(calls('session.rename')).toContainEqual({ session: 's', title: 'New', includeMaybe: true })
    expect(toast()).toMatchObject({ undo: 'c1' })
  })

  it('tells of a refusal, and of an error', async () => {
    const staying = [{ ref: 's', title: 'One', reason: 'in-use' as const, text: 'omp (process 7) has it.' }]
    const { stores, toast } = window({
      'session.rename': () => ok({ ...done, changeId: null, done: 0, staying }),
      'session.previews': () => ok([{ ordinal: 3, id: 'e3', who: 'You', text: '', gap: false }]),
      'session.label': () => err('permission', 'not yours'),
    })
    await renameSession(stores, 's', 'Old', 'New')
    expect(toast()).toMatchObject({ undo: null, body: { kind: 'report', report: { staying } } })
    await setLabel(stores, 's', 3, 'here')
    expect(toast()?.body).toMatchObject({ kind: 'error', error: { code: 'permission' } })
    expect(await undoLast(stores)).toBe(false)
  })
})

it('means an entry by its id, as it was when a dialog opened', async () => {
  let first = 'e1'
  const { stores, calls } = window({
    'session.previews': () => ok([{ ordinal: 0, id: first, who: 'You', text: '', gap: false }]),
    'session.tree': () => err('io', 'is not asked for the id'),
    'session.continueBranch': () => ok(done),
  })
  await askFork(stores, 's', 0)
  first = 'e2'
  expect(stores.dialogs.getState().open).toEqual({ kind: 'fork', session: 's', entry: 'e1' })
  await continueBranch(stores, 's', 0)
  expect(calls('session.continueBranch')).toEqual([{ session: 's', entry: 'e2', includeMaybe: false }])
})

it('stars many at once', async () => {
  const { stores, calls, toast } = window({ 'session.star': () => ok({ ...done, done: 2, asked: 2 }) })
  await starSessions(stores, ['a', 'b'], true)
  expect(calls('session.star')).toEqual([{ sessions: ['a', 'b'], starred: true }])
  expect(toast()?.body).toMatchObject({ change: { kind: 'star', starred: true } })
})
