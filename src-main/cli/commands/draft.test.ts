/** `draft` as a script sees it. */
import fs from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UsageError } from '../command'
import { WorkWorld } from '../work-world.test-support'
import { draftCommand } from './draft'
import { rerootCommand } from './reroot'

let world: WorkWorld
beforeEach(() => {
  world = new WorkWorld()
})
afterEach(() => world.remove())

const draft = (...argv: string[]) => world.run(draftCommand, ...argv)
const placeOf = (file: string) => file.replace(/\.jsonl$/, '/draft.txt')

it('is set, shown, replaced and taken away, one command after the other', async () => {
  const file = world.session('one')
  expect((await draft(file, '--json')).json()).toMatchObject({ file, draft: null, bytes: 0 })
  const set = await draft(file, '--set', 'größer\n zwei\u001b', '--json')
  expect(set).toMatchObject({ code: 0, errors: [] })
  expect(set.json()).toEqual({
    dryRun: false,
    file,
    draft: 'größer\n zwei\u001b',
    bytes: 15,
    changed: true,
    previousDraft: null,
    changeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    notes: [],
  })
  expect(fs.readFileSync(placeOf(file), 'utf8')).toBe('größer\n zwei\u001b')
  const shown = await draft('one')
  expect(shown).toMatchObject({ code: 0, answer: 'größer\n zwei␛', errors: [] })
  expect((await draft(file, '--set', 'b', '--json')).json()).toMatchObject({
    previousDraft: 'größer\n zwei\u001b',
  })
  expect((await draft(file, '--clear', '--json')).json()).toMatchObject({ draft: null, previousDraft: 'b' })
  expect(fs.existsSync(placeOf(file))).toBe(false)
  expect(await draft(file)).toMatchObject({ code: 0, answer: '' })
  expect((await draft(file, '--clear', '--json')).json()).toMatchObject({ changed: false })
})

it('is a recent change that can be undone, once for each command', async () => {
  const file = world.session('one')
  await draft(file, '--set', 'first')
  const second = (await draft(file, '--set', 'second', '--json')).json<{ changeId: string }>()
  const cleared = await draft(file, '--clear')
  expect(cleared).toMatchObject({
    code: 0,
    answer: expect.stringMatching(/^Took the draft of .*\n {4}undo with: reroot --undo [0-9a-f-]{36}$/),
  })
  expect((await draft(file, '--clear', '--json')).json()).toMatchObject({ changed: false, changeId: null })
  const undo = (id: string) => world.run(rerootCommand, '--undo', id)
  expect((await undo(second.changeId)).code).toBe(1)
  expect((await undo(cleared.answer.split(' ').at(-1) ?? '')).code).toBe(0)
  expect(fs.readFileSync(placeOf(file), 'utf8')).toBe('second')
  expect((await undo(second.changeId)).code).toBe(1)
})

it('comes exactly from standard input; an empty one is none', async () => {
  const file = world.session('one')
  const text = '\uFEFFeins\r\n😀\n'
  const bytes = Buffer.from(text)
  const run = await world.runWith(draftCommand, [bytes.subarray(0, 9), bytes.subarray(9)], file, '--stdin')
  expect(run).toMatchObject({ code: 0, errors: [] })
  expect(fs.readFileSync(placeOf(file)).equals(bytes)).toBe(true)
  expect(await world.runWith(draftCommand, [Uint8Array.of(0xff)], file, '--stdin')).toMatchObject({ code: 1 })
  expect(fs.readFileSync(placeOf(file)).equals(bytes)).toBe(true)
  expect(await world.runWith(draftCommand, [], file, '--stdin')).toMatchObject({ code: 0 })
  expect(fs.existsSync(placeOf(file))).toBe(false)
})

it('is left alone when another program changes it while it is being written', async () => {
  const file = world.session('one')
  await draft(file, '--set', 'mine')
  const input = async function* () {
    fs.writeFileSync(placeOf(file), 'of another program')
    yield Buffer.from('late')
  }
  const errors: string[] = []
  const io = {
    env: world.env,
    cwd: world.env.home,
    print: () => undefined,
    error: (line: string) => errors.push(line),
    input,
    checkWritable: () => undefined,
  }
  expect(await draftCommand.run([file, '--stdin'], io)).toBe(1)
  expect(errors).toEqual([expect.stringContaining('another program changed the draft meanwhile')])
  expect(fs.readFileSync(placeOf(file), 'utf8')).toBe('of another program')
})

it('is not written where a link stands, nor over what is no text', async () => {
  const file = world.session('one')
  fs.symlinkSync(world.folder('elsewhere'), file.replace(/\.jsonl$/, ''))
  const torn = world.session('two')
  fs.mkdirSync(torn.replace(/\.jsonl$/, ''))
  fs.writeFileSync(placeOf(torn), Uint8Array.of(0xff))
  const before = world.everything()
  for (const one of [file, torn])
    for (const dry of [['--dry-run'], []])
      expect(await draft(one, '--set', 'x', ...dry), one).toMatchObject({
        code: 1,
        answer: '',
        errors: [expect.stringMatching(/^grove: \S+/)],
      })
  expect(world.everything()).toEqual(before)
})

it('refuses wrong usage', async () => {
  const file = world.session('one')
  for (const argv of [
    [],
    [file, 'x'],
    [file, '--set', 'x', '--clear'],
    [file, '--stdin', '--clear'],
    [file, '--set'],
  ])
    await expect(draft(...argv), argv.join(' ')).rejects.toThrow(UsageError)
})
