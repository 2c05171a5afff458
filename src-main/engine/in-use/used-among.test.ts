/** Many sessions at once: the same answers as one by one, at the cost of one stat for a session without a sign. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Environment, silentWork } from '../environment'
import type { FileSystem } from '../storage/file-system'
import { nodeFileSystem } from '../storage/node-file-system'
import { createInUseCheck } from './in-use-check'
import type { ProcessInfo, ProcessTable } from './process-table'
import { unknownProcessTable } from './unknown-process-table'
import type { AskedFile } from './used-among'

let home: string
let sessions: string
let crumbs: string
let calls: Map<string, number>

beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-among-')))
  sessions = path.join(home, 'sessions')
  crumbs = path.join(home, 'terminal-sessions')
  fs.mkdirSync(crumbs)
  calls = new Map()
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

/** The file system, counting what is asked of it by name. */
function counting(): FileSystem {
  return new Proxy(nodeFileSystem, {
    get(target, name: keyof FileSystem) {
      const call = target[name]
      return (...given: never[]) => {
        calls.set(name, (calls.get(name) ?? 0) + 1)
        // Every member is a function; its arguments and answer pass through untouched.
        return (call as (...args: never[]) => unknown)(...given)
      }
    },
  })
}

const NOW = Date.parse('2026-11-30T12:00:00Z')
const OLD = NOW / 1000 - 86_400

function environment(): Environment {
  const uuid = () => '0'
  return {
    fs: counting(),
    now: () => NOW,
    uuid,
    sessionId: uuid,
    pid: 1,
    platform: process.platform,
    home,
    tempDir: home,
    env: {},
  }
}

