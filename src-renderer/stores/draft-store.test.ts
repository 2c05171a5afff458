import type { CallInput } from '@shared/ipc/contract'
import type { DraftView } from '@shared/ipc/models/session-models'
import { err, ok } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readyValue } from './async'
import { createDraftStore, type DraftStore, TYPING_PAUSE } from './draft-store'
import { createFakeClient, type FakeHandlers } from './fake-client'

/** A disk with one draft, which saves are checked against as main does. */
function disk(text: string | null) {
  let version = 1
  const saves: CallInput<'draft.save'>[] = []
  const state = { text, saves }
  const view = (): DraftView | null =>
    state.text === null
      ? null
      : {
          text: state.text,
          bytes: state.text.length,
          modified: 1,
          alreadySent: false,
          version: `v${version}`,
        }
  const save = (input: CallInput<'draft.save'>) => {
    state.saves.push(input)
    if (input.version !== (view()?.version ?? null)) return err('changed-on-disk', 'another')
    version++
    state.text = input.text === '' ? null : input.text
    return ok({
      version: view()?.version ?? null,
      modified: 2,
      bytes: input.text.length,
      alreadySent: false,
      change: input.change ?? 'round',
    })
  }
  return {
    state,
    view,
    save,
    write(other: string | null) {
      version++
      state.text = other
    },
  }
}

function setup(text: string | null, handlers: FakeHandlers = {}) {
  const files = disk(text)
  const client = createFakeClient({
    'session.draft': () => ok(files.view()),
    'draft.save': input => files.save(input),
    ...handlers,
  })
  return { files, client, store: createDraftStore(client) }
}

