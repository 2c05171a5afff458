/**
 * SESSION MANAGER: one session as a program works on it: its place in the tree, and everything that can be added.
 *
 * Guarantees
 *   A change that is acknowledged is in the journal; after a failure it is neither in the journal nor in memory, and
 *   the next change can succeed (session-writer.ts, session-storage.ts).
 *   `create` and `open` write nothing. With the `lazy` gate a new session is nowhere on disk until its first assistant
 *   message, `ensureOnDisk`, or a draft; `unsaved` tells what would be lost. What reading shows is the same before and
 *   after.
 *   The leaf, where the next entry hangs, is this object's own: `branch` and `resetLeaf` move it in memory;
 *   `continueBranch` and `branchWithSummary` move it on disk, for every program. What others append never moves it.
 *   Changes are made one after the other, in the order in which they were asked for.
 *   Entries are not kept in memory: what stays of one is a few numbers and its id.
 *
 * Not guaranteed
 *   Anything about programs that write without asking for the lock, beyond that their lines are neither
 *   overwritten nor lost.
 *
 * Rules: docs/format.md, Writing, Tree, Entries.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import type { SessionContext } from '@shared/session/context'
import { parseObject } from '@shared/session/json'
import { entryRecord, type NewEntry, type NewMessage } from '@shared/session/new-entry'
import { cleanTitle } from '@shared/session/session-title'
import type { TitleSource } from '@shared/session/title-slot'
import type { Usage } from '@shared/session/usage'
import { BlobWriter } from '../blobs/blob-writer'
import type { Environment } from '../environment'
import { sessionDirectoryFor } from '../layout/session-directory'
import { sessionFileName } from '../layout/session-paths'
import { FileSessionStorage } from '../storage/file-session-storage'
import type { SessionStorage, StorageStat } from '../storage/session-storage'
import { createBranchedJournal } from './branched-session'
import { freshEntryId } from './fork-entry-id'
import type { ManagerSettings } from './manager-settings'
import { prepareRecord } from './prepare-record'
import { claimSession } from './session-claim'
import { sessionContext } from './session-context'
import { SessionDocument } from './session-document'
import { slotLineFor } from './session-head'
import { SessionWriter } from './session-writer'
import { newUnwritten, publishUnwritten, type UnwrittenSession } from './unwritten-session'

export type CreateOptions = {
  /** Working directory, absolute. */
  cwd: string
  /** Directory of the journal; default: the one of `cwd` in the sessions root. */
  directory?: string
  /** Id or path of the session it was made from. */
  parentSession?: string
}

export type AppendOptions = {
  /** Where the entry hangs; default: the leaf. Null: a root. */
  parentId?: string | null
  /** Whether the leaf moves to it. Default: only when it hangs under the leaf. */
  leaf?: 'follow' | 'stay'
}

export type Renamed = {
  /** False when the session has a title of its user's and this one is not. */
  changed: boolean
  /** Another program has the session, so that only the slot was written, and that program may put its own title there. */
  slotOnly: boolean
}

/** Where the session is: in memory only, or in a file. `over` is a blank file that the first write replaces. */
type Place = { kind: 'unwritten'; session: UnwrittenSession; over: StorageStat | null } | { kind: 'written' }

export class SessionManager {
  private readonly env: Environment
  private readonly settings: ManagerSettings
  private readonly storage: SessionStorage
  private readonly blobs: BlobWriter
  private place: Place
  private writer: SessionWriter
  private leaf: string | null
  private closed = false
  private queue: Promise<unknown> = Promise.resolve()

  private constructor(
    env: Environment,
    settings: ManagerSettings,
    storage: SessionStorage,
    place: Place,
    document: SessionDocument,
  ) {
    this.env = env
    this.settings = settings
    this.storage = storage
    this.blobs = new BlobWriter(env, settings.layout.blobsDir)
    this.place = place
    this.writer =
      place.kind === 'unwritten'
        ? this.writerOf(place.session.storage, document, true)
        : this.writerOf(storage, document, false)
    this.leaf = lastId(document)
  }

