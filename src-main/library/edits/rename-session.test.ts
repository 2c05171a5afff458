import fs from 'node:fs'
import { limits } from '@shared/limits'
import { encodeTitleSlot } from '@shared/session/title-slot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SessionDocument } from '../../engine/session/session-document'
import { FileSessionStorage } from '../../engine/storage/file-session-storage'
import { type Change, EditsWorld, recordsOf, textOf, unwrap } from './edits-world.test-support'
import { renameSession } from './rename-session'

let world: EditsWorld
beforeEach(() => {
  world = new EditsWorld()
})
afterEach(() => world.remove())

const to =
  (title: string, source: 'user' | 'auto' = 'user'): Change =>
  edit =>
    renameSession(edit, title, source)

const slotLine = (title: string, source: 'user' | 'auto' | null) =>
  encodeTitleSlot({ title, source, updatedAt: '2026-11-30T08:00:00.000Z' })

function titleIn(file: string) {
  const { env } = world.library
  return unwrap(SessionDocument.open(new FileSessionStorage(env, file), env.now)).title
}

describe('a rename', () => {
  it('cleans what was typed, and refuses what is no title', async () => {
    const file = world.session()
    await world.done(file, to(' A\tname \u0007'))
    expect(titleIn(file)).toEqual({ title: 'A name', source: 'user' })
    expect(await world.edit(file, to(' \u0000 '))).toMatchObject({
      ok: false,
      error: { code: 'invalid-argument' },
    })
    expect(world.changes()).toMatchObject([{ text: 'Renamed “Title one”', detail: 'to “A name”' }])
  })

  it('to the title that it has does nothing; a generated one becomes the user’s', async () => {
    const file = world.session()
    const before = textOf(file)
    const same = unwrap(await world.edit(file, to('Title one')))
    expect(same).toMatchObject({ done: 0, changeId: null, notes: ['It has that title already.'] })
    const kept = unwrap(await world.edit(file, to('found', 'auto')))
    expect(kept.notes.join()).toContain('which stays')
    expect(textOf(file)).toBe(before)
    const other = world.session({ id: 'two' })
    await world.done(other, to('Title two found'))
    const generated = world.session({ id: 'three', slot: false, header: { title: 'g', titleSource: 'auto' } })
    await world.done(generated, to('g'))
    expect(titleIn(generated)).toEqual({ title: 'g', source: 'user' })
  })

  it('says when omp will show less of it', async () => {
    const file = world.session()
    const report = await world.done(file, to('😀'.repeat(100)))
    expect(report.notes.join()).toContain('omp shows as much of the title as fits')
    expect(world.whyNot()).toBeNull()
  })

  it('of a session that somebody has open writes its slot only, and can be taken back there', async ctx => {
    if (process.platform !== 'linux') ctx.skip('who has a file open is told by /proc, which only Linux has')
    const file = world.session()
    const before = textOf(file)
    await world.hold(file)
    const report = await world.done(file, to('slot only'))
    expect(report.notes.join()).toContain('Another program has the session')
    expect(report.bytes).toBe(limits.slotBytes)
    expect(textOf(file).slice(limits.slotBytes)).toBe(before.slice(limits.slotBytes))
    expect(titleIn(file).title).toBe('slot only')
    expect(unwrap(await world.undo(report.changeId)).done).toBe(1)
    expect(textOf(file)).toBe(before)
  })

  it('takes back what stood there when it was written, not what was read before', async ctx => {
    if (process.platform !== 'linux') ctx.skip('who has a file open is told by /proc, which only Linux has')
    const file = world.session()
    await world.hold(file)
    const context = world.context()
    const { inUse } = context.deps
    const theirs = slotLine('theirs', 'user')
    // Who has the session writes its title just after that was asked.
    context.deps.inUse = async (...asked) => {
      const check = await inUse(...asked)
      const fd = fs.openSync(file, 'r+')
      fs.writeSync(fd, theirs, 0)
      fs.closeSync(fd)
      return check
    }
    const report = unwrap(await world.edit(file, to('ours'), true, context))
    expect(titleIn(file).title).toBe('ours')
    expect(world.changes()).toMatchObject([{ text: 'Renamed “theirs”', detail: 'to “ours”' }])
    expect(unwrap(await world.undo(report.changeId ?? '')).done).toBe(1)
    expect(textOf(file).slice(0, limits.slotBytes)).toBe(theirs)
  })
})

