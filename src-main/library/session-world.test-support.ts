/**
 * For tests: a session in a library of two agent directories, with its draft and artifacts, and the other sessions that come of
 * it. What its journal must hold is told by the engine's model; where it must lie, and what with, is told here.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { encodeTitleSlot } from '@shared/session/title-slot'
import { expect } from 'vitest'
import type { Environment } from '../engine/environment'
import { createInUseCheck } from '../engine/in-use/in-use-check'
import { type AgentLayout, plainLayout } from '../engine/layout/agent-directories'
import { sessionDirectoryFor } from '../engine/layout/session-directory'
import type { ManagerSettings } from '../engine/session/manager-settings'
import { SessionManager } from '../engine/session/session-manager'
import { latin, SessionModel } from '../engine/session/session-model.test-support'
import { SessionWorld, value } from '../engine/session/session-world.test-support'
import type { SharingMode } from '../engine/session/session-writer'
import { HEADER, message } from '../engine/storage/journal.test-support'
import { nodeFileSystem } from '../engine/storage/node-file-system'
import { type TestEnvironment, testEnvironment } from '../engine/test-environment.test-support'
import type { ChangeContext } from './changes/change-handlers'
import { readOwnWrites } from './changes/own-writes-file'
import { groveData } from './grove-data'
import { headerOf } from './reroot/test-library.test-support'
import { sessionOperations } from './session-operations'
import { testProcesses } from './trash/test-library.test-support'
import { workingSettings } from './working-session'

export const DRAFT = 'draft.txt'
export const MARKER = '.draft-only-session'

export const START_NAMES = ['a new session', 'a new session at once', 'a file of another program'] as const
export type StartName = (typeof START_NAMES)[number]

export type LibraryOptions = {
  start: StartName
  sharing: SharingMode
  /** Who has a session is asked before each change, as app and command line do. */
  asks: boolean
}

const HOUR_MS = 3_600_000
/** Waiting for the disk shows nothing here, and takes most of the time. */
const unsynced = { ...nodeFileSystem, fsync: () => undefined, fdatasync: () => undefined }

export const artifactsOf = (file: string): string => file.slice(0, -'.jsonl'.length)

/** What the header must say. */
export type ModelHeader = {
  id: string | null
  cwd: string
  parentSession?: string | undefined
  previousSessionFiles: string[]
}

export class LibraryWorld {
  readonly env: TestEnvironment
  readonly context: ChangeContext
  readonly options: LibraryOptions
  readonly near: AgentLayout
  readonly far: AgentLayout
  readonly folders: string[]
  /** The agent directory that the session lies in. */
  layout: AgentLayout
  session: SessionWorld
  header: ModelHeader
  /** Files of the artifact directory by name, the draft among them; text is Latin-1, so that it is the bytes. */
  artifacts = new Map<string, string>()
  /** Numbers of artifacts that were given out for this session. */
  given = new Set<string>()
  /** The file is not as a write that this program remembers left it. */
  foreign = false
  /** Where who has it is asked before each change: what others did to it was long ago. */
  private isLongAgo = false
  /** This program took the draft away. */
  draftGone = false
  /** Files of other sessions, by path: nothing that is done to this one may change them. */
  readonly others = new Map<string, string>()
  private waited = false
  private remember: () => Result<unknown> = () => ({ ok: true, value: true })

  constructor(options: LibraryOptions) {
    this.options = options
    let sessions = 0
    // Ids that differ at their beginning, so that a beginning names one session.
    const sessionId = () => `${String(++sessions).padStart(8, '0')}-0000-7000-8000-000000000000`
    this.env = testEnvironment({ fs: unsynced, tempDir: '/nowhere/tmp', sessionId })
    this.near = plainLayout(path.join(this.env.home, '.omp', 'agent'))
    this.far = plainLayout(path.join(this.env.home, 'far', 'agent'))
    this.layout = this.near
    this.folders = ['one', 'two', 'three'].map(name => path.join(this.env.home, 'w', name))
    for (const folder of this.folders) fs.mkdirSync(folder, { recursive: true })
    this.context = this.contextOf()
    const started = options.start === 'a file of another program' ? this.found() : this.created()
    this.session = started.session
    this.header = started.header
  }