  /** A new session, in memory until the gate opens. */
  static create(env: Environment, settings: ManagerSettings, options: CreateOptions): Result<SessionManager> {
    const { cwd, parentSession } = options
    if (!path.isAbsolute(cwd)) return err('invalid-argument', `${cwd} is not an absolute path.`)
    const id = env.sessionId()
    const timestamp = new Date(env.now()).toISOString()
    const directory = options.directory ?? sessionDirectoryFor(env, settings.layout, cwd)
    const file = path.join(directory, sessionFileName(timestamp, id))
    const session = newUnwritten(env, file, { id, timestamp, cwd, more: { parentSession } })
    if (!session.ok) return session
    const place: Place = { kind: 'unwritten', session: session.value, over: null }
    return ok(
      new SessionManager(env, settings, new FileSessionStorage(env, file), place, session.value.document),
    )
  }

  /**
   * The session in `file`, an absolute path. Reads only; a damaged one opens, and refuses changes. A blank file is a new
   * session that its first write puts there; `launchCwd` is its working directory.
   */
  static open(
    env: Environment,
    settings: ManagerSettings,
    file: string,
    launchCwd: string = env.home,
  ): Result<SessionManager> {
    const storage = new FileSessionStorage(env, file)
    const document = SessionDocument.open(storage, env.now)
    if (!document.ok) return document
    if (!isBlank(document.value))
      return ok(new SessionManager(env, settings, storage, { kind: 'written' }, document.value))
    const timestamp = new Date(env.now()).toISOString()
    const session = newUnwritten(env, file, { id: env.sessionId(), timestamp, cwd: launchCwd })
    if (!session.ok) return session
    const place: Place = { kind: 'unwritten', session: session.value, over: document.value.stat }
    return ok(new SessionManager(env, settings, storage, place, session.value.document))
  }

  /** The session in a file that this program has just made: nobody else can have it. */
  private static made(env: Environment, settings: ManagerSettings, file: string): Result<SessionManager> {
    const opened = SessionManager.open(env, settings, file)
    if (opened.ok)
      opened.value.writer = opened.value.writerOf(opened.value.storage, opened.value.document, true)
    return opened
  }

  /** Absolute path of the journal, whether it exists yet or not. */
  get file(): string {
    return this.storage.path
  }

  get isOnDisk(): boolean {
    return this.place.kind === 'written'
  }

  /** Everything that can be read of the session: tree, entries, facts, damage. Valid until the next change. */
  get document(): SessionDocument {
    return this.writer.document
  }

  get id(): string | null {
    return this.document.id
  }

  /** The working directory that the header names. */
  get cwd(): string | null {
    return this.document.header?.cwd ?? null
  }

  get title(): { title: string | null; source: TitleSource | null } {
    return this.document.title
  }

  /** Where the next entry hangs; null before the first one, or after `resetLeaf`. */
  get leafId(): string | null {
    return this.leaf
  }

  /** Entries that are in memory only, and lost when the program ends now. */
  get unsaved(): number {
    return this.place.kind === 'unwritten' ? this.document.index.count : 0
  }

  /** Tokens and cost of all branches (docs/format.md, Usage). */
  get usage(): Usage {
    return this.document.facts.usage
  }

  /** What a model would get if the conversation went on at the leaf. Images are references to blobs. */
  context(): Result<SessionContext> {
    return sessionContext(this.document, this.leaf)
  }

  /** Adds an entry of any kind; answers its id. */
  append(entry: NewEntry, options: AppendOptions = {}): Promise<Result<string>> {
    return this.turn(() => this.appendNow(entry, options))
  }

  appendMessage(message: NewMessage): Promise<Result<string>> {
    return this.append({ type: 'message', message })
  }

  /** Names an entry; null or an empty text clears its name. Answers the id of the `label` entry. */
  setLabel(targetId: string, label: string | null): Promise<Result<string>> {
    return this.append({ type: 'label', targetId, label: label === null || label === '' ? undefined : label })
  }