function session(name: string, seconds = OLD): string {
  const file = path.join(sessions, `${name}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, '{"type":"session"}\n')
  fs.utimesSync(file, seconds, seconds)
  return file
}

function lock(journal: string): void {
  const file = path.join(path.dirname(journal), `.${path.basename(journal)}.lock`)
  fs.writeFileSync(file, '100:1\n')
  fs.utimesSync(file, OLD, OLD)
}

function openFile(file: string) {
  const { dev, ino } = fs.statSync(file, { bigint: true })
  return { dev: dev.toString(), ino: ino.toString(), path: fs.realpathSync(file) }
}

function tableOf(...processes: Partial<ProcessInfo>[]): ProcessTable {
  const whole = processes.map(
    (process, at): ProcessInfo => ({
      pid: 100 + at,
      name: 'omp',
      argv: ['omp'],
      uid: 1000,
      cwd: '/elsewhere',
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

/** Both answers for each file, from one look. */
async function bothWays(files: readonly AskedFile[], processes: ProcessTable) {
  const look = await createInUseCheck(environment(), processes, [crumbs], silentWork)
  const among = await look.usedAmong(files, silentWork)
  return { among, alone: files.map(({ journal, cwd }) => look.check(journal, cwd)) }
}

describe('usedAmong', () => {
  it('answers for every file as checking it alone does, whatever speaks for its use', async () => {
    const at = (name: string, cwd: string | null = '/w'): AskedFile => ({ journal: session(name), cwd })
    const files: AskedFile[] = [at('-p/free'), at('-p/no-folder', null), at('-q/free')]
    for (const name of ['-p/locked', '-p/held', '-p/held-below', '-p/crumb', '-p/folder', '-p/linked']) {
      files.push(at(name, name === '-p/folder' ? path.join(home, 'folder') : '/w'))
    }
    files.push({ journal: session('-p/fresh', NOW / 1000 - 3), cwd: '/w' })
    files.push({ journal: session('-p/future', NOW / 1000 + 1e6), cwd: '/w' })
    files.push({ journal: path.join(sessions, '-p', 'gone.jsonl'), cwd: '/w' })
    files.push({ journal: path.join(sessions, '-none', 'gone.jsonl'), cwd: '/w' })
    for (const name of ['agent-fresh', 'agent-locked', 'agent-held', 'agent-free', 'agent-crumb']) {
      files.push(at(`-p/${name}`), at(`-p/${name}/Nested/Nested.Deep`))
    }
    const deep = (name: string) => path.join(sessions, '-p', name, 'Nested', 'Nested.Deep.jsonl')
    fs.utimesSync(deep('agent-fresh'), NOW / 1000, NOW / 1000)
    lock(path.join(sessions, '-p', 'locked.jsonl'))
    lock(deep('agent-locked'))
    const artifact = path.join(sessions, '-p', 'held-below', 'local', 'a.txt')
    fs.mkdirSync(path.dirname(artifact), { recursive: true })
    fs.writeFileSync(artifact, '')
    // A link in the place of an artifact directory, with a file open behind it.
    fs.mkdirSync(path.join(home, 'behind'))
    fs.writeFileSync(path.join(home, 'behind', 'b.txt'), '')
    fs.symlinkSync(path.join(home, 'behind'), path.join(sessions, '-p', 'linked'))
    fs.mkdirSync(path.join(home, 'folder'))
    fs.writeFileSync(path.join(crumbs, 'tmux-1'), `/w\n${path.join(sessions, '-p', 'crumb.jsonl')}\n`)
    fs.symlinkSync(sessions, path.join(home, 'by-link'))
    fs.writeFileSync(
      path.join(crumbs, 'tmux-2'),
      `/w\n${path.join(home, 'by-link', '-p', 'agent-crumb', 'Nested', 'Nested.Deep.jsonl')}\n`,
    )
    const processes = tableOf(
      { name: 'vim', argv: ['vim'], openFiles: [openFile(path.join(sessions, '-p', 'held.jsonl'))] },
      { env: { TMUX_PANE: '1' } },
      { env: { TMUX_PANE: '2' } },
      { cwd: path.join(home, 'folder') },
      { name: 'tail', argv: ['tail'], openFiles: [openFile(artifact)] },
      { name: 'tail', argv: ['tail'], openFiles: [openFile(path.join(home, 'behind', 'b.txt'))] },
      { name: 'less', argv: ['less'], openFiles: [openFile(deep('agent-held'))] },
    )
    const { among, alone } = await bothWays(files, processes)
    expect(among).toEqual(alone)
    // All kinds of answers are among them, so that equality means something.
    const states = among.map(({ state }) => state)
    expect(states.filter(state => state === 'in-use').length).toBeGreaterThanOrEqual(11)
    expect(states.filter(state => state === 'maybe')).toHaveLength(1)
    expect(states.filter(state => state === 'free').length).toBeGreaterThanOrEqual(6)
  })

  it('says of each that it is not known where the system does not tell, but sees locks and growth', async () => {
    const files = [session('-p/a'), session('-p/b', NOW / 1000), session('-p/c')].map(journal => ({
      journal,
      cwd: null,
    }))
    lock(path.join(sessions, '-p', 'c.jsonl'))
    const { among, alone } = await bothWays(files, unknownProcessTable('win32'))
    expect(among).toEqual(alone)
    expect(among.slice(0, 2).map(({ state }) => state)).toEqual(['unknown', 'in-use'])
  })

  it('costs one stat for each session without a sign, and opens none of them', async () => {
    const FILES = 500
    const files = Array.from({ length: FILES }, (_, at) => ({
      journal: session(`-d${at % 5}/s${at}`),
      cwd: path.join(home, `project-${at % 7}`),
    }))
    const processes = tableOf({ cwd: '/w' }, { name: 'vim', argv: ['vim'] })
    const look = await createInUseCheck(environment(), processes, [crumbs], silentWork)
    calls.clear()
    const states = await look.usedAmong(files, silentWork)
    expect(states.every(({ state }) => state === 'free')).toBe(true)
    // A stat for each session and one for the journal that each of five directories might belong to.
    expect(calls.get('stat')).toBe(FILES + 5)
    expect(calls.get('readDirectory')).toBe(5)
    // Each directory once, and each of the seven folders once.
    expect(calls.get('realPath')).toBe(12)
    expect([...calls.keys()].sort()).toEqual(['readDirectory', 'realPath', 'stat'])

    calls.clear()
    lock(files[0]?.journal ?? '')
    await look.usedAmong(files, silentWork)
    expect(calls.get('open')).toBe(1)
  })
})
