/** `fork` as a script sees it. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { message } from '../../engine/storage/journal.test-support'
import { UsageError } from '../command'
import { entriesIn, headerIn, WorkWorld } from '../work-world.test-support'
import { appendCommand } from './append'
import { forkCommand } from './fork'
import { rerootCommand } from './reroot'

let world: WorkWorld
beforeEach(() => {
  world = new WorkWorld()
})
afterEach(() => world.remove())

const fork = (...argv: string[]) => world.run(forkCommand, ...argv)
type Answer = { file: string; id: string; changeId: string; bytes: number }

function withArtifacts(name: string): string {
  const file = world.session(name)
  const directory = file.replace(/\.jsonl$/, '')
  fs.mkdirSync(path.join(directory, 'local'), { recursive: true })
  fs.writeFileSync(path.join(directory, '0.bash.log'), 'output')
  fs.writeFileSync(path.join(directory, 'local', 'note.md'), 'nöte')
  return file
}

it('makes the same session once more, as its dry run said, and the next command can go on in it', async () => {
  const file = withArtifacts('one')
  const dry = await fork(file, '--dry-run', '--json')
  const run = await fork(file, '--json')
  expect(run).toMatchObject({ code: 0, errors: [] })
  const made = run.json<Answer>()
  expect(made).toMatchObject({
    dryRun: false,
    source: file,
    directory: path.dirname(file),
    cwd: world.at('proj'),
    artifactFiles: 2,
    leafId: 'b',
    notes: [],
  })
  expect(dry.json()).toEqual({ ...made, dryRun: true, file: null, id: null, changeId: null })
  expect(made.bytes).toBe(fs.statSync(made.file).size + Buffer.byteLength('outputnöte'))
  expect(headerIn(made.file)).toMatchObject({ id: made.id, parentSession: 'one' })
  expect(entriesIn(made.file)).toEqual(entriesIn(file))
  expect(await world.run(appendCommand, made.file, '--text', 'on')).toMatchObject({ code: 0, errors: [] })
})

it('is taken back by its change', async () => {
  const file = world.session('one')
  const { file: made, changeId } = (await fork(file, '--json')).json<Answer>()
  expect(await world.run(rerootCommand, '--undo', changeId)).toMatchObject({ code: 0, errors: [] })
  expect(fs.existsSync(made)).toBe(false)
  expect(fs.existsSync(file)).toBe(true)
})

it('goes to another folder, without artifacts, without costs', async () => {
  const usage = { input: 1, output: 2, cost: { total: 3 } }
  const answer = { ...message('c', 'b'), message: { role: 'assistant', content: [], usage } }
  const file = world.session('one', [...world.head('one'), message('b', null), answer])
  const cwd = world.folder('wörk')
  const run = await fork(file, '--cwd', 'wörk', '--no-artifacts', '--zero-costs', '--json')
  const made = run.json<Answer>()
  expect(made).toMatchObject({ cwd, artifactFiles: 0 })
  expect(path.dirname(made.file)).toBe(path.join(world.agentDir, 'sessions', '-wörk'))
  expect(headerIn(made.file)).toMatchObject({ cwd })
  expect(entriesIn(made.file)[1]).toMatchObject({ message: { usage: { input: 1, cost: { total: 0 } } } })
  const gone = await fork(file, '--cwd', 'gone')
  expect(gone).toMatchObject({ code: 0, errors: [expect.stringContaining('names it all the same')] })
})

it('takes the path to one entry, with the artifacts that its links name', async () => {
  const file = withArtifacts('one')
  fs.writeFileSync(
    file,
    fs.readFileSync(file, 'utf8') +
      [message('c', 'a'), { type: 'label', id: 'l', parentId: 'c', targetId: 'a', label: 'start' }]
        .map(record => `${JSON.stringify(record)}\n`)
        .join(''),
  )
  world.makeOld(file)
  fs.writeFileSync(path.join(file.replace(/\.jsonl$/, ''), 'draft.txt'), 'not of this path')
  const dry = (await fork(file, '--at', 'b', '--dry-run', '--json')).json<Answer>()
  expect(dry).toMatchObject({ file: null, leafId: 'b', artifactFiles: 2 })
  const made = (await fork(file, '--at', 'b', '--json')).json<Answer>()
  expect(made).toMatchObject({ artifactFiles: 2, bytes: dry.bytes, cwd: world.at('proj') })
  expect(made.bytes).toBe(fs.statSync(made.file).size + Buffer.byteLength('outputnöte'))
  const entries = entriesIn(made.file)
  expect(entries.map(({ type, id }) => (type === 'label' ? type : id))).toEqual(['a', 'b', 'label'])
  expect(made).toMatchObject({ leafId: entries[2]?.id })
  expect(headerIn(made.file)).toMatchObject({ parentSession: file })
  const copies = fs.readdirSync(made.file.replace(/\.jsonl$/, ''), { recursive: true, encoding: 'utf8' })
  expect(copies.sort()).toEqual(['0.bash.log', 'local', path.join('local', 'note.md')])
  expect(await world.run(appendCommand, made.file, '--text', 'on')).toMatchObject({ code: 0, errors: [] })
})

it('takes the path without artifacts when they are not wanted, and is taken back by its change', async () => {
  const file = withArtifacts('one')
  const made = (await fork(file, '--at', 'a', '--no-artifacts', '--json')).json<Answer>()
  expect(made).toMatchObject({ artifactFiles: 0, leafId: 'a', bytes: fs.statSync(made.file).size })
  expect(fs.existsSync(made.file.replace(/\.jsonl$/, ''))).toBe(false)
  expect(await world.run(rerootCommand, '--undo', made.changeId)).toMatchObject({ code: 0, errors: [] })
  expect(fs.existsSync(made.file)).toBe(false)
  expect(await fork(file, '--at', 'nowhere')).toMatchObject({
    code: 1,
    errors: [expect.stringContaining('holds no entry nowhere')],
  })
})

it("puts the fork of a subagent's session among the sessions, not among the subagents", async () => {
  const file = withArtifacts('one')
  const agent = path.join(file.replace(/\.jsonl$/, ''), 'Agent.jsonl')
  fs.copyFileSync(file, agent)
  for (const more of [[], ['--at', 'a']]) {
    const made = (await fork(agent, ...more, '--json')).json<Answer>()
    expect(path.dirname(made.file)).toBe(path.join(world.agentDir, 'sessions', '-proj'))
  }
})

it('of a session that another program has is made all the same', async ctx => {
  if (process.platform !== 'linux') ctx.skip('who has a file open is told by /proc, which only Linux has')
  const file = world.session('one')
  await world.hold(file)
  expect(await fork(file, '--json')).toMatchObject({ code: 0, errors: [] })
})

it('refuses artifacts that lead elsewhere', async () => {
  const file = world.session('one')
  fs.symlinkSync(world.folder('elsewhere'), file.replace(/\.jsonl$/, ''))
  const before = fs.readdirSync(path.dirname(file))
  for (const dry of [['--dry-run'], []])
    expect(await fork(file, ...dry)).toMatchObject({
      code: 1,
      answer: '',
      errors: [expect.stringContaining('leads elsewhere')],
    })
  expect(fs.readdirSync(path.dirname(file))).toEqual(before)
  expect(await fork(file, '--no-artifacts')).toMatchObject({ code: 0 })
})

it('refuses wrong usage', async () => {
  const file = world.session('one')
  for (const argv of [
    [],
    [file, file],
    [file, '--cwd', ''],
    [file, '--at', ''],
    [file, '--at', 'a', '--cwd', '.'],
    [file, '--at', 'a', '--zero-costs'],
    [file, '--include-maybe'],
  ])
    await expect(fork(...argv), argv.join(' ')).rejects.toThrow(UsageError)
})
