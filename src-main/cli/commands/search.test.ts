/** `search` and `files` as commands: their options, what they print as they find it, and how they end. */
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileSystem } from '../../engine/storage/file-system'
import { HEADER, journal, message } from '../../engine/storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { runCommand } from '../command-run.test-support'
import { systemCheckWritable } from '../writable'
import { filesCommand } from './files'
import { searchCommand } from './search'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
  env.env = { GROVE_DATA_DIR: `${env.home}/data` }
})
afterEach(() => env.remove())

const AGENT = '.omp/agent'
const call = (name: string, args: object) => ({ type: 'toolCall', id: `c-${name}`, name, arguments: args })
const says = (id: string, content: object[]) => ({
  ...message(id, null),
  message: { role: 'assistant', content },
})

function session(id: string, cwd: string, ...records: object[]): string {
  const file = env.put(
    `${AGENT}/sessions/-w/${id}.jsonl`,
    journal({ ...HEADER, id, cwd, title: `Title ${id}` }, ...records),
  )
  // The last changed comes first.
  const time = Date.parse('2026-01-10') / 1000 + id.charCodeAt(0)
  fs.utimesSync(file, time, time)
  return file
}

type Place = {
  path: string
  entryId: string | null
  ordinal: number | null
  artifact: string | null
  role: string
  text: string
}

async function places(...argv: string[]): Promise<Place[]> {
  const run = await runCommand(searchCommand, env, ...argv, '--json')
  expect([run.code, run.errors]).toEqual([0, []])
  // One object a line, as docs/cli.md says; what is in it is what the tests look at.
  return run.answer === '' ? [] : run.answer.split('\n').map(line => JSON.parse(line) as Place)
}

const search = (...argv: string[]) => runCommand(searchCommand, env, ...argv)

