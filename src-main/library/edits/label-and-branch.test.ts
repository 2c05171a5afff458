/** Labels and continued branches: what is written, and when it can be taken back. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { continueBranch, noteBranchUndone } from './continue-branch'
import { type Change, EditsWorld, recordsOf, textOf, unwrap } from './edits-world.test-support'
import { labelEntry } from './label-entry'

let world: EditsWorld
beforeEach(() => {
  world = new EditsWorld()
})
afterEach(() => world.remove())

const label =
  (text: string | null, id = 'a1'): Change =>
  edit =>
    labelEntry(edit, id, text)
const goOnAt =
  (id: string): Change =>
  edit =>
    continueBranch(edit, id)

describe('a label', () => {
  it('is set, cleared, and given back by undo, in lines of its own', async () => {
    const file = world.session()
    const set = await world.done(file, label('here'))
    const cleared = await world.done(file, label(''))
    expect(world.changes().map(({ text, detail }) => [text, detail])).toEqual([
      ['Cleared a label in “Title one”', 'it was “here”'],
      ['Labelled an entry of “Title one”', '“here”'],
    ])
    // The last first; the other is not what is there.
    expect(await world.undo(set.changeId)).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(unwrap(await world.undo(cleared.changeId)).done).toBe(1)
    expect(recordsOf(file).at(-1)).toMatchObject({ type: 'label', targetId: 'a1', label: 'here' })
  })

  it('that is the same again, because a later change was undone, can be undone as well', async () => {
    const file = world.session()
    const set = await world.done(file, label('here'))
    const cleared = await world.done(file, label(''))
    unwrap(await world.undo(cleared.changeId))
    expect(world.whyNotOf(set.changeId)).toBeNull()
    expect(unwrap(await world.undo(set.changeId)).done).toBe(1)
    expect(recordsOf(file).at(-1)).toMatchObject({ type: 'label', targetId: 'a1' })
    expect(recordsOf(file).at(-1)?.label ?? '').toBe('')
  })

  it('that was cleared, set again and lost again gives back what the first change took away', async () => {
    const file = world.session()
    await world.done(file, label('here'))
    const cleared = await world.done(file, label(null))
    const set = await world.done(file, label('there'))
    expect(world.whyNotOf(cleared.changeId)).toContain('another label')
    unwrap(await world.undo(set.changeId))
    expect(world.whyNotOf(cleared.changeId)).toBeNull()
    expect(unwrap(await world.undo(cleared.changeId)).done).toBe(1)
    expect(recordsOf(file).at(-1)).toMatchObject({ type: 'label', targetId: 'a1', label: 'here' })
  })

  it('that is there already is not written again', async () => {
    const file = world.session()
    expect(unwrap(await world.edit(file, label(null))).notes).toEqual(['It has no label.'])
    await world.done(file, label('here'))
    const before = textOf(file)
    const again = unwrap(await world.edit(file, label('here')))
    expect(again).toMatchObject({ done: 0, changeId: null, notes: ['It has that label already.'] })
    expect(textOf(file)).toBe(before)
  })

  it('is given back although the session went on, but not once it is another', async () => {
    const file = world.session()
    const { changeId } = await world.done(file, label('here'))
    world.write(file, '{"type":"custom","id":"later","parentId":"a2"}')
    world.write(file, '{"type":"label","id":"l2","parentId":"later","targetId":"a2","label":"other entry"}')
    expect(world.whyNot()).toBeNull()
    world.write(file, '{"type":"label","id":"l3","parentId":"l2","targetId":"a1","label":"another"}')
    expect(world.whyNot()).toContain('another label')
    const before = textOf(file)
    expect(await world.undo(changeId)).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(textOf(file)).toBe(before)
  })
})

describe('a continued branch', () => {
  it('is taken back byte for byte while its marker is the last line', async () => {
    const file = world.session()
    const before = textOf(file)
    const { changeId } = await world.done(file, goOnAt('a1'))
    expect(recordsOf(file).at(-1)).toMatchObject({ type: 'branch_summary', parentId: 'a1', summary: '' })
    expect(unwrap(await world.undo(changeId)).done).toBe(1)
    expect(textOf(file)).toBe(before)
  })

  it('stays once the session went on', async () => {
    const file = world.session()
    const { changeId } = await world.done(file, goOnAt('a1'))
    world.write(file, '{"type":"custom","id":"later","parentId":"a2"}')
    const before = textOf(file)
    expect(world.whyNot()).toContain('went on since')
    expect(await world.undo(changeId)).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(textOf(file)).toBe(before)
  })

  it('where omp goes on anyway writes nothing', async () => {
    const file = world.session()
    const before = textOf(file)
    const report = unwrap(await world.edit(file, goOnAt('a2')))
    expect(report).toMatchObject({ done: 0, changeId: null, notes: ['It goes on there already.'] })
    expect(textOf(file)).toBe(before)
  })

  it('counts as undone when its marker was taken away by its id', async () => {
    const file = world.session()
    await world.done(file, goOnAt('a1'))
    const id = String(recordsOf(file).at(-1)?.id)
    expect(await noteBranchUndone(world.context(), `${file}.other`, id)).toEqual([])
    expect(world.changes()).toMatchObject([{ state: 'done' }])
    expect(await noteBranchUndone(world.context(), file, id)).toEqual([])
    expect(world.changes()).toMatchObject([{ state: 'undone' }])
  })
})