const draft = (store: DraftStore, session = 's') => {
  const found = store.getState().drafts.get(session)
  const value = found ? readyValue(found) : null
  if (value === null) throw new Error('not ready')
  return value
}
const asideOf = (store: DraftStore) => draft(store).aside.map(({ text }) => text)
const type = (store: DraftStore, text: string, session = 's') => store.getState().edit(session, () => text)
const pause = () => vi.advanceTimersByTimeAsync(TYPING_PAUSE + 1)
const report = { changeId: 'c', done: 1, asked: 1, files: 1, bytes: 1, staying: [], notes: [] }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('typing', () => {
  it('is saved after a pause, over what was read, as one round', async () => {
    const { store, files } = setup('old')
    await store.getState().show('s')
    for (const text of ['n', 'ne', 'new']) type(store, text)
    expect(draft(store).save.state).toBe('typed')
    expect(files.state.saves).toEqual([])
    await pause()
    expect(files.state.saves).toEqual([{ session: 's', text: 'new', version: 'v1', change: null }])
    expect(draft(store)).toMatchObject({ text: 'new', save: { state: 'saved' }, serial: 0 })
    type(store, 'newer')
    await pause()
    expect(files.state.saves.at(-1)).toMatchObject({ text: 'newer', version: 'v2', change: 'round' })
    await store.getState().leave('s')
    type(store, 'later')
    await pause()
    expect(files.state.saves.at(-1)).toMatchObject({ change: null })
  })

  it('goes on while a save is on its way, which is then followed by another', async () => {
    const release: (() => void)[] = []
    const { store, files } = setup('old', {
      'draft.save': input => new Promise(resolve => release.push(() => resolve(files.save(input)))),
    })
    await store.getState().show('s')
    type(store, 'one')
    await pause()
    type(store, 'two')
    await pause()
    expect(release).toHaveLength(1)
    release[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(draft(store).save.state).toBe('saving')
    release[1]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(files.state.saves.map(({ text, version }) => [text, version])).toEqual([
      ['one', 'v1'],
      ['two', 'v2'],
    ])
    expect(draft(store)).toMatchObject({ text: 'two', save: { state: 'saved' } })
  })

  it('is kept and saved when one leaves, at once and whatever is shown next', async () => {
    const { store, files } = setup(null)
    await store.getState().show('s')
    type(store, 'typed')
    await store.getState().leave('s')
    expect(files.state.text).toBe('typed')
    await store.getState().show('other')
    await store.getState().show('s')
    expect(draft(store).text).toBe('typed')
  })

  it('is not overwritten by an answer that was asked for before it', async () => {
    const answers: (() => void)[] = []
    let slow = false
    const { store, files } = setup('old', {
      'session.draft': () => {
        const seen = files.view()
        if (!slow) return ok(seen)
        return new Promise(resolve => answers.push(() => resolve(ok(seen))))
      },
    })
    await store.getState().show('s')
    slow = true
    const again = store.getState().show('s')
    type(store, 'new')
    await pause()
    expect(draft(store).save.state).toBe('saved')
    answers[0]?.()
    await again
    expect(draft(store).text).toBe('new')
    expect(draft(store).disk?.text).toBe('new')
  })

  it('of nothing discards, and of the same text saves nothing', async () => {
    const { store, files } = setup('old')
    await store.getState().show('s')
    type(store, 'old')
    await pause()
    expect(files.state.saves).toEqual([])
    type(store, '')
    await pause()
    expect(files.state.text).toBeNull()
    expect(draft(store).disk).toBeNull()
  })
})

describe('a save that fails', () => {
  it('says why, keeps the text, and succeeds when it is tried again', async () => {
    let broken = true
    const { store, files } = setup('old', {
      'draft.save': input => (broken ? err('no-space', 'full') : files.save(input)),
    })
    await store.getState().show('s')
    type(store, 'new')
    await store.getState().leave('s')
    expect(draft(store)).toMatchObject({
      text: 'new',
      save: { state: 'failed', error: { code: 'no-space' } },
    })
    await store.getState().flushAll()
    expect([...store.getState().unsaved()]).toEqual([['s', 'new']])
    // Neither another look nor a change elsewhere takes the text away.
    await store.getState().show('s')
    expect(draft(store).text).toBe('new')
    broken = false
    await store.getState().flushAll()
    expect(store.getState().unsaved().size).toBe(0)
    expect(files.state.text).toBe('new')
  })

  it('because an omp may have the session is made with the user’s word only', async () => {
    const { store, files } = setup('old', {
      'draft.save': input => (input.includeMaybe ? files.save(input) : err('in-use', 'omp runs there')),
    })
    await store.getState().show('s')
    type(store, 'new')
    await pause()
    expect(draft(store).save.state).toBe('failed')
    await store.getState().saveAnyway('s')
    expect(draft(store).save.state).toBe('saved')
  })
})

describe('who has the session', () => {
  const maybe = (text: string) => ({ session: 's', use: { state: 'maybe' as const, text } })
  const careful = () => {
    const made = setup('old', {
      'draft.save': input => (input.includeMaybe ? made.files.save(input) : err('in-use', 'omp runs there')),
    })
    return made
  }

  it.each([
    ['the editor goes away', async (store: DraftStore) => await store.getState().leave('s')],
    [
      'another omp runs there',
      (_: DraftStore, raise: (payload: ReturnType<typeof maybe>) => void) =>
        Promise.resolve(raise(maybe('another'))),
    ],
  ])('is asked again when %s', async (_, happens) => {
    const { store, client } = careful()
    await store.getState().show('s')
    type(store, 'new')
    await pause()
    await store.getState().saveAnyway('s')
    type(store, 'newer')
    await pause()
    expect(draft(store).save.state).toBe('saved')
    await happens(store, payload => client.raise('session.use', payload))
    type(store, 'newest')
    await pause()
    expect(draft(store).save).toMatchObject({ state: 'failed', error: { code: 'in-use' } })
  })

  it('does not matter any more when the session is free: the draft is saved by itself', async () => {
    let used = true
    const { store, files, client } = setup('old', {
      'draft.save': input => (used ? err('in-use', 'omp has it') : files.save(input)),
    })
    await store.getState().show('s')
    type(store, 'new')
    await pause()
    expect(draft(store).save.state).toBe('failed')
    used = false
    client.raise('session.use', { session: 's', use: { state: 'free', text: null } })
    await vi.advanceTimersByTimeAsync(0)
    expect(files.state.text).toBe('new')
  })
})

describe('a draft that omp writes', () => {
  it('is shown when nothing was typed', async () => {
    const { store, files, client } = setup('old')
    await store.getState().show('s')
    files.write('theirs')
    client.raise('draft.changed', { session: 's', version: 'v2' })
    await vi.advanceTimersByTimeAsync(0)
    expect(draft(store)).toMatchObject({ text: 'theirs', serial: 1, save: { state: 'saved' } })
    const calls = client.made.length
    client.raise('draft.changed', { session: 's', version: 'v2' })
    expect(client.made).toHaveLength(calls)
  })

  it('is never overwritten: both texts are there until one is chosen', async () => {
    const { store, files } = setup('old')
    await store.getState().show('s')
    files.write('theirs')
    type(store, 'mine')
    await pause()
    expect(files.state.text).toBe('theirs')
    expect(draft(store).save).toMatchObject({ state: 'conflict', theirs: { text: 'theirs' } })
    type(store, 'mine, longer')
    await pause()
    await store.getState().leave('s')
    expect(files.state.text).toBe('theirs')
    await store.getState().keepMine('s')
    expect(files.state.text).toBe('mine, longer')
    expect(draft(store).save.state).toBe('saved')
  })

  it('is met again when it changes once more before mine is kept', async () => {
    const { store, files } = setup('old')
    await store.getState().show('s')
    files.write('theirs')
    type(store, 'mine')
    await pause()
    files.write(null)
    await store.getState().keepMine('s')
    expect(draft(store).save).toEqual({ state: 'conflict', theirs: null })
    await store.getState().keepMine('s')
    expect(files.state.text).toBe('mine')
  })

  it('can be chosen, and what was typed is set aside until it is put back', async () => {
    const { store, files } = setup('old')
    await store.getState().show('s')
    files.write('theirs')
    type(store, 'mine')
    await pause()
    store.getState().useTheirs('s')
    expect(draft(store)).toMatchObject({ text: 'theirs', serial: 1, save: { state: 'saved' } })
    expect(asideOf(store)).toEqual(['mine'])
    await store.getState().putBack('s', draft(store).aside[0]?.id ?? 0)
    expect(files.state.text).toBe('mine')
    expect(draft(store)).toMatchObject({ text: 'mine', serial: 2 })
    expect(asideOf(store)).toEqual(['theirs'])
    store.getState().forgetAside('s', draft(store).aside[0]?.id ?? 0)
    expect(asideOf(store)).toEqual([])
  })

  it('a second time takes nothing away from what was set aside, nor does putting one back', async () => {
    const { store, files } = setup('old')
    await store.getState().show('s')
    for (const round of ['1', '2']) {
      files.write(`theirs ${round}`)
      type(store, `mine ${round}`)
      await pause()
      store.getState().useTheirs('s')
    }
    expect(asideOf(store)).toEqual(['mine 1', 'mine 2'])
    files.write('theirs 3')
    type(store, 'mine 3')
    await pause()
    await store.getState().putBack('s', draft(store).aside[0]?.id ?? 0)
    expect(asideOf(store)).toEqual(['mine 2', 'mine 3'])
    // The conflict is still to be answered.
    expect(draft(store)).toMatchObject({ text: 'mine 1', save: { state: 'conflict' } })
    expect(files.state.text).toBe('theirs 3')
  })

  it('is no conflict when it was only touched, or is what was typed', async () => {
    const { store, files } = setup('old')
    await store.getState().show('s')
    files.write('old')
    type(store, 'new')
    await pause()
    expect(files.state.text).toBe('new')
    files.write('same')
    type(store, 'same')
    await pause()
    expect(draft(store).save.state).toBe('saved')
  })

  it('again and again is not chased for ever', async () => {
    const { store, files } = setup('old', {
      'draft.save': () => {
        files.write('old')
        return err('changed-on-disk', 'another')
      },
    })
    await store.getState().show('s')
    type(store, 'new')
    await pause()
    expect(draft(store)).toMatchObject({ text: 'new', save: { state: 'failed' } })
  })
})

describe('discarding', () => {
  it('saves what is typed first, so that Undo brings all of it back', async () => {
    const { store, files, client } = setup('old', {
      'draft.discard': () => {
        files.write(null)
        return ok(report)
      },
    })
    await store.getState().show('s')
    type(store, 'new')
    expect(await store.getState().discard('s')).toEqual(ok(report))
    expect(files.state.saves.map(({ text }) => text)).toEqual(['new'])
    expect(draft(store)).toMatchObject({ text: '', disk: null, serial: 1 })
    files.write('new')
    client.raise('changes.changed', {})
    await vi.advanceTimersByTimeAsync(0)
    expect(draft(store).text).toBe('new')
  })

  it('leaves what is typed while it is on its way, in the field and on the disk', async () => {
    let answer = () => {}
    const { store, files } = setup('old', {
      'draft.discard': () =>
        new Promise(resolve => {
          answer = () => {
            files.write(null)
            resolve(ok(report))
          }
        }),
    })
    await store.getState().show('s')
    const discarded = store.getState().discard('s')
    await vi.advanceTimersByTimeAsync(0)
    type(store, 'new')
    // The pause is over before the answer comes: the save waits for it.
    await pause()
    type(store, 'new words')
    answer()
    expect(await discarded).toEqual(ok(report))
    expect(draft(store)).toMatchObject({ serial: 0, save: { state: expect.stringMatching(/typed|saving/) } })
    await pause()
    expect(draft(store)).toMatchObject({ text: 'new words', save: { state: 'saved' } })
    expect(files.state.text).toBe('new words')
    expect(files.state.saves.every(({ version }) => version !== 'v1')).toBe(true)
  })

  it('tells why it is not done where omp changed the draft too, or it cannot be read', async () => {
    let broken = false
    const { store, files, client } = setup('old', {
      'session.draft': () => (broken ? err('damaged', 'not UTF-8') : ok(files.view())),
    })
    await store.getState().show('s')
    files.write('theirs')
    type(store, 'mine')
    await pause()
    expect(await store.getState().discard('s')).toMatchObject({
      ok: false,
      error: { code: 'changed-on-disk' },
    })
    broken = true
    await store.getState().show('other')
    expect(await store.getState().discard('other')).toMatchObject({ ok: false, error: { code: 'damaged' } })
    broken = false
    files.write(null)
    await store.getState().show('other')
    expect(await store.getState().discard('other')).toEqual(ok(null))
    expect(client.made.map(({ name }) => name)).not.toContain('draft.discard')
  })

  it('does nothing when what is typed cannot be saved', async () => {
    const { store, client } = setup('old', { 'draft.save': () => err('permission', 'no') })
    await store.getState().show('s')
    type(store, 'new')
    expect(await store.getState().discard('s')).toMatchObject({ ok: false, error: { code: 'permission' } })
    expect(client.made.map(({ name }) => name)).not.toContain('draft.discard')
    expect(draft(store).text).toBe('new')
  })
})

it('says why a draft cannot be read, and reads it when that is mended', async () => {
  let broken = true
  const { store, files } = setup('old', {
    'session.draft': () => (broken ? err('damaged', 'not UTF-8') : ok(files.view())),
  })
  await store.getState().show('s')
  expect(store.getState().drafts.get('s')).toMatchObject({ state: 'error', error: { code: 'damaged' } })
  broken = false
  await store.getState().show('s')
  expect(draft(store).text).toBe('old')
})