  /**
   * Gives the session a title. A title of the user's is never replaced by an `auto` one. What does not fit into the slot stays
   * whole in the `title_change` (docs/format.md, Rename).
   */
  setSessionName(text: string, source: TitleSource, trigger?: string): Promise<Result<Renamed>> {
    return this.turn<Renamed>(async () => {
      const title = cleanTitle(text)
      if (title === '') return err('invalid-argument', 'A title needs at least one visible character.')
      const before = this.title
      if (source === 'auto' && before.source === 'user') return ok({ changed: false, slotOnly: false })
      const slot = slotLineFor({ title, source }, this.timestamp())
      const previousTitle = before.title ?? undefined
      let id = ''
      const renamed = await this.writer.retitle(() => {
        const line = this.lineOf({ type: 'title_change', title, previousTitle, source, trigger }, {})
        if (!line.ok) return line
        id = line.value.value
        return ok({ lines: line.value.lines, slot })
      })
      if (this.document.index.ordinalOf(id) !== undefined) this.leaf = id
      if (renamed.ok) return ok({ changed: true, slotOnly: false })
      if (renamed.error.code !== 'in-use') return renamed
      const slotOnly = await this.writer.retitleSlotOnly(slot)
      return slotOnly.ok ? ok({ changed: true, slotOnly: true }) : renamed
    })
  }

  /** The next entry hangs under `id`. In memory: other programs go on at their own leaf. */
  branch(id: string): Result<true> {
    if (this.document.index.ordinalOf(id) === undefined) return this.noEntry(id)
    this.leaf = id
    return ok(true)
  }

  /** The next entry is a root. In memory. */
  resetLeaf(): void {
    this.leaf = null
  }

  /** Leaves a branch: goes on at `id` (null: a new root) with a summary of what was left. */
  branchWithSummary(id: string | null, summary: string, details?: unknown): Promise<Result<string>> {
    const entry: NewEntry = { type: 'branch_summary', fromId: id ?? 'root', summary, details }
    return this.append(entry, { parentId: id, leaf: 'follow' })
  }

  /**
   * Every program goes on at `id` from now on: an empty branch summary below it becomes the last entry. Answers its id, or null
   * when `id` is the last entry already. `undoContinueBranch` takes it back.
   */
  continueBranch(id: string): Promise<Result<string | null>> {
    return this.turn(async () => {
      if (this.document.index.ordinalOf(id) === undefined) return this.noEntry(id)
      if (lastId(this.document) === id) {
        this.leaf = id
        return ok(null)
      }
      const details = { kind: CONTINUE_KIND }
      const entry: NewEntry = { type: 'branch_summary', fromId: id, summary: '', details }
      return this.appendNow(entry, { parentId: id, leaf: 'follow' })
    })
  }

  /** Takes back a `continueBranch` while its marker is the last entry; `conflict` when the session went on. */
  undoContinueBranch(markerId: string): Promise<Result<true>> {
    return this.turn(async () => {
      const { index } = this.document
      const ordinal = index.ordinalOf(markerId)
      if (ordinal === undefined) return this.noEntry(markerId)
      const parent = index.parentId(ordinal)
      const removed = await this.writer.removeTail(index.place(ordinal).offset, tail => {
        const record = parseObject(Buffer.from(tail).toString('utf8'))
        return record?.type === 'branch_summary' && record.id === markerId && record.summary === ''
      })
      if (removed.ok && this.leaf === markerId) this.leaf = lastId(this.document) ?? parent
      return removed
    })
  }

  /** The path to `leafId` as a session of its own (docs/format.md, Branched session). Artifacts stay with this one. */
  createBranchedSession(leafId: string): Promise<Result<SessionManager>> {
    return this.turn(async () => {
      const written = this.publishNow()
      if (!written.ok) return written
      const cwd = this.cwd ?? this.env.home
      const directory = path.dirname(this.file)
      const made = await createBranchedJournal(this.env, { document: this.document, leafId, directory, cwd })
      return made.ok ? SessionManager.made(this.env, this.settings, made.value.file) : made
    })
  }

  /** Writes what is in memory only. Also the way to keep prompts before there is an answer. */
  ensureOnDisk(): Promise<Result<true>> {
    return this.turn(async () => this.publishNow())
  }

  /** Reads what other programs wrote since. The leaf stays where it is. */
  refresh(): Promise<Result<true>> {
    return this.turn(async () => this.writer.refresh())
  }

  /** Ends when every change that was asked for so far is done. */
  async flush(): Promise<void> {
    await this.queue
  }

