/** What every change of one session owes: it is made, recorded and can be undone; or the session stays, with the reason. */
import fs from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { systemError } from '../../engine/storage/faulty-file-system.test-support'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { undoChange } from '../changes/undo'
import { continueBranch } from './continue-branch'
import { editHandlers } from './edit-handlers'
import { editSession } from './edit-session'
import { type Change, EditsWorld, textOf, unwrap } from './edits-world.test-support'
import { labelEntry } from './label-entry'
import { renameSession } from './rename-session'

let world: EditsWorld
beforeEach(() => {
  world = new EditsWorld()
})
afterEach(() => world.remove())

const CHANGES: [string, Change][] = [
  ['rename', edit => renameSession(edit, 'another', 'user')],
  ['label', edit => labelEntry(edit, 'a1', 'here')],
  ['continue', edit => continueBranch(edit, 'a1')],
]

describe.each(CHANGES)('%s', (kind, change) => {
  it('is made, recorded, and taken back', async () => {
    const file = world.session()
    const before = textOf(file)
    const report = await world.done(file, change)
    expect(report).toMatchObject({ done: 1, asked: 1, files: 1, staying: [], maybe: [], notes: [] })
    expect(report.bytes).toBeGreaterThan(0)
    expect(textOf(file)).not.toBe(before)
    expect(world.changes()).toMatchObject([{ id: report.changeId, kind, state: 'done', whyNot: null }])
    expect(world.whyNot()).toBeNull()
    const undone = unwrap(await world.undo(report.changeId))
    expect(undone).toMatchObject({ changeId: report.changeId, done: 1, staying: [] })
    expect(world.changes()).toMatchObject([{ state: 'undone' }])
    expect(await world.undo(report.changeId)).toMatchObject({ ok: false, error: { code: 'conflict' } })
  })

  it('leaves a session in a root that is only read', async () => {
    const file = world.session()
    const before = textOf(file)
    const target = world.target(file, { readOnly: true })
    const report = unwrap(await editSession(world.context(), target, true, change, silentWork))
    expect(report).toMatchObject({ done: 0, changeId: null, staying: [{ ref: 's1', reason: 'read-only' }] })
    expect(textOf(file)).toBe(before)
  })

  it.each([
    ['of version 4', { header: { version: 4 } }, 'unsupported-version'],
    ['without a header', { header: { type: 'other' } }, 'damaged'],
  ])('leaves a session %s', async (_what, spec, reason) => {
    const file = world.session(spec)
    const before = textOf(file)
    const report = unwrap(await world.edit(file, change))
    expect(report).toMatchObject({ done: 0, changeId: null, staying: [{ reason }] })
    expect(textOf(file)).toBe(before)
    expect(world.changes()).toEqual([])
  })

  it('leaves one that is gone, and a blank one', async () => {
    const file = world.session()
    fs.unlinkSync(file)
    const gone = unwrap(await world.edit(file, change))
    expect(gone.staying).toMatchObject([{ title: 'listed as this', reason: 'missing' }])
    fs.writeFileSync(file, '\n')
    expect(unwrap(await world.edit(file, change)).staying).toMatchObject([{ reason: 'damaged' }])
    expect(textOf(file)).toBe('\n')
  })

  it('leaves one whose lock another process holds', async () => {
    const file = world.session()
    const before = textOf(file)
    const lock = file.replace(/([^/]*)$/, '.$1.lock')
    // Process 1 lives as long as the system does.
    fs.writeFileSync(lock, `1:${Date.now()}\n`)
    const report = unwrap(await world.edit(file, change))
    expect(report).toMatchObject({ done: 0, staying: [{ reason: 'in-use' }] })
    expect(textOf(file)).toBe(before)
  })

  it('asks before it is taken back where an omp runs in the folder, and goes on when told to', async () => {
    const file = world.session()
    const { changeId } = await world.done(file, change)
    world.library.uses.set(file, { state: 'maybe', text: 'omp (process 7) runs there.', pid: 7 })
    const context = world.library.context()
    const undo = (includeMaybe: boolean) =>
      undoChange(context, editHandlers, changeId, silentWork, includeMaybe)
    const before = textOf(file)
    expect(unwrap(await undo(false))).toMatchObject({
      done: 0,
      maybe: [{ text: 'omp (process 7) runs there.' }],
    })
    expect(textOf(file)).toBe(before)
    expect(unwrap(await undo(true))).toMatchObject({ done: 1, staying: [], maybe: [] })
    expect(textOf(file)).not.toBe(before)
  })

  it('asks first where an omp runs in the folder, and goes on when told to', async () => {
    const file = world.session()
    const before = textOf(file)
    world.library.uses.set(file, { state: 'maybe', text: 'omp (process 7) runs there.', pid: 7 })
    const context = world.library.context()
    const asked = unwrap(await world.edit(file, change, false, context))
    expect(asked).toMatchObject({
      done: 0,
      changeId: null,
      staying: [],
      maybe: [{ ref: 's1', title: 'Title one', text: 'omp (process 7) runs there.' }],
    })
    expect(textOf(file)).toBe(before)
    const told = unwrap(await world.edit(file, change, true, context))
    expect(told).toMatchObject({ done: 1, maybe: [] })
    // Undoing asks as well, and can be tried again.
    const kept = unwrap(await world.undo(told.changeId ?? '', context))
    expect(kept).toMatchObject({ done: 0, changeId: null, staying: [], maybe: [{ ref: null }] })
    world.library.uses.clear()
    expect(unwrap(await world.undo(told.changeId ?? '', context)).done).toBe(1)
  })

  it('is not undone in a session that somebody has open', async ctx => {
    if (process.platform !== 'linux') ctx.skip('who has a file open is told by /proc, which only Linux has')
    const file = world.session()
    const { changeId } = await world.done(file, change)
    const between = textOf(file)
    await world.hold(file)
    const kept = unwrap(await world.undo(changeId))
    expect(kept).toMatchObject({ done: 0, staying: [{ reason: 'in-use' }] })
    expect(textOf(file)).toBe(between)
    expect(world.changes()).toMatchObject([{ state: 'done' }])
  })

  it('cannot be undone once its session is gone', async () => {
    const file = world.session()
    const { changeId } = await world.done(file, change)
    fs.renameSync(file, `${file}.elsewhere`)
    expect(world.whyNot()).toContain('is not there any more')
    expect(await world.undo(changeId)).toMatchObject({ ok: false, error: { code: 'conflict' } })
  })

  it('is made although it cannot be recorded, and says so', async () => {
    const file = world.session()
    const { data } = world.context()
    const broken = {
      ...nodeFileSystem,
      rename: (from: string, to: string) => {
        if (to === data.changes) throw systemError('EIO', 'rename', to)
        nodeFileSystem.rename(from, to)
      },
      link: (from: string, to: string) => {
        if (to === data.changes) throw systemError('EIO', 'link', to)
        nodeFileSystem.link(from, to)
      },
    }
    const before = textOf(file)
    const report = unwrap(await world.edit(file, change, false, world.context(broken)))
    expect(report).toMatchObject({ done: 1, changeId: null })
    expect(report.notes.join()).toContain('could not be noted among the recent changes')
    expect(textOf(file)).not.toBe(before)
  })

  it('is read from a list that is nonsense without harm', async () => {
    const file = world.session()
    await world.done(file, change)
    const { data } = world.context()
    const list: unknown = JSON.parse(textOf(data.changes))
    for (const undo of [{}, { journal: 1 }, { journal: file }, [], 'x', { journal: file, before: 1 }]) {
      const text = JSON.stringify(list, (key, value: unknown) => (key === 'undo' ? undo : value))
      fs.writeFileSync(data.changes, text)
      expect(world.whyNot()).toContain('cannot be read')
    }
  })
})

describe('label and continue', () => {
  it.each(CHANGES.slice(1))(
    '%s leaves a session that somebody has open',
    { skip: process.platform !== 'linux' },
    async (_kind, change) => {
      const file = world.session()
      const before = textOf(file)
      await world.hold(file)
      const report = unwrap(await world.edit(file, change))
      expect(report).toMatchObject({ done: 0, staying: [{ reason: 'in-use' }] })
      expect(textOf(file)).toBe(before)
    },
  )

  it('refuse an entry that is not there', async () => {
    const file = world.session()
    for (const change of [
      (edit: Parameters<Change>[0]) => labelEntry(edit, 'zz', 'x'),
      (edit: Parameters<Change>[0]) => continueBranch(edit, 'zz'),
    ])
      expect(await world.edit(file, change)).toMatchObject({ ok: false, error: { code: 'not-found' } })
  })
})