  /** The clock of entries stands still, so that they are known; the library's goes on, and can be put forward. */
  private contextOf(): ChangeContext {
    const isLater = () => this.waited || this.isLongAgo
    const env: Environment = { ...this.env, now: () => Date.now() + (isLater() ? HOUR_MS : 0) }
    const data = groveData(env)
    const processes = testProcesses()
    return {
      env,
      data,
      deps: {
        processes,
        instance: env.uuid(),
        inUse(work, options = {}) {
          const earlier = readOwnWrites(env, data)
          return createInUseCheck(env, processes, [], work, {
            writtenByGrove: (journal, stat) =>
              earlier.has(journal, stat) || options.writtenByGrove?.(journal, stat) === true,
          })
        },
      },
    }
  }

  /** Settings of a program that begins now. */
  settings(): ManagerSettings {
    const { sharing, start, asks } = this.options
    const more = { sharing, gate: start === 'a new session at once' ? 'open' : 'lazy' } as const
    const working = workingSettings(this.context, this.layout, null, more)
    if (asks) this.remember = working.remember
    return asks
      ? working.settings
      : { layout: this.layout, operations: sessionOperations(this.context), ...more }
  }

  private created(): { session: SessionWorld; header: ModelHeader } {
    const [cwd = this.env.home] = this.folders
    const settings = this.settings()
    const manager = value(SessionManager.create(this.env, settings, { cwd }))
    const model = new SessionModel()
    model.slot = { title: '', source: null }
    const header = { id: manager.id, cwd, previousSessionFiles: [] }
    return { session: new SessionWorld(this.env, model, settings, manager), header }
  }

