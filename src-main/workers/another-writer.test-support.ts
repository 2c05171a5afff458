/**
 * For tests: a library in which another process adds a line to one session every 100 ms, opened anew each time and without
 * asking for any lock. Every line that it says it wrote must be somewhere afterwards, whole and once.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type Environment, silentWork } from '../engine/environment'
import type { InUseCheck } from '../engine/in-use/in-use'
import { captureIdentity } from '../engine/storage/file-identity'
import { type TestEnvironment, testEnvironment } from '../engine/test-environment.test-support'
import type { ChangeTarget } from '../library/changes/change-target'
import { versionText } from '../library/drafts/draft-version'
import { type LibraryRoot, libraryRoots } from '../library/roots'
import { createChangeJobs } from './change-jobs'
import { createDraftJobs } from './draft-jobs'
import { createEditJobs } from './edit-jobs'
import { createMoveJobs } from './move-jobs'
import { type WorkerChanges, workerChanges } from './worker-changes'

const WRITER = `
const fs = require('node:fs')
let count = 0
setInterval(() => {
  const id = 'w' + String(++count).padStart(7, '0')
  const line = { type: 'custom', id, parentId: null, timestamp: new Date().toISOString(), customType: 'writer', data: count }
  try {
    fs.appendFileSync(process.argv[1], JSON.stringify(line) + '\\n')
    process.stdout.write(id + '\\n')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    process.stdout.write('gone\\n')
  }
}, 100)
`

/** How much Grove knows of the writer: it sees the processes and times, or is told that nobody has anything. */
export type Sight = 'seen' | 'unseen'

export type Line = { type?: unknown; id?: unknown; targetId?: unknown; label?: unknown; title?: unknown }

export class WriterWorld {
  readonly env: TestEnvironment
  readonly root: LibraryRoot
  readonly jobs: ReturnType<typeof allJobs>
  readonly folder: string
  readonly otherFolder: string
  private readonly written: string[] = []
  private child: ChildProcess | null = null
  private waiting: (() => void)[] = []

  constructor(sight: Sight) {
    this.env = testEnvironment({ now: Date.now })
    const agentDir = path.join(this.env.home, 'agent')
    const [root] = libraryRoots(this.env, [], agentDir)
    if (root === undefined) throw new Error('no root')
    this.root = root
    this.folder = path.join(this.env.home, 'work')
    this.otherFolder = path.join(this.env.home, 'elsewhere')
    fs.mkdirSync(this.folder)
    fs.mkdirSync(this.otherFolder)
    this.jobs = allJobs(this.env, sight)
  }

  /** A session of some messages with a tip beside the last one, an artifact and a draft, last written an hour ago. */
  addSession(name: string): string {
    const time = '2026-01-01T00:00:00.000Z'
    const message = (id: string, parentId: string | null, role: string, content: unknown) => ({
      type: 'message',
      id,
      parentId,
      timestamp: time,
      message: { role, content, timestamp: 1 },
    })
    const records = [
      { type: 'title', v: 1, title: name, source: 'user', updatedAt: time, pad: '' },
      { type: 'session', version: 3, id: name, timestamp: time, cwd: this.folder },
      message('aaaaaaa1', null, 'user', 'a question'),
      message('aaaaaaa2', 'aaaaaaa1', 'assistant', [{ type: 'text', text: 'see artifact://0' }]),
      message('aaaaaaa3', 'aaaaaaa2', 'user', 'this way'),
      message('aaaaaaa4', 'aaaaaaa2', 'user', 'or that way'),
    ]
    const [slot, ...rest] = records
    const bare = JSON.stringify(slot)
    const padded = JSON.stringify({ ...slot, pad: ' '.repeat(255 - bare.length) })
    const text = [padded, ...rest.map(record => JSON.stringify(record))].map(line => `${line}\n`).join('')
    const place = path.join('agent', 'sessions', '-work', name)
    const file = this.env.put(`${place}.jsonl`, text)
    const beside = [
      this.env.put(`${place}/0.bash.log`, 'output'),
      this.env.put(`${place}/draft.txt`, 'not sent'),
    ]
    const then = Date.now() / 1000 - 3600
    for (const one of [file, ...beside]) fs.utimesSync(one, then, then)
    return file
  }

  target(journal: string): ChangeTarget {
    const { sessionsDir, agentDir } = this.root.layout
    const id = path.basename(journal, '.jsonl')
    return { ref: id, journal, sessionsDir, agentDir, cwd: this.folder, id, title: id, readOnly: false }
  }

  /** Starts the other process; resolves when its first line is there. */
  async startWriter(journal: string): Promise<void> {
    const child = spawn(process.execPath, ['-e', WRITER, journal], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.child = child
    createInterface({ input: child.stdout }).on('line', id => {
      // With its session, the last of a folder, the folder went too: nothing was written.
      if (id !== 'gone') this.written.push(id)
      for (const go of this.waiting.splice(0)) go()
    })
    await this.nextLine()
  }

  /** Resolves when the other process has said once more that a line is written, or could not be. */
  nextLine(): Promise<void> {
    return new Promise(resolve => this.waiting.push(resolve))
  }

  async stopWriter(): Promise<void> {
    const child = this.child
    this.child = null
    if (child === null) return
    const ended = new Promise(resolve => child.once('close', resolve))
    child.kill('SIGKILL')
    await ended
  }

  /** The version of a draft, as the window is given it when it reads one. */
  versionOf(draft: string): string | null {
    const identity = captureIdentity(this.env.fs, draft)
    return identity.ok ? versionText(identity.value) : null
  }

  /** Ids that the writer acknowledged. */
  get acknowledged(): readonly string[] {
    return this.written
  }

  /** Every journal below the agent directory, the trash and subfolders included, as its records. Throws for a line that is none. */
  journals(): Map<string, Line[]> {
    const found = new Map<string, Line[]>()
    for (const entry of fs.readdirSync(this.root.layout.agentDir, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.jsonl')) continue
      const file = path.join(entry.parentPath, entry.name)
      const lines = fs.readFileSync(file, 'utf8').split('\n')
      found.set(
        file,
        lines.filter(line => line !== '').map(line => JSON.parse(line)),
      )
    }
    return found
  }

  async remove(): Promise<void> {
    await this.stopWriter()
    this.env.remove()
  }
}

function allJobs(env: Environment, sight: Sight) {
  const changes = sight === 'seen' ? workerChanges(env) : blind(workerChanges(env), env)
  return {
    ...createChangeJobs(env, changes),
    ...createDraftJobs(env, changes),
    ...createEditJobs(changes),
    ...createMoveJobs(changes),
  }
}

/** As on a system where nothing can be told of others, and they happened to write long ago. */
function blind(changes: WorkerChanges, env: Environment): WorkerChanges {
  const nobody: InUseCheck = { taken: env.now(), check: () => ({ state: 'free' }) }
  const { context } = changes
  return {
    ...changes,
    context: { ...context, deps: { ...context.deps, inUse: () => Promise.resolve(nobody) } },
  }
}

export const work = silentWork
