/** `append` as a script sees it: what is written, what is answered, what is refused. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEADER, message } from '../../engine/storage/journal.test-support'
import { UsageError } from '../command'
import { entriesIn, headerIn, WorkWorld } from '../work-world.test-support'
import { appendCommand } from './append'

let world: WorkWorld
beforeEach(() => {
  world = new WorkWorld()
})
afterEach(() => world.remove())

const append = (...argv: string[]) => world.run(appendCommand, ...argv)
const appendLines = (lines: readonly string[], ...argv: string[]) =>
  world.runWith(appendCommand, [lines.map(line => `${line}\n`).join('')], ...argv)
const custom = (data: unknown) => JSON.stringify({ type: 'custom', customType: 'x', data })

describe('one entry', () => {
  it('is a message under the leaf, the second command in a row too', async () => {
    const file = world.session('one')
    const first = await append(file, '--text', 'zwölf 😀\nlines', '--json')
    expect(first).toMatchObject({ code: 0, errors: [] })
    const { id } = entriesIn(file)[2] ?? {}
    expect(first.json()).toEqual({
      dryRun: false,
      file,
      directory: path.dirname(file),
      created: false,
      sessionId: 'one',
      count: 1,
      id,
      parentId: 'b',
      leafId: id,
      notes: [],
    })
    const second = await append('one', '--text', 'again', '--role', 'developer', '--json')
    expect(second).toMatchObject({ code: 0, errors: [] })
    expect(second.json()).toMatchObject({ file, parentId: id })
    expect(entriesIn(file).slice(2)).toMatchObject([
      { type: 'message', parentId: 'b', message: { role: 'user', content: 'zwölf 😀\nlines' } },
      { type: 'message', parentId: id, message: { role: 'developer', content: 'again' } },
    ])
  })

  it('is an answer by whoever answered last on its path', async () => {
    const answer = { role: 'assistant', content: [], api: 'a', provider: 'p', model: 'm' }
    const record = { ...message('c', 'b'), message: answer }
    const file = world.session('one', [...world.head('one'), message('b', null), record, message('d', 'b')])
    expect(await append(file, '--text', 'yes', '--role', 'assistant', '--parent', 'c')).toMatchObject({
      code: 0,
    })
    expect(await append(file, '--text', 'no', '--role', 'assistant', '--parent', 'd')).toMatchObject({
      code: 0,
    })
    const model = { api: 'a', provider: 'p', model: 'm' }
    const unknown = { api: 'unknown', provider: 'unknown', model: 'unknown' }
    const content = (text: string) => [{ type: 'text', text }]
    expect(entriesIn(file).slice(3)).toMatchObject([
      {
        parentId: 'c',
        message: { ...model, role: 'assistant', content: content('yes'), stopReason: 'stop' },
      },
      { parentId: 'd', message: { ...unknown, content: content('no'), usage: { cost: { total: 0 } } } },
    ])
  })

  it('hangs where it is asked to, and is the leaf then', async () => {
    const file = world.session('one')
    const under = await append(file, '--entry', custom('ü'), '--parent', 'a', '--sync', 'disk', '--json')
    const root = await append(file, '--entry', custom(1), '--parent', 'root', '--json')
    const [, , first, second] = entriesIn(file)
    expect(first).toMatchObject({ type: 'custom', customType: 'x', data: 'ü', parentId: 'a' })
    expect(second).toMatchObject({ parentId: null })
    expect(under.json()).toMatchObject({ id: first?.id, parentId: 'a', leafId: first?.id })
    expect(root.json()).toMatchObject({ id: second?.id, parentId: null, leafId: second?.id })
  })

  it('puts its picture into the store of the agent directory around the file', async () => {
    const other = world.folder('other', 'sessions', '-p')
    const file = path.join(other, 'one.jsonl')
    fs.copyFileSync(world.session('one'), file)
    world.makeOld(file)
    const data = Buffer.alloc(3000, 7).toString('base64')
    const content = [{ type: 'image', data, mimeType: 'image/png' }]
    expect(
      await append(file, '--entry', JSON.stringify({ type: 'message', message: { role: 'user', content } })),
    ).toMatchObject({ code: 0 })
    expect(fs.readFileSync(file, 'utf8')).toMatch(/blob:sha256:[0-9a-f]{64}/)
    expect(fs.readdirSync(world.at('other', 'blobs')).some(name => /^[0-9a-f]{64}$/.test(name))).toBe(true)
  })

  it('of an older version makes the session one of version 3', async () => {
    const old = { ...HEADER, version: 1, id: 'old', cwd: 'CWD' }
    const file = world.session('old', [old, { type: 'message', message: { role: 'user', content: 'x' } }])
    expect(await append(file, '--text', 'y')).toMatchObject({ code: 0, errors: [] })
    expect(headerIn(file)).toMatchObject({ version: 3, id: 'old' })
    const [first, second] = entriesIn(file)
    expect(second?.parentId).toBe(first?.id)
  })
})

describe('standard input', () => {
  it('is one entry a line, each acknowledged, and then the whole', async () => {
    const file = world.session('one')
    const lines = [custom(1), '', JSON.stringify({ type: 'reset_boundary' }), custom('drei')]
    const { code, answer, errors } = await appendLines(lines, file, '-', '--parent', 'a', '--json')
    expect({ code, errors }).toEqual({ code: 0, errors: [] })
    const said = answer.split('\n').map(line => JSON.parse(line))
    const ids = entriesIn(file)
      .slice(2)
      .map(({ id }) => id)
    expect(ids).toHaveLength(3)
    expect(said.slice(0, 3)).toEqual(ids.map(id => ({ id })))
    expect(said[3]).toMatchObject({ file, count: 3, leafId: ids[2] })
    expect(entriesIn(file).slice(2)).toMatchObject([
      { parentId: 'a' },
      { parentId: ids[0] },
      { parentId: ids[1], data: 'drei' },
    ])
  })

  it('is written up to the line that is wrong', async () => {
    const file = world.session('one')
    for (const wrong of ['{"type":"custom"}', 'no json', '{"type":"label","targetId":"none","label":"x"}']) {
      const before = entriesIn(file).length
      const { code, answer, errors } = await appendLines([custom(1), custom(2), '', wrong, custom(3)], file)
      expect(code).toBe(1)
      expect(answer.split('\n')).toHaveLength(2)
      expect(errors).toHaveLength(1)
      expect(errors[0]).toContain('Line 4 of standard input')
      expect(errors[0]).toContain('2 entries before it stayed')
      expect(entriesIn(file)).toHaveLength(before + 2)
    }
  })

  it('without a line changes nothing', async () => {
    const file = world.session('one')
    const before = world.everything()
    expect(await appendLines([], file, '--json')).toMatchObject({ code: 0, errors: [] })
    expect(world.everything()).toEqual(before)
  })
})

describe('--new', () => {
  it('makes a session for a folder, at once on disk', async () => {
    const cwd = world.folder('wörk')
    const { code, errors, json } = await world.run(
      appendCommand,
      '--new',
      '--cwd',
      cwd,
      '--text',
      'hi',
      '--json',
    )
    expect({ code, errors }).toEqual({ code: 0, errors: [] })
    const { file, id, sessionId } = json<{ file: string; id: string; sessionId: string }>()
    expect(path.dirname(file)).toBe(path.join(world.agentDir, 'sessions', '-wörk'))
    expect(headerIn(file)).toMatchObject({ version: 3, id: sessionId, cwd })
    expect(entriesIn(file)).toMatchObject([{ id, parentId: null, message: { content: 'hi' } }])
    expect(await append(file, '--text', 'more')).toMatchObject({ code: 0, errors: [] })
  })

  it('takes what comes on standard input, nothing included', async () => {
    const { code, answer } = await appendLines([], '--new', '--json')
    expect(code).toBe(0)
    expect(entriesIn(JSON.parse(answer).file)).toEqual([])
    const two = await appendLines([custom(1), custom(2)], '--new', '-', '--json')
    const last = JSON.parse(two.answer.split('\n')[2] ?? '')
    expect(entriesIn(last.file)).toHaveLength(2)
  })

  it('goes into the agent directory that is named, and says when the folder is not there', async () => {
    const agent = world.folder('agent')
    const run = await append('--new', '--cwd', 'gone', '--text', 'x', '--agent-dir', 'agent', '--json')
    expect(run.code).toBe(0)
    expect(run.errors).toEqual([expect.stringContaining('names it all the same')])
    expect(run.json()).toMatchObject({ directory: path.join(agent, 'sessions', '-gone') })
    expect(await append('--new', '--text', 'x', '--agent-dir', 'none')).toMatchObject({ code: 1, answer: '' })
  })

  it('leaves nothing when its first entry is refused', async () => {
    world.folder('proj')
    const before = world.everything()
    const { code } = await appendLines(['{"type":"label","targetId":"x","label":"y"}'], '--new')
    expect(code).toBe(1)
    expect(world.everything()).toEqual(before)
  })
})

it('goes on in a blank file that somebody made', async () => {
  const file = world.session('blank', [''])
  expect(await append(file, '--text', 'first')).toMatchObject({ code: 0, errors: [] })
  expect(headerIn(file)).toMatchObject({ version: 3, cwd: world.env.home })
  expect(entriesIn(file)).toMatchObject([{ message: { content: 'first' } }])
})

it('names the sessions that fit, and takes none of them', async () => {
  const files = [world.session('abc1'), world.session('abc2')]
  const before = world.everything()
  const { code, answer, errors } = await append('abc', '--text', 'x')
  expect({ code, answer }).toEqual({ code: 1, answer: '' })
  expect(errors).toEqual([expect.stringMatching(/2 sessions fit "abc": .*abc1.*abc2|abc2.*abc1/)])
  expect(files.every(file => fs.existsSync(file))).toBe(true)
  expect(world.everything()).toEqual(before)
})

it('refuses wrong usage', async () => {
  const file = world.session('one')
  const wrong = [
    [],
    ['', '--text', 'x'],
    [file, '--text', ''],
    [file, '--text', 'x', '--entry', '{}'],
    [file, '-', '--text', 'x'],
    [file, '--text', 'x', '--role', 'toolResult'],
    [file, '--role', 'user'],
    [file, '--entry', '{"type":"custom"}'],
    [file, '--entry', '{"type":"reset_boundary","id":"a"}'],
    [file, '--text', 'x', '--sync', 'never'],
    [file, '--text', 'x', '--parent', ''],
    [file, '--text', 'x', '--cwd', '.'],
    [file, 'other.jsonl', '--text', 'x'],
    ['--new', 'x.jsonl', '--text', 'x'],
    ['--new', '--cwd', '', '--text', 'x'],
    ['--new', '--parent', 'a', '--text', 'x'],
    [file, '--what'],
  ]
  const before = world.everything()
  for (const argv of wrong) await expect(append(...argv), argv.join(' ')).rejects.toThrow(UsageError)
  expect(world.everything()).toEqual(before)
})
