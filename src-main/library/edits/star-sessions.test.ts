import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { EditsWorld, unwrap } from './edits-world.test-support'
import { type StarTarget, starSessions } from './star-sessions'

let world: EditsWorld
let pins: string
let far: string
beforeEach(() => {
  world = new EditsWorld()
  pins = world.library.root.layout.pinsFile
  far = path.join(world.library.folder('far', 'agent'), 'session-pins.json')
})
afterEach(() => world.remove())

const target = (id: string | null, pinsFile = pins, readOnly = false): StarTarget => ({
  ref: `ref ${id}`,
  title: `Title ${id}`,
  id,
  pinsFile,
  readOnly,
})

const star = (targets: StarTarget[], starred = true, elsewhere: string[] = [], dryRun = false) =>
  starSessions(world.context(), targets, starred, elsewhere, silentWork, { dryRun })

const put = (file: string, text: string) => fs.writeFileSync(file, text)
const read = (file: string) => fs.readFileSync(file, 'utf8')

describe('stars', () => {
  it('are set in the lists of several roots at once, and taken back', async () => {
    put(far, '[\n\t"there"\n]')
    const report = unwrap(await star([target('one'), target('two'), target('three', far)]))
    expect(report).toMatchObject({ done: 3, asked: 3, files: 2, staying: [], notes: [] })
    expect(read(pins)).toBe('[\n\t"one",\n\t"two"\n]')
    expect(read(far)).toBe('[\n\t"there",\n\t"three"\n]')
    expect(report.bytes).toBe(read(pins).length + read(far).length)
    expect(fs.statSync(pins).mode & 0o777).toBe(0o600)
    expect(world.changes()).toMatchObject([{ kind: 'star', text: 'Starred 3 sessions' }])
    const undone = unwrap(await world.undo(report.changeId ?? ''))
    expect(undone).toMatchObject({ done: 3, staying: [] })
    expect(read(pins)).toBe('[]')
    expect(read(far)).toBe('[\n\t"there"\n]')
  })

  it('are taken away wherever they are noted, and come back at their places', async () => {
    const before = '[\n\t"a",\n\t{\n\t\t"x": 1\n\t},\n\t"b",\n\t"c"\n]'
    put(pins, before)
    put(far, '["b"]')
    const report = unwrap(await star([target('a'), target('b'), target('zz')], false, [pins, far]))
    expect(report).toMatchObject({ done: 2, asked: 3, files: 2 })
    expect(read(pins)).toBe('[\n\t{\n\t\t"x": 1\n\t},\n\t"c"\n]')
    expect(read(far)).toBe('[]')
    unwrap(await world.undo(report.changeId ?? ''))
    expect(read(pins)).toBe(before)
    expect(JSON.parse(read(far))).toEqual(['b'])
  })

  it('that are so already are not written', async () => {
    put(pins, '["one"]')
    const report = unwrap(await star([target('one')]))
    expect(report).toMatchObject({ done: 0, changeId: null, notes: ['It is starred already.'] })
    expect(unwrap(await star([target('two')], false)).notes).toEqual(['It is not starred.'])
    expect(read(pins)).toBe('["one"]')
    expect(world.changes()).toEqual([])
  })

  it('leave sessions without an id, and roots that are only read or hold no list', async () => {
    put(far, '{"stars":["one"]}')
    const targets = [target(null), target('two', pins, true), target('three', far), target('four')]
    const report = unwrap(await star(targets))
    expect(report).toMatchObject({ done: 1, asked: 4, files: 1 })
    expect(report.staying.map(({ ref, reason }) => [ref, reason])).toEqual([
      ['ref null', 'damaged'],
      ['ref two', 'read-only'],
      ['ref three', 'damaged'],
    ])
    expect(read(far)).toBe('{"stars":["one"]}')
    expect(JSON.parse(read(pins))).toEqual(['four'])
  })

  it('are only told of in a dry run', async () => {
    const report = unwrap(await star([target('one'), target(null)], true, [], true))
    expect(report).toMatchObject({ done: 1, changeId: null, staying: [{ reason: 'damaged' }] })
    expect(fs.existsSync(pins)).toBe(false)
    expect(world.changes()).toEqual([])
  })
})

describe('undo of stars', () => {
  it('leaves what somebody set since, and is over when all is as before', async () => {
    const report = unwrap(await star([target('one'), target('two')]))
    put(pins, '["theirs","two"]')
    expect(world.whyNot()).toBeNull()
    unwrap(await world.undo(report.changeId ?? ''))
    expect(JSON.parse(read(pins))).toEqual(['theirs'])
    const again = unwrap(await star([target('one')]))
    put(pins, '["theirs"]')
    expect(world.whyNot()).toContain('as they were before')
    expect(await world.undo(again.changeId ?? '')).toMatchObject({ ok: false })
  })

  it('keeps what it could not do for another time', async () => {
    const report = unwrap(await star([target('one'), target('two', far)]))
    const good = read(far)
    put(far, 'torn [')
    const part = unwrap(await world.undo(report.changeId ?? ''))
    expect(part).toMatchObject({ done: 1, asked: 2, staying: [{ reason: 'damaged' }] })
    expect(read(far)).toBe('torn [')
    put(far, good)
    expect(unwrap(await world.undo(report.changeId ?? '')).done).toBe(1)
    expect(read(far)).toBe('[]')
    expect(world.changes()).toMatchObject([{ state: 'undone' }])
  })
})