describe('search', () => {
  it('finds all words, the beginning of each, whatever their case, the last changed session first', async () => {
    const a = session(
      'a',
      '/w/app',
      message('m1', null, 'The Flaky upload test'),
      message('m2', 'm1', 'other'),
    )
    const b = session('b', '/w/app', message('m1', null, 'flaky uploads'))
    session('c', '/w/app', message('m1', null, 'flaky download'))
    const found = await places('flaky', 'upload')
    expect(found.map(({ path, entryId, ordinal, role }) => [path, entryId, ordinal, role])).toEqual([
      [b, 'm1', 0, 'user'],
      [a, 'm1', 0, 'user'],
    ])
    expect(found[1]).toMatchObject({ title: 'Title a', text: 'The Flaky upload test', artifact: null })
    expect(found[1]).toMatchObject({
      ranges: [
        [4, 9],
        [10, 16],
      ],
    })
  })

  it('prints for people sessions with their places and how many there are', async () => {
    const file = session(
      'a',
      '/w/app',
      ...Array.from({ length: 8 }, (_, at) => message(`m${at}`, null, `needle ${at}`)),
    )
    const run = await search('needle')
    expect(run.code).toBe(0)
    const lines = run.answer.split('\n')
    expect(lines[0]).toBe('Title a  (8)')
    expect(lines[1]).toBe(`    ${file}`)
    expect(lines.filter(line => line.includes('needle'))).toHaveLength(5)
    expect(await places('needle')).toHaveLength(8)
  })

  it('takes the text as it stands, or for an expression', async () => {
    session('a', '/w/app', message('m1', null, 'exit code 17'))
    expect(await places('--exact', 'code 1')).toHaveLength(1)
    expect(await places('--exact', 'Code 1')).toHaveLength(0)
    expect(await places('--regex', 'code \\d{2}$')).toHaveLength(1)
    expect(await places('--regex', '(?i)^EXIT')).toHaveLength(1)
    expect(await places('--regex', '^code')).toHaveLength(0)
  })

  it('looks at tool calls and artifacts only with --all-text, at thinking only with --thinking', async () => {
    session(
      'a',
      '/w/app',
      says('m1', [call('bash', { command: 'run needle' }), { type: 'thinking', thinking: 'a needle?' }]),
    )
    env.put(`${AGENT}/sessions/-w/a/0.bash.log`, 'the needle came out')
    expect(await places('needle')).toEqual([])
    expect((await places('needle', '--thinking')).map(({ role }) => role)).toEqual(['thinking'])
    const all = await places('needle', '--all-text')
    expect(all.map(({ role, artifact }) => [role, artifact])).toEqual([
      ['tool', null],
      ['tool', '0.bash.log'],
    ])
    expect(all[1]).toMatchObject({ entryId: null, ordinal: null, text: 'the needle came out' })
  })

  it('keeps to a project and to a number of sessions, and says that there is more', async () => {
    for (const id of ['a', 'b', 'c'])
      session(id, id === 'b' ? '/w/other' : '/w/app', message('m1', null, 'needle'))
    expect(await places('needle', '--project', 'other')).toHaveLength(1)
    expect(await places('needle', '--project', '/w/app')).toHaveLength(2)
    expect(await places('needle', '--project', 'nowhere')).toHaveLength(0)
    expect(await places('needle', '--limit', '2')).toHaveLength(2)
    expect((await search('needle', '--limit', '2')).answer).toContain('There is more')
    expect((await search('needle', '--limit', '3')).answer).not.toContain('There is more')
  })

  it('prints each session before it reads the next', async () => {
    for (const id of ['a', 'b', 'c']) session(id, '/w/app', message('m1', null, 'needle'))
    const order: string[] = []
    const open = (...given: Parameters<FileSystem['open']>) => {
      const [file] = given
      if (file.endsWith('.jsonl')) order.push(`open ${path.basename(file, '.jsonl')}`)
      return env.fs.open(...given)
    }
    const io = {
      env: { ...env, fs: { ...env.fs, open } },
      cwd: env.home,
      print: (line: string) => order.push(`print ${/(\w)\.jsonl/.exec(line)?.[1]}`),
      error: (line: string) => order.push(line),
      input: async function* () {},
      checkWritable: systemCheckWritable,
    }
    expect(await searchCommand.run(['needle', '--json'], io)).toBe(0)
    // Their heads are read first, to know the newest.
    expect(order.slice(-6)).toEqual(['open c', 'print c', 'open b', 'print b', 'open a', 'print a'])
  })

  it('finds what omp archived', async () => {
    const file = env.put(
      `${AGENT}/archive/sessions/-w/old.jsonl.gz`,
      gzipSync(journal(HEADER, message('m1', null, 'a needle'))),
    )
    expect(await places('needle')).toMatchObject([{ path: file, entryId: 'm1' }])
    expect(await places('needle', '--regex')).toMatchObject([{ path: file }])
  })

  it('has nothing found for an answer', async () => {
    session('a', '/w/app', message('m1', null, 'hay'))
    const run = await search('needle')
    expect([run.code, run.answer, run.errors]).toEqual([0, 'Nothing was found.', []])
    const json = await search('needle', '--json')
    expect([json.code, json.answer]).toEqual([0, ''])
  })

  it('tells what cannot be read, finds the rest, and ends with 1', async () => {
    const good = session('a', '/w/app', message('m1', null, 'needle'))
    fs.mkdirSync(`${env.home}/${AGENT}/sessions/-w/folder.jsonl`)
    const run = await search('needle', '--json')
    expect(run.code).toBe(1)
    expect(run.errors).toEqual([expect.stringMatching(/folder\.jsonl: it is a folder/)])
    expect(JSON.parse(run.answer)).toMatchObject({ path: good })
  })

  it('ends with 1 where --agent-dir is none', async () => {
    const run = await search('needle', '--agent-dir', `${env.home}/nowhere`)
    expect([run.code, run.answer, run.errors.length]).toEqual([1, '', 1])
  })

  it.each([
    [[], /something to look for/],
    [['  '], /something to look for/],
    [['x', '--exact', '--regex'], /exclude each other/],
    [['(', '--regex'], /expression|regular/i],
    [['x', '--limit', '0'], /--limit/],
    [['x', '--limit', 'many'], /--limit/],
    [['x', '--unknown'], /unknown/i],
  ])('refuses %j as wrong usage', async (argv, message) => {
    await expect(search(...argv)).rejects.toThrow(message)
  })

  it('writes nothing, an index neither', async () => {
    session('a', '/w/app', message('m1', null, 'needle'))
    const before = fs.readdirSync(env.home, { recursive: true })
    await places('needle', '--all-text')
    expect(fs.readdirSync(env.home, { recursive: true })).toEqual(before)
  })
})

