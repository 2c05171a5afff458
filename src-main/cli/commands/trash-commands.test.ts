/** `drop` and `restore` as a script sees them: answers, exit codes, and one line per complaint. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  removeLibrary,
  type TestLibrary,
  testContext,
  testLibrary,
} from '../../library/trash/test-library.test-support'
import type { Command, CommandIo } from '../command'
import { dropCommand } from './drop'
import { restoreCommand } from './restore'

let library: TestLibrary
beforeEach(() => {
  library = testLibrary()
})
afterEach(() => removeLibrary(library))

async function run(command: Command, ...argv: string[]) {
  const answer: string[] = []
  const errors: string[] = []
  const io: CommandIo = {
    // The real process id: the system's own table of processes is looked at.
    env: { ...testContext(library, { pid: process.pid }).env },
    cwd: library.home,
    print: line => answer.push(line),
    error: line => errors.push(line),
    input: async function* () {},
    checkWritable: () => undefined,
  }
  const own = argv.includes('--agent-dir') ? [] : ['--agent-dir', path.join(library.home, 'agent')]
  const code = await command.run([...argv, ...own], io)
  return { code, answer: answer.join('\n'), errors, json: () => JSON.parse(answer.join('\n')) }
}

it('drops, lists and restores by file, trash id and session id', async () => {
  const journal = library.addSession('one')
  const before = library.contents()
  const dry = await run(dropCommand, journal, '--dry-run', '--json')
  expect(dry.json()).toMatchObject({
    dryRun: true,
    sessions: 1,
    files: 7,
    subagents: 2,
    drafts: 1,
    staying: [],
  })
  expect(library.contents()).toEqual(before)
  const dropped = await run(dropCommand, path.relative(library.home, journal), '--json')
  expect(dropped).toMatchObject({ code: 0, errors: [] })
  expect(dropped.json()).toMatchObject({ done: 1, files: 7, items: [{ journal }] })
  for (const name of [journal, dropped.json().items[0].id, 'one']) {
    const planned = await run(restoreCommand, name, '--dry-run', '--json')
    expect(planned.json()).toMatchObject({ dryRun: true, asked: 1, items: [{ journal, files: 7 }] })
  }
  const listed = await run(restoreCommand, '--list', '--json')
  expect(listed.json()).toMatchObject([{ sessionId: 'one', journal, files: 7, problem: null }])
  const restored = await run(restoreCommand, 'one', '--json')
  expect(restored).toMatchObject({ code: 0, errors: [] })
  expect(restored.json()).toMatchObject({ done: 1, files: 7, items: [{ journal }] })
  expect(library.contents()).toEqual(before)
})

it('says who keeps a link, in words and as data', async () => {
  const journal = library.addSession('one')
  const fork = library.addSession('fork')
  const text = fs.readFileSync(fork, 'utf8').replace('"cwd"', `"parentSession":"one","cwd"`)
  fs.writeFileSync(fork, text)
  const dry = await run(dropCommand, journal, '--dry-run', '--json')
  expect(dry.json().linkedBy).toEqual([{ path: fork, title: 'fork.jsonl' }])
  const words = await run(dropCommand, journal, '--dry-run')
  expect(words.answer).toContain('keeps a link to it: fork.jsonl')
})

it('fails with one line and exit code 1 for what stays, and keeps the answer clean', async () => {
  const gone = path.join(library.sessionsDir, '-proj', 'gone.jsonl')
  const dropped = await run(dropCommand, gone, library.addSession('one'), '--json')
  expect(dropped.code).toBe(1)
  expect(dropped.errors).toHaveLength(1)
  expect(dropped.errors[0]).toContain('gone.jsonl')
  expect(dropped.json()).toMatchObject({ done: 1, asked: 2, staying: [{ reason: 'missing' }] })
  const restored = await run(restoreCommand, 'nothing-of-that-name')
  expect(restored).toMatchObject({ code: 1, answer: '' })
  expect(restored.errors).toHaveLength(1)
})

it('moves nothing into the trash of another agent directory, and makes none', async () => {
  const journal = library.addSession('one')
  const outside = path.join(library.home, 'outside.jsonl')
  fs.copyFileSync(journal, outside)
  fs.mkdirSync(path.join(library.home, 'other', 'sessions'), { recursive: true })
  const before = library.contents()
  const refused = [
    [dropCommand, journal, '--agent-dir', 'absent'],
    [dropCommand, journal, '--agent-dir', 'other'],
    [dropCommand, journal, '--agent-dir', 'other', '--dry-run'],
    [dropCommand, outside],
    [restoreCommand, 'one', '--agent-dir', 'absent'],
    [restoreCommand, '--list', '--agent-dir', 'absent'],
  ] as const
  for (const [command, ...argv] of refused) {
    const { code, answer, errors } = await run(command, ...argv)
    expect([code, answer, errors.length], argv.join(' ')).toEqual([1, '', 1])
  }
  expect(library.contents()).toEqual(before)
  expect(fs.existsSync(path.join(library.home, 'absent'))).toBe(false)
  // The same folder by another name is not another folder.
  fs.symlinkSync(path.join(library.home, 'agent'), path.join(library.home, 'link'))
  expect(await run(dropCommand, journal, '--agent-dir', 'link', '--dry-run')).toMatchObject({ code: 0 })
})

it('sends no control character of a name to the terminal', async () => {
  const journal = library.addSession('\u001b[31m')
  for (const argv of [[journal, '--dry-run'], [journal]]) {
    const { code, answer } = await run(dropCommand, ...argv)
    expect(code).toBe(0)
    expect(answer).toContain('␛[31m')
    expect(answer).not.toContain('\u001b')
  }
  for (const argv of [['--list'], [journal, '--dry-run'], [journal]]) {
    const { code, answer } = await run(restoreCommand, ...argv)
    expect(code).toBe(0)
    expect(answer).not.toContain('\u001b')
  }
})

it('refuses wrong usage', async () => {
  await expect(run(dropCommand)).rejects.toThrow('at least one')
  await expect(run(dropCommand, 'notes.txt')).rejects.toThrow('.jsonl')
  await expect(run(dropCommand, '--what')).rejects.toThrow('--what')
  await expect(run(restoreCommand, '--list', 'one')).rejects.toThrow('--list')
})
