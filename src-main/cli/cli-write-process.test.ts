/**
 * The commands that write sessions, as processes: pipes, two in a row, other programs, readers that go away, and what
 * another user may not write.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HEADER, journal, message } from '../engine/storage/journal.test-support'
import { bundledCli } from './bundled-cli.test-support'
import { entriesIn } from './work-world.test-support'

const OTHER_USER = 12_345
const ENTRIES = 1_000

let scratch: string
let cli: string
let home: string

beforeAll(async () => {
  scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-cli-write-')))
  fs.chmodSync(scratch, 0o755)
  cli = await bundledCli(scratch)
}, 120_000)
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

beforeEach(() => {
  home = fs.mkdtempSync(path.join(scratch, 'home-'))
  fs.chmodSync(home, 0o755)
})

const environment = () => ({ PATH: process.env.PATH, HOME: home })

function run(args: readonly string[], options: { uid?: number; input?: string | Uint8Array } = {}) {
  const { uid, input = '' } = options
  const done = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    cwd: home,
    input,
    env: environment(),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  return { code: done.status, out: done.stdout, errors: done.stderr.split('\n').slice(0, -1) }
}

function session(name: string, project = '-p'): string {
  const file = path.join(home, '.omp', 'agent', 'sessions', project, `${name}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, journal({ ...HEADER, id: name }, message('a', null, 'Hello'), message('b', 'a')))
  fs.utimesSync(file, 1_700_000_000, 1_700_000_000)
  return file
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `{"type":"custom","customType":"n","data":${at}}\n`).join('')

it('writes a thousand entries from a pipe, and acknowledges each', () => {
  const file = session('one')
  const { code, out, errors } = run(['append', file, '--json'], { input: lines(ENTRIES) })
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
  const said = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  const written = entriesIn(file).slice(2)
  expect(written.map(({ data }) => data)).toEqual(Array.from({ length: ENTRIES }, (_, at) => at))
  expect(said.slice(0, ENTRIES).map(({ id }) => id)).toEqual(written.map(({ id }) => id))
  expect(said[ENTRIES]).toMatchObject({ count: ENTRIES, leafId: written[ENTRIES - 1]?.id })
  expect(new Set(written.map(({ id }) => id)).size).toBe(ENTRIES)
})

it('acknowledges an entry before the next one comes', async () => {
  const file = session('one')
  const child = spawn(process.execPath, [cli, 'append', file, '-', '--json'], {
    cwd: home,
    env: environment(),
  })
  const ended = once(child, 'close')
  for (let at = 1; at <= 3; at++) {
    child.stdin.write(lines(1))
    const [chunk] = await once(child.stdout, 'data')
    const { id } = JSON.parse(String(chunk))
    expect(entriesIn(file)[at + 1]?.id).toBe(id)
  }
  child.stdin.end()
  expect((await ended)[0]).toBe(0)
})

it('goes on when whoever reads the answer goes away', () => {
  const file = session('one')
  const input = path.join(home, 'input')
  fs.writeFileSync(input, lines(ENTRIES))
  execFileSync(
    'sh',
    ['-c', `"${process.execPath}" "${cli}" append "${file}" --json < "${input}" | head -n 1`],
    {
      env: environment(),
    },
  )
  expect(entriesIn(file)).toHaveLength(2 + ENTRIES)
})

it('keeps what was acknowledged when it is killed in the middle', async () => {
  const file = session('one')
  const child = spawn(process.execPath, [cli, 'append', file, '--json'], { cwd: home, env: environment() })
  const ended = once(child, 'close')
  let out = ''
  child.stdin.on('error', () => undefined)
  child.stdin.write(lines(20 * ENTRIES))
  for await (const chunk of child.stdout) {
    out += String(chunk)
    if (out.length > 1_000) child.kill('SIGKILL')
  }
  await ended
  const acknowledged = out
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line).id)
  expect(acknowledged.length).toBeGreaterThan(10)
  const text = fs.readFileSync(file, 'utf8')
  for (const id of acknowledged) expect(text).toContain(`"id":"${id}"`)
})

it('knows the writes of the run before, and those of nobody else', () => {
  const file = session('one')
  const inARow = [
    ['append', file, '--text', 'größer'],
    ['rename', file, 'Käse 😀'],
    ['label', file, 'a', 'hier'],
    ['continue-branch', file, 'a'],
    ['draft', file, '--set', 'später'],
    ['append', 'one', '--text', 'again'],
  ]
  for (const args of inARow) expect(run(args), args[0]).toMatchObject({ code: 0, errors: [] })
  fs.appendFileSync(file, `${JSON.stringify(message('foreign', 'a'))}\n`)
  // Another name: to give the one that it has is no change, and is not refused.
  inARow[2] = ['label', file, 'a', 'dort']
  for (const args of inARow.filter(([name]) => name !== 'rename')) {
    const { code, out, errors } = run(args)
    expect({ code, out }, args[0]).toEqual({ code: 1, out: '' })
    expect(errors).toEqual([expect.stringMatching(/^grove: .*one\.jsonl is in use: .*\.$/)])
  }
  expect(run(['rename', file, 'Only the slot'])).toMatchObject({
    code: 0,
    errors: [expect.stringContaining('Another program has the session')],
  })
})

it('takes what stands behind -- for names', () => {
  const file = session('one')
  expect(run(['rename', '--json', '--', file, '--dry-run'])).toMatchObject({ code: 0 })
  expect(run(['label', '--', file, 'a', '--clear'])).toMatchObject({ code: 0 })
  expect(run(['append', '--', '--help'])).toMatchObject({
    code: 1,
    errors: ['grove: No session fits "--help".'],
  })
  const inspected = JSON.parse(run(['inspect', file, '--json']).out)
  expect(inspected).toMatchObject({ title: '--dry-run', labels: { a: '--clear' } })
})

describe('wrong usage', () => {
  it.each([
    ['append', []],
    ['append', ['x', '--text', '']],
    ['append', ['x', '--entry', '{']],
    ['append', ['x', '--entry', '{"type":"custom","id":"a","customType":"x"}']],
    ['fork', []],
    ['continue-branch', ['x']],
    ['move', ['x']],
    ['rename', ['x', ' ']],
    ['label', ['x', 'a', '']],
    ['draft', ['x', '--set']],
    ['draft', ['x', '--lost']],
  ])('%s %j: one line, exit code 2', (name, args) => {
    const { code, out, errors } = run([name, ...args])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(errors).toEqual([expect.stringMatching(new RegExp(`^grove: .+\\. Usage: ${name} `))])
  })
})

describe('as a user who may read a session and not write it', () => {
  const forms = (file: string) => [
    ['append', file, '--text', 'x'],
    ['append', file, '-'],
    ['rename', file, 'x'],
    ['label', file, 'a', 'x'],
    ['continue-branch', file, 'a'],
    ['draft', file, '--set', 'x'],
    ['fork', file],
    ['fork', file, '--at', 'a'],
    ['move', file, '--to', 'there'],
  ]

  it('everything is refused, by the dry run too, and nothing changes', ctx => {
    if (process.getuid?.() !== 0) ctx.skip('running as another user needs root')
    const file = session('one')
    fs.mkdirSync(path.join(home, 'there'))
    const before = fs.readFileSync(file, 'utf8')
    for (const form of forms(file))
      for (const dry of [['--dry-run'], []]) {
        const { code, out, errors } = run([...form, ...dry], { uid: OTHER_USER, input: lines(1) })
        expect({ code, out }, form.join(' ')).toEqual({ code: 1, out: '' })
        expect(errors, form.join(' ')).toEqual([
          expect.stringMatching(/^grove: .+permission denied.+\(EACCES\)\.$/),
        ])
      }
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
    expect(fs.readdirSync(path.dirname(file))).toEqual(['one.jsonl'])
  })
})
