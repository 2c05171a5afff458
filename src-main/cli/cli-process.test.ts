/**
 * The command line as a process: what reaches standard output and standard error, exit codes, and what another
 * user may not read. Bundled from its source, so that plain Node runs what is tested.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HEADER, journal, message } from '../engine/storage/journal.test-support'
import { bundledCli } from './bundled-cli.test-support'

const OTHER_USER = 12_345

let scratch: string
let cli: string
let home: string
let agentDir: string

beforeAll(async () => {
  scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-cli-')))
  fs.chmodSync(scratch, 0o755)
  cli = await bundledCli(scratch)
}, 120_000)
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

beforeEach(() => {
  home = fs.mkdtempSync(path.join(scratch, 'home-'))
  fs.chmodSync(home, 0o755)
  agentDir = path.join(home, '.omp', 'agent')
})

function run(args: readonly string[], options: { uid?: number } = {}) {
  const done = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  return { code: done.status, out: done.stdout, errors: done.stderr.split('\n').slice(0, -1) }
}

function session(name: string, project = '-p'): string {
  const file = path.join(agentDir, 'sessions', project, `${name}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, journal(HEADER, message('a', null, 'Hello')))
  return file
}

describe('answers', () => {
  it('are all there is on standard output', () => {
    const file = session('one')
    const list = run(['list', '--json'])
    expect(list).toMatchObject({ code: 0, errors: [] })
    expect(JSON.parse(list.out)).toMatchObject([
      { path: file, firstPrompt: 'Hello', tips: 1, damagedLines: 0 },
    ])
    const inspect = run(['inspect', path.relative(home, file), '--json'])
    expect(inspect).toMatchObject({ code: 0, errors: [] })
    expect(JSON.parse(inspect.out)).toMatchObject({ file, leafId: 'a', tips: ['a'], usage: { cost: null } })
  })

  it('tell the forms of one command', () => {
    for (const flag of ['--help', '-h']) {
      const { code, out, errors } = run(['reroot', flag])
      expect({ code, errors }).toEqual({ code: 0, errors: [] })
      expect(out).toContain('--undo CHANGE-ID')
      expect(out).not.toContain('drop FILE')
    }
    expect(run(['inspect', '--', '--help'])).toMatchObject({ code: 1, out: '' })
  })

  it('list nothing where there is nothing', () => {
    fs.mkdirSync(agentDir, { recursive: true })
    expect(run(['list', '--json'])).toEqual({ code: 0, out: '[]\n', errors: [] })
    expect(run(['list', '--agent-dir', agentDir])).toMatchObject({ code: 0, errors: [] })
  })

  it('are given for any readable file, empty or without header', () => {
    const empty = path.join(home, 'empty.jsonl')
    fs.writeFileSync(empty, '')
    const inspected = run(['inspect', empty, '--json'])
    expect(inspected).toMatchObject({ code: 0, errors: [] })
    expect(JSON.parse(inspected.out)).toMatchObject({
      header: null,
      version: null,
      entryCount: 0,
      leafId: null,
      problems: [{ kind: 'empty' }],
    })
    fs.writeFileSync(empty, 'no header')
    expect(run(['inspect', empty])).toMatchObject({ code: 0, errors: [] })
  })

  it('show control characters of names and titles, and do not send them', () => {
    session('\u001b]0;title\u0007')
    for (const args of [
      ['list'],
      ['inspect', path.join(agentDir, 'sessions/-p/\u001b]0;title\u0007.jsonl')],
    ]) {
      const { out, errors } = run(args)
      for (const control of ['\u001b', '\u0007']) expect(`${out}${errors}`).not.toContain(control)
    }
    expect(run(['inspect', '/\u001b[31m']).errors[0]).toContain('␛[31m')
  })
})

describe('complaints', () => {
  const single = /^grove: .+\.$/

  it.each([
    ['no command', []],
    ['an unknown command', ['lost']],
    ['an unknown option', ['list', '--lost']],
    ['an argument too many', ['list', 'x']],
    ['no file', ['inspect']],
    ['two files', ['inspect', 'a', 'b']],
    ['an empty folder name', ['inspect', 'a', '--agent-dir', '']],
    ['an empty file name', ['inspect', '']],
    ['a name that begins with a dash', ['inspect', '-x.jsonl']],
  ])('about %s: one line, exit code 2', (_, args) => {
    const { code, out, errors } = run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(/^grove: [^'"]*('[^']*'[^'"]*)*$/)
    expect(errors[0]).not.toMatch(/[^.] Usage: /)
  })

  it.each([
    ['an agent directory that is not there', ['list', '--agent-dir', 'gone']],
    ['an agent directory that is a file', ['list', '--agent-dir', 'file']],
    ['an agent directory of inspect that is not there', ['inspect', 'file', '--agent-dir', 'gone']],
    ['a file that is not there', ['inspect', 'gone.jsonl']],
    ['a folder instead of a file', ['inspect', '.']],
    ['links that go round', ['inspect', 'loop']],
  ])('about %s: one line, exit code 1, nothing on standard output', (_, args) => {
    fs.writeFileSync(path.join(home, 'file'), '')
    fs.symlinkSync('loop', path.join(home, 'loop'))
    const { code, out, errors } = run(args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(single)
  })

  it('are none where omp never ran: the library is empty', () => {
    expect(run(['list', '--json'])).toEqual({ code: 0, out: '[]\n', errors: [] })
    expect(run(['list'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No sessions in .*\n$/),
      errors: [],
    })
  })

  it('about an answer that cannot be written: one line, exit code 1', ctx => {
    if (!fs.existsSync('/dev/full')) ctx.skip('there is no /dev/full here')
    session('one')
    for (const args of [['list', '--json'], ['help']]) {
      const full = fs.openSync('/dev/full', 'w')
      const done = spawnSync(process.execPath, [cli, ...args], {
        encoding: 'utf8',
        env: { HOME: home, PATH: process.env.PATH },
        stdio: ['ignore', full, 'pipe'],
      })
      fs.closeSync(full)
      expect(done.status).toBe(1)
      expect(done.stderr.split('\n')).toEqual([expect.stringMatching(/^grove: .*full/), ''])
    }
  })

  it('do not come from a reader that went away', () => {
    for (let at = 0; at < 30; at++) session(`s${at}`)
    const piped = execFileSync('sh', ['-c', `"${process.execPath}" "${cli}" list --json | head -c 1`], {
      env: { HOME: home, PATH: process.env.PATH },
    })
    expect(piped.toString()).toBe('[')
  })
})

describe('as a user who may not read all of it', () => {
  const isRoot = process.getuid?.() === 0
  const asOther = { uid: OTHER_USER }

  it('lists an unreadable file as a stub, and does not inspect it', ctx => {
    if (!isRoot) ctx.skip('running as another user needs root')
    const file = session('secret')
    session('open')
    fs.chmodSync(file, 0o600)
    const { code, out, errors } = run(['list', '--json'], asOther)
    expect({ code, errors }).toEqual({ code: 0, errors: [] })
    const stub = JSON.parse(out).find((object: { path: string }) => object.path === file)
    expect(stub).toMatchObject({
      problem: expect.stringContaining('permission'),
      bytes: fs.statSync(file).size,
      entryCount: 0,
    })
    expect(JSON.parse(out)).toHaveLength(2)
    expect(run(['inspect', file], asOther)).toMatchObject({
      code: 1,
      out: '',
      errors: [expect.stringContaining('permission')],
    })
  })

  it('inspects the file and says that its artifacts or its draft cannot be read', ctx => {
    if (!isRoot) ctx.skip('running as another user needs root')
    const file = session('one')
    const artifacts = file.replace(/\.jsonl$/, '')
    fs.mkdirSync(artifacts)
    fs.writeFileSync(path.join(artifacts, 'draft.txt'), 'unsent')
    for (const [name, mode] of [
      ['.', 0o700],
      ['draft.txt', 0o600],
    ] as const) {
      fs.chmodSync(artifacts, 0o755)
      fs.chmodSync(path.join(artifacts, name), mode)
      const { code, out, errors } = run(['inspect', file, '--json'], asOther)
      expect(code).toBe(0)
      expect(JSON.parse(out)).toMatchObject({ entryCount: 1, artifacts: [], draft: null })
      expect(errors).toEqual([expect.stringContaining(artifacts)])
    }
  })

  it('lists the others when a root or a folder cannot be read, and fails', ctx => {
    if (!isRoot) ctx.skip('running as another user needs root')
    const open = session('open')
    session('hidden', '-hidden')
    fs.chmodSync(path.join(agentDir, 'sessions', '-hidden'), 0o700)
    const pi = path.join(home, '.pi', 'agent', 'sessions')
    fs.mkdirSync(pi, { recursive: true })
    fs.chmodSync(pi, 0o700)
    const { code, out, errors } = run(['list', '--json'], asOther)
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject([{ path: open }])
    expect(errors).toHaveLength(2)
  })

  it('answers a plain message for an agent directory that is closed to it', ctx => {
    if (!isRoot) ctx.skip('running as another user needs root')
    session('x')
    fs.chmodSync(agentDir, 0o700)
    expect(run(['list', '--agent-dir', agentDir], asOther)).toMatchObject({
      code: 1,
      out: '',
      errors: [expect.stringContaining('permission')],
    })
  })
})
