/** `rename`, `label` and `continue-branch` as a script sees them. */
import fs from 'node:fs'
import { encodeTitleSlot } from '@shared/session/title-slot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEADER, message } from '../../engine/storage/journal.test-support'
import { UsageError } from '../command'
import { entriesIn, WorkWorld } from '../work-world.test-support'
import { continueBranchCommand } from './continue-branch'
import { labelCommand } from './label'
import { renameCommand } from './rename'

let world: WorkWorld
beforeEach(() => {
  world = new WorkWorld()
})
afterEach(() => world.remove())

const slotOf = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8').split('\n')[0] ?? '')

describe('rename', () => {
  const rename = (...argv: string[]) => world.run(renameCommand, ...argv)

  it('gives a title, and the next one right after it', async () => {
    const file = world.session('one')
    const run = await rename(file, ' Käse\t und  😀 ', '--json')
    expect(run).toMatchObject({ code: 0, errors: [] })
    const [, , change] = entriesIn(file)
    expect(run.json()).toEqual({
      dryRun: false,
      file,
      changed: true,
      title: 'Käse und 😀',
      titleSource: 'user',
      slotTitle: 'Käse und 😀',
      slotOnly: false,
      previousTitle: null,
      id: change?.id,
      leafId: change?.id,
      changeId: expect.any(String),
      notes: [],
    })
    expect(change).toMatchObject({
      type: 'title_change',
      title: 'Käse und 😀',
      source: 'user',
      parentId: 'b',
    })
    expect(slotOf(file)).toMatchObject({ title: 'Käse und 😀', source: 'user' })
    const again = await rename(file, 'second', '--json')
    expect(again.json()).toMatchObject({ changed: true, previousTitle: 'Käse und 😀' })
  })

  it('never overrides a title of the user by an automatic one, and says so', async () => {
    const file = world.session('one', [...world.head('one', 'mine'), message('a', null)])
    const before = fs.readFileSync(file, 'utf8')
    const run = await rename(file, 'yours', '--auto', '--json')
    expect(run).toMatchObject({ code: 0, errors: [] })
    expect(run.json()).toMatchObject({ changed: false, title: 'mine', titleSource: 'user', id: null })
    expect((await rename(file, 'yours', '--auto')).answer).toContain('is unchanged')
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
    const free = world.session('two')
    expect((await rename(free, 'found', '--auto', '--json')).json()).toMatchObject({
      changed: true,
      titleSource: 'auto',
    })
  })

  it('keeps a title that is longer than its place, and tells what omp shows of it', async () => {
    const file = world.session('one')
    const title = '😀'.repeat(100)
    const { code, errors, json } = await rename(file, title, '--json')
    const cut = '😀'.repeat(39)
    expect({ code, errors }).toEqual({ code: 0, errors: [expect.stringContaining(cut)] })
    expect(json()).toMatchObject({ title, slotTitle: cut })
    expect(slotOf(file).title).toBe(cut)
    expect(entriesIn(file)[2]).toMatchObject({ title })
    expect((await rename(file, 'short', '--json')).json()).toMatchObject({ previousTitle: title })
  })

  it('gives a blank file no title: it is no session', async () => {
    const file = world.session('blank', [''])
    const before = fs.readFileSync(file, 'utf8')
    expect(await rename(file, 'named')).toMatchObject({
      code: 1,
      errors: [expect.stringContaining('holds no session')],
    })
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
  })

  it('writes only the slot of a session that another program has, and says so', async ctx => {
    if (process.platform !== 'linux') ctx.skip('who has a file open is told by /proc, which only Linux has')
    const file = world.session('one')
    const slotless = world.session('two', [{ ...HEADER, id: 'two' }, message('a', null)])
    for (const held of [file, slotless]) await world.hold(held)
    const before = entriesIn(file)
    const planned = await rename(file, 'new name', '--dry-run', '--json')
    expect(planned.json()).toMatchObject({ dryRun: true, slotOnly: true })
    const run = await rename(file, 'new name', '--json')
    expect(run).toMatchObject({
      code: 0,
      errors: [expect.stringContaining('Another program has the session')],
    })
    expect(run.json()).toMatchObject({ changed: true, slotOnly: true, id: null, leafId: 'b' })
    expect(slotOf(file)).toMatchObject({ title: 'new name' })
    expect(entriesIn(file)).toEqual(before)
    for (const dry of [[], ['--dry-run']])
      expect(await rename(slotless, 'x', ...dry)).toMatchObject({
        code: 1,
        answer: '',
        errors: [expect.stringContaining(`${slotless} is in use`)],
      })
  })

  it('refuses wrong usage', async () => {
    const file = world.session('one')
    for (const argv of [
      [],
      [file],
      [file, ''],
      [file, ' \t\u0007'],
      [file, 'two', 'words'],
      [file, 'x', '--json=1'],
    ])
      await expect(rename(...argv), argv.join(' ')).rejects.toThrow(UsageError)
    expect((await rename('--json', '--', file, '--auto')).json()).toMatchObject({ title: '--auto' })
  })
})