describe('undo of a rename', () => {
  it('leaves the bytes as they were, while nothing came after it', async () => {
    const file = world.session({ artifacts: { '0.bash.log': 'x' } })
    const before = textOf(file)
    const { changeId } = await world.done(file, to('another'))
    expect(recordsOf(file).at(-1)).toMatchObject({ type: 'title_change', title: 'another' })
    expect(unwrap(await world.undo(changeId)).done).toBe(1)
    expect(textOf(file)).toBe(before)
  })

  it('leaves a last line that was torn without the line feed that ended it', async () => {
    const file = world.session()
    fs.appendFileSync(file, '{"type":"custom","id":"to')
    world.makeOld(file)
    const before = textOf(file)
    const { changeId } = await world.done(file, to('another'))
    expect(textOf(file)).toContain('"id":"to\n{')
    expect(unwrap(await world.undo(changeId)).done).toBe(1)
    expect(textOf(file)).toBe(before)
  })

  it('leaves no title where there was none', async () => {
    const file = world.session({ slot: false })
    const { changeId } = await world.done(file, to('first'))
    expect(unwrap(await world.undo(changeId)).done).toBe(1)
    expect(titleIn(file)).toEqual({ title: null, source: null })
    const [slot] = recordsOf(file)
    expect(slot).toMatchObject({ type: 'title', title: '' })
  })

  it.each([
    ['the user’s', 'user' as const],
    ['a generated one', 'auto' as const],
  ])('adds a line where something came after it: the title before was %s', async (_what, source) => {
    const file = world.session({ slot: false })
    const text = textOf(file)
    fs.writeFileSync(file, slotLine('before', source) + text)
    world.makeOld(file)
    const { changeId } = await world.done(file, to('another'))
    const line = '{"type":"custom","id":"later","parentId":"a2","data":1}'
    world.write(file, line)
    const between = textOf(file)
    expect(world.whyNot()).toBeNull()
    expect(unwrap(await world.undo(changeId)).done).toBe(1)
    expect(titleIn(file)).toEqual({ title: 'before', source })
    expect(textOf(file).slice(limits.slotBytes).startsWith(between.slice(limits.slotBytes))).toBe(true)
    expect(recordsOf(file).at(-1)).toMatchObject({
      type: 'title_change',
      title: 'before',
      previousTitle: 'another',
      source,
      parentId: 'later',
    })
  })

  it('is refused once somebody gave it another title', async () => {
    const file = world.session()
    const first = await world.done(file, to('another'))
    const second = await world.done(file, to('a third'))
    const [, older] = world.changes()
    expect(older?.id).toBe(first.changeId)
    const refused = await world.undo(first.changeId)
    expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(titleIn(file).title).toBe('a third')
    // One after the other, the last first, they go back to where they began.
    for (const { changeId } of [second, first]) expect(unwrap(await world.undo(changeId)).done).toBe(1)
    expect(titleIn(file).title).toBe('Title one')
  })

  it('of a journal of an older version gives the title back', async () => {
    const file = world.session({ slot: false, header: { version: 2, title: 'old' } })
    const { changeId } = await world.done(file, to('new'))
    expect(recordsOf(file)[1]).toMatchObject({ version: 3 })
    expect(unwrap(await world.undo(changeId)).done).toBe(1)
    expect(titleIn(file).title).toBe('old')
  })

  it('gives a long title back whole', async () => {
    const long = 'x'.repeat(400)
    const file = world.session()
    await world.done(file, to(long))
    const { changeId } = await world.done(file, to('short'))
    world.write(file, '{"type":"custom","id":"later","parentId":"a2"}')
    expect(unwrap(await world.undo(changeId)).done).toBe(1)
    expect(titleIn(file).title).toBe(long)
  })
})
