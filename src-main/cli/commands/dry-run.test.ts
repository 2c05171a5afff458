/**
 * `--dry-run` of every command that writes a session: nothing is written anywhere, and what the real run refuses is refused,
 * in the same words.
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEADER, message } from '../../engine/storage/journal.test-support'
import type { Command } from '../command'
import { WorkWorld } from '../work-world.test-support'
import { appendCommand } from './append'
import { continueBranchCommand } from './continue-branch'
import { draftCommand } from './draft'
import { forkCommand } from './fork'
import { labelCommand } from './label'
import { moveCommand } from './move'
import { renameCommand } from './rename'

let world: WorkWorld
beforeEach(() => {
  world = new WorkWorld()
})
afterEach(() => world.remove())

type Form = { name: string; command: Command; argv: string[]; input?: string[]; useMatters?: boolean }

/** Every command in forms that would write; FILE goes in front. */
const FORMS: Form[] = [
  { name: 'append --text', command: appendCommand, argv: ['--text', 'x'] },
  { name: 'append --entry', command: appendCommand, argv: ['--entry', '{"type":"reset_boundary"}'] },
  { name: 'append -', command: appendCommand, argv: ['-'], input: ['{"type":"reset_boundary"}\n'] },
  { name: 'continue-branch', command: continueBranchCommand, argv: ['a'] },
  { name: 'label', command: labelCommand, argv: ['a', 'x'] },
  { name: 'move', command: moveCommand, argv: ['--to', 'other'] },
  { name: 'draft --set', command: draftCommand, argv: ['--set', 'x'] },
  { name: 'draft --stdin', command: draftCommand, argv: ['--stdin'], input: ['x'] },
  { name: 'rename', command: renameCommand, argv: ['x'], useMatters: false },
  { name: 'fork', command: forkCommand, argv: [], useMatters: false },
  { name: 'fork --at', command: forkCommand, argv: ['--at', 'a'], useMatters: false },
]

function run({ command, argv, input = [] }: Form, file: string, ...more: string[]) {
  return world.runWith(command, input, file, ...argv, ...more)
}

async function expectSameRefusal(form: Form, file: string, said: string | RegExp): Promise<void> {
  const before = world.everything()
  const dry = await run(form, file, '--dry-run', '--json')
  expect(dry, form.name).toMatchObject({ code: 1, answer: '', errors: [expect.stringMatching(said)] })
  expect(world.everything(), form.name).toEqual(before)
  const real = await run(form, file, '--json')
  expect({ ...real, json: null }, form.name).toEqual({ ...dry, json: null })
}

describe.each(FORMS)('$name', form => {
  beforeEach(() => world.folder('other'))

  it('writes nothing, and says what it would do', async () => {
    const file = world.session('one')
    const before = world.everything()
    for (const json of [['--json'], []]) {
      const dry = await run(form, file, '--dry-run', ...json)
      expect(dry).toMatchObject({ code: 0, errors: [] })
      if (json.length > 0) expect(dry.json()).toMatchObject({ dryRun: true })
      else expect(dry.answer).toMatch(/ould /)
    }
    expect(world.everything()).toEqual(before)
    expect(await run(form, file)).toMatchObject({ code: 0, errors: [] })
    expect(world.everything()).not.toEqual(before)
  })

  it('refuses a file that is not there', () =>
    expectSameRefusal(form, 'gone.jsonl', /gone\.jsonl.*not there/))

  it('refuses what lies in the trash', async () => {
    const file = path.join(world.agentDir, 'sessions', 'grove-trash', 'item', '-proj', 'one.jsonl')
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.renameSync(world.session('one'), file)
    await expectSameRefusal(form, file, 'is in the trash')
  })

  it('refuses a file outside the agent directory that is named', async () => {
    world.folder('agent', 'sessions')
    const file = world.session('one')
    await expectSameRefusal(
      { ...form, argv: [...form.argv, '--agent-dir', 'agent'] },
      file,
      'does not lie in',
    )
  })

  it('refuses a session of a program of which only the format is shared', async () => {
    const file = path.join(world.folder('.pi', 'agent', 'sessions', '-proj'), 'one.jsonl')
    fs.renameSync(world.session('one'), file)
    await expectSameRefusal(form, file, 'root that Grove only reads')
  })

  it('refuses a version above 3, and a file without a header', async () => {
    const newer = world.session('newer', [
      { ...HEADER, version: 4, id: 'n', cwd: 'CWD' },
      message('a', null),
      message('b', 'a'),
    ])
    await expectSameRefusal(form, newer, /newer\.jsonl.* is of version 4/)
    const headless = world.session('headless', [message('a', null), message('b', 'a')])
    await expectSameRefusal(form, headless, /headless\.jsonl.* no (readable )?header|names no folder/)
  })

  if (form.useMatters !== false) {
    it('refuses a session that another program has open', async ctx => {
      if (process.platform !== 'linux') ctx.skip('who has a file open is told by /proc, which only Linux has')
      const file = world.session('one')
      const pid = await world.hold(file)
      await expectSameRefusal(form, file, new RegExp(`one\\.jsonl.*process ${pid}`))
    })

    it('refuses a session that another program wrote to just now', async () => {
      const file = world.session('one')
      const now = new Date()
      fs.utimesSync(file, now, now)
      await expectSameRefusal(form, file, /one\.jsonl.* was written to/)
    })
  }
})

