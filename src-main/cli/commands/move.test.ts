/** `move` as a script sees it. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UsageError } from '../command'
import { headerIn, WorkWorld } from '../work-world.test-support'
import { appendCommand } from './append'
import { dropCommand } from './drop'
import { moveCommand } from './move'
import { rerootCommand } from './reroot'

let world: WorkWorld
beforeEach(() => {
  world = new WorkWorld()
})
afterEach(() => world.remove())

const move = (...argv: string[]) => world.run(moveCommand, ...argv)
const placeIn = (agentDir: string, folder: string, name: string) =>
  path.join(agentDir, 'sessions', `-${folder}`, `${name}.jsonl`)

it('moves a session to another folder, as its dry run said, and back', async () => {
  const file = world.session('one')
  const to = world.folder('wörk')
  const dry = await move(file, '--to', 'wörk', '--dry-run', '--json')
  const run = await move(file, '--to', 'wörk', '--json')
  expect(run).toMatchObject({ code: 0, errors: [] })
  const there = placeIn(world.agentDir, 'wörk', 'one')
  const made = run.json<{ changeId: string; items: object[] }>()
  expect(made).toMatchObject({ dryRun: false, asked: 1, done: 1, file: there, staying: [], notes: [] })
  const item = { from: file, file: there, oldCwd: world.at('proj'), newCwd: to, files: 1 }
  expect(made.items).toMatchObject([{ ...item, changeId: made.changeId }])
  expect(dry.json()).toMatchObject({ dryRun: true, done: 0, file: there, changeId: null, items: [item] })
  expect(headerIn(there)).toMatchObject({ cwd: to, previousSessionFiles: [file] })
  expect(fs.existsSync(file)).toBe(false)
  expect(await world.run(rerootCommand, '--undo', made.changeId)).toMatchObject({ code: 0 })
  expect(headerIn(file)).toMatchObject({ cwd: world.at('proj') })
})

it('and what writes and moves it right before and after take each other for no strangers', async () => {
  const file = world.session('one')
  world.folder('b')
  world.folder('c')
  const b = placeIn(world.agentDir, 'b', 'one')
  const c = placeIn(world.agentDir, 'c', 'one')
  const runs = [
    [appendCommand, file, '--text', '1'],
    [moveCommand, file, '--to', 'b'],
    [appendCommand, b, '--text', '2'],
    [rerootCommand, b, '--to', 'c'],
    [appendCommand, c, '--text', '3'],
    [moveCommand, c, '--to', 'b'],
    [dropCommand, b],
  ] as const
  for (const [command, ...argv] of runs)
    expect(await world.run(command, ...argv), argv.join(' ')).toMatchObject({ code: 0, errors: [] })
})

it('moves sessions to another agent directory, with their pictures', async () => {
  const [one, two] = [world.session('one'), world.session('two')]
  const content = [{ type: 'image', data: Buffer.alloc(3000, 7).toString('base64'), mimeType: 'image/png' }]
  const entry = { type: 'message', message: { role: 'user', content } }
  await world.run(appendCommand, one, '--entry', JSON.stringify(entry))
  const agent = world.folder('agent')
  const run = await move(one, two, one, '--to-agent-dir', 'agent', '--json')
  expect(run).toMatchObject({ code: 0, errors: [] })
  expect(run.json()).toMatchObject({ asked: 2, done: 2, file: null, changeId: null })
  const [hash = ''] =
    /(?<=blob:sha256:)[0-9a-f]{64}/.exec(fs.readFileSync(placeIn(agent, 'proj', 'one'), 'utf8')) ?? []
  expect(fs.existsSync(path.join(agent, 'blobs', hash))).toBe(true)
  expect(headerIn(placeIn(agent, 'proj', 'two'))).toMatchObject({ cwd: world.at('proj') })
  world.folder('b')
  const back = await move(placeIn(agent, 'proj', 'two'), '--to', 'b', '--to-agent-dir', '.omp/agent')
  expect(back).toMatchObject({ code: 0, errors: [] })
  expect(fs.existsSync(placeIn(world.agentDir, 'b', 'two'))).toBe(true)
})

it('moves the others when one stays, and says which and why', async () => {
  const [one, two] = [world.session('one'), world.session('two')]
  world.folder('b')
  fs.mkdirSync(path.dirname(placeIn(world.agentDir, 'b', 'two')), { recursive: true })
  fs.writeFileSync(placeIn(world.agentDir, 'b', 'two'), 'something else')
  for (const dry of [['--dry-run'], []]) {
    const { code, errors, json } = await move(one, two, '--to', 'b', '--json', ...dry)
    expect(code).toBe(1)
    expect(errors).toEqual([expect.stringMatching(/two\.jsonl.* is already there/)])
    expect(json()).toMatchObject({
      asked: 2,
      items: [{ from: one }],
      staying: [{ file: two, reason: 'clash', text: expect.stringContaining('already there') }],
    })
  }
  expect(fs.existsSync(two)).toBe(true)
})

it('says of two of one name that only one can go', async () => {
  const one = world.session('one')
  const other = placeIn(world.agentDir, 'other', 'one')
  fs.mkdirSync(path.dirname(other), { recursive: true })
  fs.copyFileSync(one, other)
  world.makeOld(other)
  world.folder('b')
  const dry = await move(one, other, '--to', 'b', '--dry-run', '--json')
  expect(dry).toMatchObject({ code: 1, errors: [expect.stringContaining('Another of these')] })
  expect(await move(one, other, '--to', 'b')).toMatchObject({ code: 1 })
  expect(fs.existsSync(other)).toBe(true)
})

it('refuses wrong usage', async () => {
  const file = world.session('one')
  for (const argv of [
    [],
    [file],
    ['--to', 'x'],
    [file, '--to', ''],
    [file, '--to-agent-dir', ''],
    [file, '', '--to', 'x'],
  ])
    await expect(move(...argv), argv.join(' ')).rejects.toThrow(UsageError)
})
