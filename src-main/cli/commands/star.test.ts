/** `star` as a script sees it, and that the other small changes stand among the recent changes. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readChanges } from '../../library/changes/recent-changes'
import { groveData } from '../../library/grove-data'
import { UsageError } from '../command'
import { WorkWorld } from '../work-world.test-support'
import { continueBranchCommand } from './continue-branch'
import { labelCommand } from './label'
import { renameCommand } from './rename'
import { rerootCommand } from './reroot'
import { starCommand } from './star'

let world: WorkWorld
let pins: string
beforeEach(() => {
  world = new WorkWorld()
  pins = path.join(world.agentDir, 'session-pins.json')
})
afterEach(() => world.remove())

const star = (...argv: string[]) => world.run(starCommand, ...argv)
const changes = () => {
  const read = readChanges(world.env, groveData(world.env))
  return read.ok ? read.value : []
}

describe('star', () => {
  it('stars sessions, takes the stars away, and is taken back by its change', async () => {
    const files = [world.session('one'), world.session('two')]
    const run = await star(...files, '--json')
    expect(run).toMatchObject({ code: 0, errors: [] })
    const made = run.json<{ changeId: string }>()
    expect(made).toEqual({
      dryRun: false,
      starred: true,
      asked: 2,
      done: 2,
      changeId: made.changeId,
      staying: [],
      notes: [],
    })
    expect(fs.readFileSync(pins, 'utf8')).toBe('[\n\t"one",\n\t"two"\n]')
    const off = await star('one', '--off')
    expect(off).toMatchObject({ code: 0, errors: [], answer: expect.stringContaining('1 session away') })
    expect(JSON.parse(fs.readFileSync(pins, 'utf8'))).toEqual(['two'])
    expect(await world.run(rerootCommand, '--undo', made.changeId)).toMatchObject({ code: 0 })
    expect(fs.readFileSync(pins, 'utf8')).toBe('[]')
  })

  it('says in a dry run what it would do, and writes nothing', async () => {
    const file = world.session('one')
    const before = world.everything()
    const dry = await star(file, '--dry-run', '--json')
    expect(dry.json()).toMatchObject({ dryRun: true, asked: 1, done: 1, changeId: null })
    expect((await star(file, '--off', '--dry-run')).answer).toContain('Would take the stars of 0 sessions')
    expect(world.everything()).toEqual(before)
  })

  it('never overwrites a list that is none', async () => {
    const file = world.session('one')
    fs.writeFileSync(pins, '{"x":1}')
    for (const dry of [['--dry-run'], []])
      expect(await star(file, ...dry)).toMatchObject({
        code: 1,
        errors: [expect.stringContaining('holds no list of stars')],
      })
    expect(fs.readFileSync(pins, 'utf8')).toBe('{"x":1}')
  })

  it('refuses what is not there, and wrong usage', async () => {
    expect(await star('gone.jsonl')).toMatchObject({ code: 1, answer: '' })
    for (const argv of [[], [''], ['x', '--on']]) await expect(star(...argv)).rejects.toThrow(UsageError)
  })
})

describe('the recent changes', () => {
  it('hold a rename, a label and a continued branch of the command line, and can take them back', async () => {
    const file = world.session('one')
    const before = fs.readFileSync(file, 'utf8')
    await world.run(renameCommand, file, 'name')
    await world.run(labelCommand, file, 'a', 'here')
    await world.run(continueBranchCommand, file, 'a')
    expect(changes().map(({ kind }) => kind)).toEqual(['continue', 'label', 'rename'])
    for (const { id } of changes().filter(({ kind }) => kind !== 'label'))
      expect(await world.run(rerootCommand, '--undo', id)).toMatchObject({ code: 0, errors: [] })
    // Of the three only the line of the label, and the title that was given back by a line, are left.
    expect(fs.readFileSync(file, 'utf8').split('\n').length).toBe(before.split('\n').length + 3)
    expect(changes().map(({ state }) => state)).toEqual(['undone', 'done', 'undone'])
  })

  it('count a marker that was taken away by its id as undone, and what was the same already not at all', async () => {
    const file = world.session('one')
    const made = await world.run(continueBranchCommand, file, 'a', '--json')
    const { id } = made.json<{ id: string }>()
    await world.run(continueBranchCommand, file, '--undo', id)
    expect(changes()).toMatchObject([{ kind: 'continue', state: 'undone' }])
    await world.run(renameCommand, file, 'name')
    await world.run(labelCommand, file, 'a', 'here')
    const text = fs.readFileSync(file, 'utf8')
    const same = await world.run(renameCommand, file, 'name', '--json')
    expect(same).toMatchObject({ code: 0, errors: [] })
    expect(same.json()).toMatchObject({ changed: false, title: 'name', id: null })
    expect((await world.run(labelCommand, file, 'a', 'here')).answer).toContain('is named here already')
    expect(fs.readFileSync(file, 'utf8')).toBe(text)
    expect(changes()).toHaveLength(3)
  })
})