describe('what one command alone refuses', () => {
  const cases: [what: string, command: Command, argv: string[], said: string][] = [
    ['a parent that is not there', appendCommand, ['--text', 'x', '--parent', 'z'], 'holds no entry z'],
    [
      'a label for an entry that is not there',
      appendCommand,
      ['--entry', '{"type":"label","targetId":"z","label":"x"}'],
      'holds no entry z',
    ],
    ['an entry that is not there', continueBranchCommand, ['z'], 'holds no entry z'],
    ['no marker', continueBranchCommand, ['--undo', 'b'], 'goes on after that entry'],
    ['a name for an entry that is not there', labelCommand, ['z', 'x'], 'holds no entry z'],
    ['a path to an entry that is not there', forkCommand, ['--at', 'z'], 'holds no entry z'],
    ['a folder that is not there', moveCommand, ['--to', 'gone'], 'gone'],
    ['the folder it is in', moveCommand, ['--to', 'proj'], 'lies there already'],
    ['an agent directory that is not there', moveCommand, ['--to-agent-dir', 'gone'], 'gone'],
  ]
  it.each(cases)('%s', async (_, command, argv, said) => {
    await expectSameRefusal({ name: said, command, argv }, world.session('one'), said)
  })

  it('a line of standard input that is wrong, as the real run does when it comes to it', async () => {
    const file = world.session('one')
    const form = { name: 'lines', command: appendCommand, argv: ['-'], input: ['{"type":"custom"}\n'] }
    await expectSameRefusal(form, file, 'Line 1 of standard input was not added')
  })
})

it('of a new session tells the folder, and no name that would be another one', async () => {
  world.folder('proj')
  const before = world.everything()
  const dry = await world.run(appendCommand, '--new', '--cwd', 'proj', '--text', 'x', '--dry-run', '--json')
  expect(dry).toMatchObject({ code: 0, errors: [] })
  expect(dry.json()).toMatchObject({
    dryRun: true,
    file: null,
    directory: path.join(world.agentDir, 'sessions', '-proj'),
    created: true,
    sessionId: null,
    count: 1,
    id: null,
  })
  expect(world.everything()).toEqual(before)
})

it('of taking a marker back writes nothing either', async () => {
  const file = world.session('one')
  const { id } = (await world.run(continueBranchCommand, file, 'a', '--json')).json<{ id: string }>()
  const before = world.everything()
  const dry = await world.run(continueBranchCommand, file, '--undo', id, '--dry-run', '--json')
  expect(dry.json()).toMatchObject({ dryRun: true, changed: true, undone: id })
  expect(world.everything()).toEqual(before)
})
