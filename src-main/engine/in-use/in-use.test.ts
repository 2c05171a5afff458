/** Who uses a session: told from real processes where the system tells, and from made-up ones for every rule. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Environment, silentWork } from '../environment'
import { nodeFileSystem } from '../storage/node-file-system'
import { createInUseCheck } from './in-use-check'
import { linuxProcessTable, parseCommandLine, parseStat, terminalName } from './linux-process-table'
import { isOmpProcess, terminalOf } from './omp-process'
import type { ProcessInfo, ProcessTable } from './process-table'
import { unknownProcessTable } from './unknown-process-table'

let home: string
let sessions: string
let crumbs: string
const children: ChildProcess[] = []

beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-use-')))
  sessions = path.join(home, 'sessions', '-p')
  crumbs = path.join(home, 'terminal-sessions')
  fs.mkdirSync(sessions, { recursive: true })
  fs.mkdirSync(crumbs)
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  fs.rmSync(home, { recursive: true, force: true })
})

function environment(): Environment {
  const uuid = () => '0'
  const { pid, platform } = process
  return {
    fs: nodeFileSystem,
    now: Date.now,
    uuid,
    sessionId: uuid,
    pid,
    platform,
    home,
    tempDir: home,
    env: {},
  }
}

function session(name: string): string {
  const file = path.join(sessions, `${name}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, '{"type":"session"}\n')
  fs.utimesSync(file, 1_000_000, 1_000_000)
  return file
}

function crumb(terminal: string, file: string, more = ''): void {
  fs.writeFileSync(path.join(crumbs, terminal), `/w\n${file}\n${more}`)
}

const check = (processes: ProcessTable) => createInUseCheck(environment(), processes, [crumbs], silentWork)

function tableOf(...processes: Partial<ProcessInfo>[]): ProcessTable {
  const whole = processes.map(
    (process, at): ProcessInfo => ({
      pid: 100 + at,
      name: 'omp',
      argv: ['omp'],
      uid: 1000,
      cwd: '/w',
      terminal: null,
      terminalKnown: true,
      env: {},
      openFiles: [],
      ...process,
    }),
  )
  return {
    scan: async () => ({ known: true, processes: whole }),
    isAlive: pid => whole.some(process => process.pid === pid),
    startOf: () => null,
    startedAt: () => null,
  }
}

describe('rules', () => {
  it('free: nobody', async () => {
    expect((await check(tableOf())).check(session('a'), '/w')).toEqual({ state: 'free' })
  })

  it('lock: a live holder, also of a subagent; not a dead one', async () => {
    const file = session('a')
    const child = session('a/Agent')
    const lock = path.join(path.dirname(child), '.Agent.jsonl.lock')
    fs.writeFileSync(lock, '100:1\n')
    fs.utimesSync(lock, 1_000_000, 1_000_000)
    const used = (await check(tableOf({ cwd: '/elsewhere' }))).check(file, '/w')
    expect(used).toMatchObject({ state: 'in-use', pid: 100 })
    expect((await check(tableOf())).check(file, '/w')).toEqual({ state: 'free' })
  })

  it('growth: written a moment ago, also a subagent; not by Grove, not in the future', async () => {
    const file = session('a')
    const child = session('a/Agent')
    fs.utimesSync(child, Date.now() / 1000, Date.now() / 1000)
    const first = await check(tableOf())
    expect(first.check(file, '/w')).toMatchObject({ state: 'in-use', pid: null })
    expect(first.check(child, '/w')).toMatchObject({ state: 'in-use', pid: null })
    const own = { writtenByGrove: (journal: string) => journal === child }
    const second = await createInUseCheck(environment(), tableOf(), [], silentWork, own)
    expect(second.check(file, '/w')).toEqual({ state: 'free' })
    const later = Date.parse('2099-01-01') / 1000
    fs.utimesSync(child, later, later)
    expect((await check(tableOf())).check(file, '/w')).toEqual({ state: 'free' })
  })

  it.each([
    ['tty', { terminal: '/dev/pts/3', env: { TMUX_PANE: '%9' } }, 'pts-3'],
    ['tmux', { env: { TMUX_PANE: '%9' } }, 'tmux-%9'],
    ['zellij', { env: { ZELLIJ_PANE_ID: '4', ZELLIJ_SESSION_NAME: 'a/b' } }, 'zellij-a-b-4'],
    ['kitty', { env: { KITTY_WINDOW_ID: '7' } }, 'kitty-7'],
    ['windows terminal', { env: { WT_SESSION: 'x' } }, 'wt-x'],
  ])('breadcrumb: the terminal of a running omp names it (%s)', async (_what, facts, terminal) => {
    const [file, other] = [session('a'), session('b')]
    crumb(terminal, file, 'cwdstat 1 2\n')
    const used = await check(tableOf(facts))
    expect(used.check(file, '/w')).toMatchObject({ state: 'in-use', pid: 100 })
    expect(used.check(file, '/w')).toMatchObject({ text: expect.stringContaining(terminal) })
    // That omp is accounted for: the other session of its folder is free.
    expect(used.check(other, '/w')).toEqual({ state: 'free' })
    expect((await check(tableOf())).check(file, null)).toEqual({ state: 'free' })
  })

  it('breadcrumb: climbs from a subagent to its root, and knows a file by another path', async () => {
    const file = session('a')
    const child = session('a/Agent')
    fs.symlinkSync(path.join(home, 'sessions'), path.join(home, 'by-link'))
    crumb('tmux-1', path.join(home, 'by-link', '-p', 'a', 'Agent.jsonl'))
    const used = await check(tableOf({ env: { TMUX_PANE: '1' } }))
    expect(used.check(file, '/w')).toMatchObject({ state: 'in-use', pid: 100 })
    expect(used.check(child, '/w')).toMatchObject({ state: 'in-use', pid: 100 })
  })

  it('maybe: an omp in the folder whose breadcrumb is missing, unreadable or names what is gone', async () => {
    const file = session('a')
    const bare = await check(tableOf({}))
    expect(bare.check(file, '/w')).toMatchObject({ state: 'maybe', pid: 100 })
    expect(bare.check(file, '/elsewhere')).toEqual({ state: 'free' })
    expect(bare.check(file, null)).toEqual({ state: 'free' })
    crumb('tmux-1', path.join(sessions, 'gone.jsonl'))
    const pane = { env: { TMUX_PANE: '1' } }
    expect((await check(tableOf(pane))).check(file, '/w')).toMatchObject({ state: 'maybe' })
    crumb('tmux-1', path.join(sessions, 'gone.jsonl'), 'fresh\n')
    expect((await check(tableOf(pane))).check(file, '/w')).toEqual({ state: 'free' })
    fs.writeFileSync(path.join(crumbs, 'tmux-1'), 'one line only')
    expect((await check(tableOf(pane))).check(file, '/w')).toMatchObject({ state: 'maybe' })
  })

  it('maybe: by the folder behind a link', async () => {
    const file = session('a')
    fs.mkdirSync(path.join(home, 'real'))
    fs.symlinkSync(path.join(home, 'real'), path.join(home, 'link'))
    const used = await check(tableOf({ cwd: path.join(home, 'real') }))
    expect(used.check(file, path.join(home, 'link'))).toMatchObject({ state: 'maybe' })
  })

  it('unknown: says so where the system does not tell, but still sees locks and growth', async () => {
    const file = session('a')
    const used = await check(unknownProcessTable('win32'))
    expect(used.check(file, '/w')).toMatchObject({ state: 'unknown' })
    fs.utimesSync(file, Date.now() / 1000, Date.now() / 1000)
    expect(used.check(file, '/w')).toMatchObject({ state: 'in-use' })
  })

  it('tells an omp from others', () => {
    const is = (name: string, ...argv: string[]) => isOmpProcess({ name, argv })
    expect(is('omp', 'omp')).toBe(true)
    expect(is('bun', 'bun', '/home/u/.bun/bin/omp')).toBe(true)
    expect(is('bun', '/usr/bin/bun', '--smol', '/x/@oh-my-pi/pi-coding-agent/src/cli.ts')).toBe(true)
    expect(is('node', 'node', './omp.js', '--continue')).toBe(true)
    expect(is('sh', 'sh', '/w/omp')).toBe(true)
    expect(is('vim', 'vim', '/w/omp-notes.md')).toBe(false)
    expect(is('romp', 'romp')).toBe(false)
    expect(is('node', 'node', '/w/pi-coding-agent')).toBe(false)
  })

  it('reads what /proc says', () => {
    expect(parseCommandLine('a\0b c\0\0')).toEqual(['a', 'b c'])
    const stat = `7 (a ) (b) S 1 7 7 34819 7 4194304 1 0 0 0 1 2 0 0 20 0 1 0 9876 1 1`
    expect(parseStat(stat)).toEqual({ name: 'a ) (b', state: 'S', terminal: 34819, startTicks: 9876 })
    expect(terminalName(34819)).toBe('/dev/pts/3')
    expect(terminalName(0)).toBe(null)
    expect(
      terminalOf({
        pid: 1,
        name: '',
        argv: [],
        uid: 0,
        cwd: null,
        terminal: '/dev/pts/3',
        terminalKnown: true,
        env: null,
        openFiles: [],
      }),
    ).toBe('pts-3')
  })
})

describe('real processes', () => {
  beforeEach(ctx => {
    if (process.platform !== 'linux') ctx.skip('processes are read from /proc, which only Linux has')
  })

  /** Starts a program that says when it is ready; its standard input is no terminal. */
  async function start(
    script: string,
    env: Record<string, string>,
    cwd = home,
    ...args: string[]
  ): Promise<ChildProcess> {
    const clean = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/PANE|SESSION|WINDOW_ID/.test(name)),
    )
    const child = spawn(process.execPath, [script, ...args], { cwd, env: { ...clean, ...env } })
    children.push(child)
    await once(child.stdout ?? child, 'data')
    return child
  }

  function program(name: string, text: string): string {
    const file = path.join(home, 'bin', name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, `${text}\nprocess.stdout.write('ready'); setInterval(() => {}, 1000)\n`)
    return file
  }

  const look = () => check(linuxProcessTable())

  it('sees a file that another process holds open, also below the artifact directory', async () => {
    const [file, other, third] = [session('a'), session('b'), session('c')]
    const artifact = path.join(sessions, 'b', '0.bash.log')
    fs.mkdirSync(path.dirname(artifact))
    fs.writeFileSync(artifact, '')
    const holder = program(
      'holder.js',
      `for (const file of process.argv.slice(2)) require('node:fs').openSync(file, 'r')`,
    )
    const child = await start(holder, {}, home, file, artifact)
    const used = await look()
    expect(used.check(file, null)).toMatchObject({ state: 'in-use', pid: child.pid })
    expect(used.check(other, null)).toMatchObject({ state: 'in-use', pid: child.pid })
    expect(used.check(third, null)).toEqual({ state: 'free' })
  })

  it('ties a silent omp to its session by the breadcrumb of its terminal', async () => {
    const [file, other] = [session('a'), session('b')]
    crumb('tmux-%91', file)
    const child = await start(program('omp', ''), { TMUX_PANE: '%91' })
    const used = await look()
    expect(used.check(file, home)).toMatchObject({ state: 'in-use', pid: child.pid })
    expect(used.check(other, home)).toEqual({ state: 'free' })
  })

  it('asks about the folder of an omp that nothing ties to a session', async () => {
    const file = session('a')
    const child = await start(program('omp', ''), {})
    const used = await look()
    expect(used.check(file, home)).toMatchObject({ state: 'maybe', pid: child.pid })
    expect(used.check(file, path.join(home, 'bin'))).toEqual({ state: 'free' })
  })

  it('tells two processes of one pid apart, and the living from the dead', async () => {
    const table = linuxProcessTable()
    const child = await start(program('idle.js', ''), {})
    const pid = child.pid ?? 0
    expect(table.isAlive(pid)).toBe(true)
    expect(table.startOf(pid)).toMatch(/^[0-9a-f-]{36}:\d+$/)
    expect(Math.abs((table.startedAt(pid) ?? 0) - Date.now())).toBeLessThan(60_000)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    children.splice(children.indexOf(child), 1)
    expect(table.isAlive(pid)).toBe(false)
    expect(table.startOf(pid)).toBe(null)
  })
})