describe('files', () => {
  const files = (...argv: string[]) => runCommand(filesCommand, env, ...argv)
  const edit = (id: string, path: string, time: string) => ({
    ...says(id, [call('edit', { path })]),
    timestamp: time,
  })

  it('lists the sessions that changed a file, the latest change first, with how often', async () => {
    const early = '2026-01-02T10:00:00.000Z'
    const a = session(
      'a',
      '/w/app',
      edit('e1', 'src/app.ts', early),
      edit('e2', 'src/app.ts', '2026-01-03T10:00:00.000Z'),
    )
    const b = session('b', '/w/app', {
      ...says('e1', [call('write', { path: '/w/app/src/app.ts' })]),
      timestamp: early,
    })
    session('c', '/w/app', edit('e1', 'src/other.ts', early))
    for (const asked of ['app.ts', 'src/app.ts', './src/app.ts', '/w/app/src/app.ts']) {
      const run = await files(asked, '--json')
      expect([run.code, run.errors]).toEqual([0, []])
      expect(run.json(), asked).toEqual([
        {
          session: a,
          path: '/w/app/src/app.ts',
          count: 2,
          lastOrdinal: 1,
          lastEntryId: 'e2',
          lastChange: 'edit',
          time: '2026-01-03T10:00:00.000Z',
        },
        {
          session: b,
          path: '/w/app/src/app.ts',
          count: 1,
          lastOrdinal: 0,
          lastEntryId: 'e1',
          lastChange: 'write',
          time: early,
        },
      ])
    }
    const people = await files('app.ts')
    expect(people.answer.split('\n')).toEqual([
      '2026-01-03 10:00  edit    /w/app/src/app.ts  (2 changes)',
      `    ${a}`,
      '2026-01-02 10:00  write   /w/app/src/app.ts  (1 change)',
      `    ${b}`,
    ])
  })

  it('does not count a call that failed', async () => {
    const failed = {
      ...message('r', 'e1'),
      message: { role: 'toolResult', toolCallId: 'c-edit', isError: true, content: [] },
    }
    session('a', '/w/app', edit('e1', 'src/app.ts', HEADER.timestamp), failed)
    expect((await files('app.ts', '--json')).json()).toEqual([])
    const run = await files('app.ts')
    expect([run.code, run.answer]).toEqual([0, 'No session changed app.ts.'])
  })

  it('looks into what omp archived', async () => {
    const text = journal({ ...HEADER, cwd: '/w/app' }, edit('e1', 'src/app.ts', HEADER.timestamp))
    const file = env.put(`${AGENT}/archive/sessions/-w/old.jsonl.gz`, gzipSync(text))
    env.put(`${AGENT}/archive/sessions/-w/broken.jsonl.gz`, 'no gzip')
    expect((await files('app.ts', '--json')).json()).toMatchObject([{ session: file, count: 1 }])
  })

  it('ends with 1 where something cannot be read', async () => {
    const file = session('a', '/w/app', edit('e1', 'src/app.ts', HEADER.timestamp))
    fs.mkdirSync(`${env.home}/${AGENT}/sessions/-w/folder.jsonl`)
    const run = await files('app.ts', '--json')
    expect([run.code, run.errors.length]).toEqual([1, 1])
    expect(run.json()).toMatchObject([{ session: file }])
    expect((await files('x', '--agent-dir', `${env.home}/nowhere`)).code).toBe(1)
  })

  it.each([[[]], [['']], [['a', 'b']]])('refuses %j as wrong usage', async argv => {
    await expect(files(...argv)).rejects.toThrow(/exactly one path/)
  })
})