  private found(): { session: SessionWorld; header: ModelHeader } {
    const [cwd = this.env.home] = this.folders
    const model = new SessionModel()
    const lines = [
      message('a', null, 'ü👩‍👧'),
      '{"torn":',
      'null',
      message('c', 'a'),
      '\0\0',
      message('d', 'c'),
    ]
    const texts = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line)))
    for (const text of texts) model.add(latin(text))
    model.slot = { title: 'first', source: 'user' }
    model.isOnDisk = true
    const slot = encodeTitleSlot({ ...model.slot, source: 'user', updatedAt: HEADER.timestamp })
    const id = 'f0000000-0000-7000-8000-000000000000'
    const directory = sessionDirectoryFor(this.env, this.layout, cwd)
    const file = path.join(directory, `2026-01-02T03-04-05-006Z_${id}.jsonl`)
    fs.mkdirSync(directory, { recursive: true })
    fs.writeFileSync(file, `${slot}${[JSON.stringify({ ...HEADER, id, cwd }), ...texts].join('\n')}\n`)
    const settings = this.settings()
    const manager = value(SessionManager.open(this.env, settings, file))
    this.touched()
    const header = { id, cwd, previousSessionFiles: [] }
    return { session: new SessionWorld(this.env, model, settings, manager), header }
  }

  get manager(): SessionManager {
    return this.session.manager
  }

  get model(): SessionModel {
    return this.session.model
  }

  get file(): string {
    return this.manager.file
  }

  /** Another session, from the beginning. */
  startAnew(): void {
    Object.assign(this, this.created(), { artifacts: new Map(), given: new Set() })
    this.isMade()
  }

  /** Another program wrote to the file, or this one forgot that it did. */
  touched(): void {
    this.foreign = true
    this.isLongAgo = this.options.asks
  }

  /** The file was made by this program. */
  isMade(): void {
    Object.assign(this, { foreign: false, isLongAgo: false, draftGone: false })
  }

  /** Another program, or this one at another place, goes on with the session. */
  goOn(manager: SessionManager, settings: ManagerSettings, leaf: string | null): void {
    const { model } = this
    this.session = new SessionWorld(this.env, model, settings, manager)
    model.leaf = leaf
  }

  /** The session is opened by the beginning of its id. `remembers`: the program before ended as it should. */
  resume(remembers: boolean): void {
    if (this.options.asks && remembers) value(this.remember())
    else this.touched()
    const settings = this.settings()
    const argument = (this.header.id ?? '').slice(0, 8)
    const manager = value(SessionManager.resume(this.env, settings, { argument, cwd: this.folders[2] ?? '' }))
    this.draftGone = false
    this.model.untold = false
    this.goOn(manager, settings, this.model.lastId)
  }

  /** What another program may be at work in is refused; a while later it is not. */
  async later<T>(change: () => Promise<Result<T>>): Promise<T> {
    if (this.isBusy()) expect(await change()).toMatchObject({ ok: false, error: { code: 'in-use' } })
    this.waited = this.isBusy()
    const done = await change()
    this.waited = false
    return value(done)
  }

  private isBusy(): boolean {
    if (!this.foreign || !this.manager.isOnDisk) return false
    return Math.abs(this.context.env.now() - fs.statSync(this.file).mtimeMs) < limits.recentGrowthMs
  }

  /** From here on the files of `journal` stay as they are now. */
  leave(journal: string): void {
    for (const [file, text] of this.onDisk())
      if (file === journal || file.startsWith(`${artifactsOf(journal)}${path.sep}`))
        this.others.set(file, text)
  }

  /** Every file in both sessions roots, by path. */
  onDisk(): Map<string, string> {
    const found = new Map<string, string>()
    for (const { sessionsDir } of [this.near, this.far]) {
      if (!fs.existsSync(sessionsDir)) continue
      for (const name of fs.readdirSync(sessionsDir, { recursive: true, encoding: 'utf8' })) {
        const file = path.join(sessionsDir, name)
        if (!fs.lstatSync(file).isDirectory()) found.set(file, fs.readFileSync(file, 'latin1'))
      }
    }
    return found
  }

  /** Everything that must hold, whatever was done. */
  check(where: string): void {
    this.session.check(where)
    const { manager, file } = this
    const found = this.onDisk()
    if (manager.isOnDisk) {
      expect(found.has(file), where).toBe(true)
      found.delete(file)
      this.checkHeader(file, this.header, where)
      this.checkPictures(where)
    }
    expect(found, where).toEqual(new Map([...this.others, ...filesAt(file, this.artifacts)]))
    expect(manager.id, where).toBe(this.header.id)
    expect(manager.cwd, where).toBe(this.header.cwd)
    expect(path.dirname(file), where).toBe(sessionDirectoryFor(this.env, this.layout, this.header.cwd))
    const draft = this.artifacts.get(DRAFT) ?? ''
    expect(latin(value(manager.readDraft()).text), where).toBe(draft)
    for (const name of this.artifacts.keys()) {
      const number = /^\d+/.exec(name)?.[0]
      if (number === undefined) continue
      const candidates = [path.join(artifactsOf(file), name)]
      expect(value(manager.artifacts.resolve(number)), where).toEqual({ candidates, ambiguous: false })
    }
    for (const { blobsDir } of [this.near, this.far])
      for (const name of fs.existsSync(blobsDir) ? fs.readdirSync(blobsDir) : [])
        expect(name, where).toMatch(/^[0-9a-f]{64}(\.[a-z]+)?$/)
  }

  /** What a header must say, and nothing else of where the session was. */
  checkHeader(file: string, header: ModelHeader, where: string): void {
    const { id, cwd, parentSession, previousSessionFiles = [] } = headerOf(file)
    expect({ id, cwd, parentSession, previousSessionFiles }, where).toEqual({
      parentSession: undefined,
      ...header,
    })
  }

  /** Every picture is to be had, for this program and for one that opens the session now. */
  private checkPictures(where: string): void {
    const reopened = value(SessionManager.open(this.env, { layout: this.layout }, this.file))
    const readers = this.model.untold ? [reopened] : [this.manager, reopened]
    for (const manager of readers) expect(value(manager.contextWithImages()).unresolved, where).toEqual([])
  }
}

/** Artifacts as they lie beside a journal, by path. */
export function filesAt(journal: string, artifacts: ReadonlyMap<string, string>): [string, string][] {
  return [...artifacts].map(([name, text]) => [path.join(artifactsOf(journal), name), text])
}