  /** Ends the changes that were asked for; answers how many entries were never written. Later changes are refused. */
  async close(): Promise<{ unsaved: number }> {
    await this.queue
    this.closed = true
    return { unsaved: this.unsaved }
  }

  private async appendNow(entry: NewEntry, options: AppendOptions): Promise<Result<string>> {
    const before = this.leaf
    const parentId = options.parentId === undefined ? before : options.parentId
    const appended = await this.writer.append(() => this.lineOf(entry, options))
    if (!appended.ok) return appended
    if (options.leaf === 'follow' || (options.leaf === undefined && parentId === before))
      this.leaf = appended.value
    const opensGate = this.settings.gate === 'open' || isAnswer(entry)
    if (this.place.kind === 'written' || !opensGate) return appended
    const published = this.publishNow()
    if (published.ok) return appended
    this.leaf = before
    const ordinal = this.document.index.ordinalOf(appended.value)
    const { offset } = this.document.index.place(ordinal ?? 0)
    const back = await this.writer.removeTail(offset, () => true)
    return back.ok ? published : back
  }

  private lineOf(entry: NewEntry, options: AppendOptions): Result<{ lines: Uint8Array; value: string }> {
    const { index } = this.document
    const parentId = options.parentId === undefined ? this.leaf : options.parentId
    if (parentId !== null && index.ordinalOf(parentId) === undefined) return this.noEntry(parentId)
    if (entry.type === 'label' && index.ordinalOf(entry.targetId) === undefined)
      return this.noEntry(entry.targetId)
    const id = freshEntryId(this.env, taken => index.ordinalOf(taken) !== undefined)
    const record = entryRecord({ id, parentId, timestamp: this.timestamp() }, entry)
    // In memory the pictures stay where they are: a session that is never written leaves no blobs.
    const prepared = prepareRecord(record, this.place.kind === 'written' ? this.blobs : null)
    return prepared.ok ? ok({ lines: prepared.value.line, value: id }) : prepared
  }

  /** Makes the file, when it is not there yet, and goes on with it. */
  private publishNow(): Result<true> {
    if (this.place.kind === 'written') return ok(true)
    const { session, over } = this.place
    const published = publishUnwritten(this.env, session, this.storage, this.blobs, over)
    if (!published.ok) return published
    this.settings.wrote?.(this.file, published.value)
    const document = SessionDocument.open(this.storage, this.env.now)
    if (!document.ok) return document
    this.place = { kind: 'written' }
    this.writer = this.writerOf(this.storage, document.value, true)
    return ok(true)
  }

  private writerOf(storage: SessionStorage, document: SessionDocument, ours: boolean): SessionWriter {
    const { sync = 'os', sharing = 'refuse' } = this.settings
    return new SessionWriter(this.env, storage, document, ours, {
      sync,
      sharing,
      claim: () => claimSession(this.settings, this.file, this.cwd),
      wrote: after => this.settings.wrote?.(this.file, after),
    })
  }

  private turn<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const done = this.queue.then(() => (this.closed ? this.isClosed() : work()))
    this.queue = done.catch(() => undefined)
    return done
  }

  private timestamp(): string {
    return new Date(this.env.now()).toISOString()
  }

  private noEntry(id: string): Result<never> {
    return err('not-found', `${this.file} holds no entry ${id}.`, this.file)
  }

  private isClosed(): Result<never> {
    return err('invalid-argument', `The session ${this.file} was closed; open it again.`, this.file)
  }
}

/** What the marker of a continued branch says of itself. */
const CONTINUE_KIND = 'continue-branch'

function isAnswer(entry: NewEntry): boolean {
  return entry.type === 'message' && entry.message.role === 'assistant'
}

/** Id of omp's leaf, or of the nearest entry before it that has one; null without entries. */
function lastId(document: SessionDocument): string | null {
  const { index } = document
  if (index.leaf === null) return null
  for (let ordinal = index.leaf; ordinal >= 0; ordinal--) {
    const id = index.id(ordinal)
    if (id !== null) return id
  }
  return null
}

/** Nothing but blank lines: a file that somebody made to be a session. */
function isBlank(document: SessionDocument): boolean {
  const { index, headerRecord, hasSlot, damaged, pending } = document
  return index.count === 0 && headerRecord === null && !hasSlot && damaged.length === 0 && pending === null
}