describe('label', () => {
  const label = (...argv: string[]) => world.run(labelCommand, ...argv)

  it('names an entry, renames it, and takes the name away', async () => {
    const file = world.session('one')
    const named = await label(file, 'a', 'hier: ü', '--json')
    expect(named).toMatchObject({ code: 0, errors: [] })
    const { id } = entriesIn(file)[2] ?? {}
    expect(named.json()).toEqual({
      dryRun: false,
      file,
      id,
      targetId: 'a',
      label: 'hier: ü',
      previousLabel: null,
      leafId: id,
      changeId: expect.any(String),
      notes: [],
    })
    expect((await label(file, 'a', 'other', '--json')).json()).toMatchObject({ previousLabel: 'hier: ü' })
    expect((await label(file, 'a', '--clear', '--json')).json()).toMatchObject({
      previousLabel: 'other',
      label: null,
    })
    expect(entriesIn(file).slice(2)).toMatchObject([
      { label: 'hier: ü' },
      { label: 'other' },
      { targetId: 'a' },
    ])
    expect(entriesIn(file)[4]).not.toHaveProperty('label')
  })

  it('refuses an entry that is not there, and wrong usage', async () => {
    const file = world.session('one')
    expect(await label(file, 'z', 'x')).toMatchObject({
      code: 1,
      answer: '',
      errors: [`grove: ${file} holds no entry z.`],
    })
    for (const argv of [
      [file],
      [file, 'a'],
      [file, '', 'x'],
      [file, 'a', ''],
      [file, 'a', 'x', '--clear'],
      [file, 'a', 'x', 'y'],
    ])
      await expect(label(...argv), argv.join(' ')).rejects.toThrow(UsageError)
  })
})

describe('continue-branch', () => {
  const goOn = (...argv: string[]) => world.run(continueBranchCommand, ...argv)

  it('makes an entry the one where everyone goes on, and takes that back', async () => {
    const file = world.session('one')
    const before = fs.readFileSync(file, 'utf8')
    const run = await goOn(file, 'a', '--json')
    expect(run).toMatchObject({ code: 0, errors: [] })
    const marker = entriesIn(file)[2] ?? {}
    expect(marker).toMatchObject({ type: 'branch_summary', parentId: 'a', summary: '' })
    expect(run.json()).toEqual({
      dryRun: false,
      file,
      changed: true,
      id: marker.id,
      undone: null,
      leafId: marker.id,
      changeId: expect.any(String),
      notes: [],
    })
    const back = await goOn(file, '--undo', String(marker.id), '--json')
    expect(back).toMatchObject({ code: 0, errors: [] })
    expect(back.json()).toMatchObject({ undone: marker.id, id: null, leafId: 'b' })
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
  })

  it('writes nothing where the session goes on already', async () => {
    const file = world.session('one')
    const before = fs.readFileSync(file, 'utf8')
    expect((await goOn(file, 'b', '--json')).json()).toMatchObject({ changed: false, id: null, leafId: 'b' })
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
  })

  it('takes back nothing but a marker that is the last entry', async () => {
    const file = world.session('one')
    const { id } = (await goOn(file, 'a', '--json')).json<{ id: string }>()
    fs.appendFileSync(file, `${JSON.stringify(message('c', id))}\n`)
    world.makeOld(file)
    const before = fs.readFileSync(file, 'utf8')
    for (const [entry, said] of [
      [id, 'goes on after that entry'],
      ['c', 'goes on after that entry'],
      ['z', 'holds no entry z'],
    ] as const)
      for (const dry of [[], ['--dry-run']])
        expect(await goOn(file, '--undo', entry, ...dry)).toMatchObject({
          code: 1,
          answer: '',
          errors: [expect.stringContaining(said)],
        })
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
  })

  it('refuses an entry that is not there, and wrong usage', async () => {
    const file = world.session('one')
    expect(await goOn(file, 'z')).toMatchObject({ code: 1, errors: [`grove: ${file} holds no entry z.`] })
    for (const argv of [
      [],
      [file],
      [file, ''],
      [file, 'a', 'b'],
      [file, 'a', '--undo', 'b'],
      [file, '--undo', ''],
    ])
      await expect(goOn(...argv), argv.join(' ')).rejects.toThrow(UsageError)
  })
})

it('shows control characters of a title, and does not send them', async () => {
  const slot = encodeTitleSlot({ title: '\u001b[31mred', source: 'user', updatedAt: HEADER.timestamp })
  const file = world.session('one', [slot.slice(0, -1), { ...HEADER, id: 'one' }])
  const { answer } = await world.run(renameCommand, file, 'x', '--auto')
  expect(answer).toContain('␛[31mred')
})
