/** For tests: a small sessions root with real files, a clock and processes of our choosing, and ways to look at it. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Environment, silentWork } from '../../engine/environment'
import { createInUseCheck } from '../../engine/in-use/in-use-check'
import type { ProcessInfo, ProcessTable } from '../../engine/in-use/process-table'
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import type { ChangeContext } from '../changes/change-handlers'
import type { ChangeTarget } from '../changes/change-target'
import { groveData } from '../grove-data'

/** A place in memory where there is one: fault injection makes thousands of small files. */
export function scratchDirectory(): string {
  const base = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir()
  return fs.mkdtempSync(path.join(base, 'grove-trust-'))
}

export type TestLibrary = {
  home: string
  sessionsDir: string
  /** Adds a session with artifacts, a nested subagent, a draft, a link and a backup; answers its journal. */
  addSession(name: string, text?: string): string
  target(journal: string): ChangeTarget
  /** Every path below the sessions root (or another directory) with its kind and a hash of its bytes. */
  contents(directory?: string): Map<string, string>
}

const HOUR_AGO_S = 3600

export function testLibrary(home = scratchDirectory()): TestLibrary {
  const sessionsDir = path.join(home, 'agent', 'sessions')
  const project = path.join(sessionsDir, '-proj')
  fs.mkdirSync(project, { recursive: true })
  fs.writeFileSync(path.join(home, 'outside.txt'), 'must never be touched')
  const put = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
    const then = Math.floor(Date.now() / 1000) - HOUR_AGO_S
    fs.utimesSync(file, then, then)
  }
  return {
    home,
    sessionsDir,
    addSession(name, text = 'hello') {
      const stem = path.join(project, name)
      const header = {
        type: 'session',
        version: 3,
        id: name,
        timestamp: '2026-01-01T00:00:00.000Z',
        cwd: '/w/proj',
      }
      const entry = { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: text } }
      put(`${stem}.jsonl`, `${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`)
      put(`${stem}/0.bash.log`, `output of ${name}`)
      put(`${stem}/draft.txt`, 'not sent')
      put(`${stem}/Agent.jsonl`, '{"type":"session","version":3,"id":"s"}\n')
      put(`${stem}/Agent/Agent.Child.jsonl`, '{"type":"session","version":3,"id":"t"}\n')
      put(`${stem}.jsonl.1.bak`, 'an older state')
      fs.symlinkSync(path.join(home, 'outside.txt'), path.join(stem, 'link.txt'))
      return `${stem}.jsonl`
    },
    target: journal => ({
      ref: path.basename(journal),
      journal,
      sessionsDir,
      agentDir: path.join(home, 'agent'),
      cwd: '/w/proj',
      id: path.basename(journal, '.jsonl'),
      title: `Title of ${path.basename(journal, '.jsonl')}`,
      readOnly: false,
    }),
    contents: (directory = sessionsDir) => contentsOf(directory),
  }
}

function contentsOf(directory: string): Map<string, string> {
  const found = new Map<string, string>()
  if (!fs.existsSync(directory)) return found
  for (const entry of fs.readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.path, entry.name)
    const name = path.relative(directory, file)
    if (entry.isDirectory()) found.set(name, 'directory')
    else if (entry.isSymbolicLink()) found.set(name, `link ${fs.readlinkSync(file)}`)
    else found.set(name, createHash('sha256').update(fs.readFileSync(file)).digest('hex'))
  }
  return found
}

export type TestProcesses = ProcessTable & { processes: ProcessInfo[]; alive: Set<number> }

/** Processes as told. */
export function testProcesses(processes: ProcessInfo[] = []): TestProcesses {
  const alive = new Set<number>()
  return {
    processes,
    alive,
    scan: async () => ({ known: true, processes }),
    isAlive: pid => alive.has(pid) || processes.some(process => process.pid === pid),
    startOf: pid => `start of ${pid}`,
    startedAt: () => null,
  }
}

export type TestContextOptions = {
  fs?: FileSystem
  pid?: number
  instance?: string
  processes?: ProcessTable
  /** Milliseconds by which this process's clock is ahead. */
  ahead?: number
}

/** What a process of that id would run changes with. */
export function testContext(library: TestLibrary, options: TestContextOptions = {}): ChangeContext {
  let count = 0
  const pid = options.pid ?? 4_000_001
  const processes = options.processes ?? testProcesses()
  const env: Environment = {
    fs: options.fs ?? nodeFileSystem,
    now: () => Date.now() + (options.ahead ?? 0),
    uuid: () => `${String(pid).padStart(8, '0')}-0000-4000-8000-${String(++count).padStart(12, '0')}`,
    sessionId: () => '00000000-0000-7000-8000-000000000000',
    pid,
    platform: process.platform,
    home: library.home,
    tempDir: os.tmpdir(),
    env: { GROVE_DATA_DIR: path.join(library.home, 'data') },
  }
  return {
    env,
    data: groveData(env),
    deps: {
      processes,
      instance: options.instance ?? 'test',
      inUse: (work, options) =>
        createInUseCheck(
          env,
          processes,
          [path.join(library.home, 'agent', 'terminal-sessions')],
          work,
          options,
        ),
    },
  }
}

export const work = silentWork

export function removeLibrary({ home }: TestLibrary): void {
  fs.rmSync(home, { recursive: true, force: true })
}
