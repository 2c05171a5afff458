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
 *   Anything about programs that write without asking for the lock, beyond that their lines are neither overwritten nor
 *   lost (but for a line in the very moment in which a failed append is cut back: file-session-storage.ts).
 *
 * Rules: docs/format.md, Writing, Tree, Entries.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import type { SessionContext } from '@shared/session/context'
import type { EntryPlace, NewEntry, NewMessage } from '@shared/session/new-entry'
import type { TitleSource } from '@shared/session/title-slot'
import type { Usage } from '@shared/session/usage'
import { ArtifactStore } from '../artifacts/artifact-store'
import { type DraftState, DraftStore } from '../artifacts/draft-store'
import { BlobStore } from '../blobs/blob-store'
import type { UnresolvedBlob } from '../blobs/resolve-blobs'
import { rootJournalOf } from '../breadcrumbs/breadcrumb-files'
import type { Environment } from '../environment'
import { isFolder, sessionDirectoryFor } from '../layout/session-directory'
import { sessionFileName } from '../layout/session-paths'
import { attempt } from '../storage/errors'
import type { FileIdentity } from '../storage/file-identity'
import { createBranchedJournal } from './branched-session'
import { CONTINUE_KIND, isBlank, isMarker, lastId, namesSomething } from './document-marks'
import { freshEntryId } from './fresh-entry-id'
import type { AppendOptions, CreateOptions, ForkOptions, MoveOptions, Renamed } from './manager-options'
import type { ManagerSettings } from './manager-settings'
import { type DroppedSession, withoutOperations } from './many-file-operations'
import { chooseRecent } from './recent-choice'
import { type ResumeRequest, resumeTarget } from './resume-target'
import { contextWithImages, sessionContext } from './session-context'
import type { SessionDocument } from './session-document'
import { clearDraftOnly, consumeSessionDraft, saveSessionDraft } from './session-draft'
import { SessionJournal } from './session-journal'
import { type ListedSession, listAllSessions, listSessions } from './session-list'
import { dropJournal, moveJournal } from './session-move'
import { type RenameOptions, renameSession } from './session-rename'
import { leaveTrace } from './session-traces'

export class SessionManager {
  private readonly env: Environment
  private settings: ManagerSettings
  private journal: SessionJournal
  private leaf: string | null
  private closed = false
  private queue: Promise<unknown> = Promise.resolve()

  /** The folder that work goes on in: what the header names, or where this program stands when that is gone. */
  private folder: string

  private constructor(
    env: Environment,
    settings: ManagerSettings,
    journal: SessionJournal,
    launchCwd: string,
  ) {
    this.env = env
    this.settings = settings
    this.journal = journal
    const recorded = journal.document.header?.cwd ?? null
    this.folder = recorded !== null && isFolder(env.fs, recorded) ? recorded : launchCwd
    this.leaf = lastId(journal.document)
  }

  /** A new session, in memory until the gate opens. */
  static create(env: Environment, settings: ManagerSettings, options: CreateOptions): Result<SessionManager> {
    const { cwd, parentSession } = options
    if (!path.isAbsolute(cwd)) return err('invalid-argument', `${cwd} is not an absolute path.`)
    const id = env.sessionId()
    const timestamp = new Date(env.now()).toISOString()
    const directory = options.directory ?? sessionDirectoryFor(env, settings.layout, cwd)
    const file = path.join(directory, sessionFileName(timestamp, id))
    const journal = SessionJournal.unwritten(env, settings, file, {
      id,
      timestamp,
      cwd,
      more: { parentSession },
    })
    return journal.ok ? ok(new SessionManager(env, settings, journal.value, cwd).traced(true)) : journal
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
    const opened = SessionManager.opened(env, settings, file, launchCwd)
    return opened.ok ? ok(opened.value.traced(false)) : opened
  }

  private static opened(
    env: Environment,
    settings: ManagerSettings,
    file: string,
    launchCwd: string,
  ): Result<SessionManager> {
    const journal = SessionJournal.open(env, settings, file, false)
    if (!journal.ok) return journal
    const { document } = journal.value
    if (!isBlank(document)) return ok(new SessionManager(env, settings, journal.value, launchCwd))
    const timestamp = new Date(env.now()).toISOString()
    const header = { id: env.sessionId(), timestamp, cwd: launchCwd }
    const blank = SessionJournal.unwritten(env, settings, file, header, document.stat)
    return blank.ok ? ok(new SessionManager(env, settings, blank.value, launchCwd)) : blank
  }

  /**
   * What the terminal goes on with in `cwd`: the session it had there, else the newest of the folder, else a new one; the session of a
   * project that was moved here follows it (docs/format.md, Finding a session).
   */
  static async continueRecent(
    env: Environment,
    settings: ManagerSettings,
    options: { cwd: string; directory?: string },
  ): Promise<Result<SessionManager>> {
    const { cwd } = options
    const choice = chooseRecent(env, settings, options)
    if (!choice.ok) return choice
    if (choice.value.kind === 'new') return SessionManager.create(env, settings, options)
    if (choice.value.kind === 'open') return SessionManager.open(env, settings, choice.value.file, cwd)
    // No word is left before it moved: a move that is refused can be tried again.
    const opened = SessionManager.opened(env, settings, choice.value.file, cwd)
    if (!opened.ok) return opened
    const { directory } = options
    const moved = await opened.value.moveTo(cwd, directory === undefined ? {} : { directory })
    return moved.ok ? opened : moved
  }

  /** The session that `argument` names, as `resumeTarget` finds it; `conflict` names all where several fit. */
  static resume(env: Environment, settings: ManagerSettings, request: ResumeRequest): Result<SessionManager> {
    const file = resumeTarget(env, settings.layout, request)
    return file.ok ? SessionManager.open(env, settings, file.value, request.cwd) : file
  }

  /** The sessions of `cwd`, the one that was written last first. */
  static list(env: Environment, settings: ManagerSettings, cwd: string): Result<ListedSession[]> {
    return listSessions(env, sessionDirectoryFor(env, settings.layout, cwd))
  }

  /** The sessions of all folders. */
  static listAll(env: Environment, settings: ManagerSettings): Result<ListedSession[]> {
    return listAllSessions(env, settings.layout.sessionsDir)
  }

  /** The session in a file that this program has just made. */
  private static made(env: Environment, settings: ManagerSettings, file: string): Result<SessionManager> {
    const journal = SessionJournal.open(env, settings, file, true)
    return journal.ok ? ok(new SessionManager(env, settings, journal.value, env.home).traced(false)) : journal
  }

  /** Leaves word for the terminal, when there is one, that it has this session now. */
  private traced(fresh: boolean): this {
    leaveTrace(this.env, this.settings, { session: this.file, cwd: this.folder, fresh })
    return this
  }

  /** Absolute path of the journal, whether it exists yet or not. */
  get file(): string {
    return this.journal.storage.path
  }

  get isOnDisk(): boolean {
    return this.journal.isOnDisk
  }

  /** Everything that can be read of the session: tree, entries, facts, damage. Valid until the next change. */
  get document(): SessionDocument {
    return this.journal.document
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

  /**
   * Where the next entry hangs; null before the first one, or after `resetLeaf`. omp's leaf when the entry was taken out of
   * the file by others.
   */
  get leafId(): string | null {
    return this.leaf === null || this.holds(this.leaf) ? this.leaf : lastId(this.document)
  }

  /** Entries that are in memory only, and lost when the program ends now. */
  get unsaved(): number {
    return this.isOnDisk ? 0 : this.document.index.count
  }

  /** Tokens and cost of all branches (docs/format.md, Usage). */
  get usage(): Usage {
    return this.document.facts.usage
  }

  /** What a model would get if the conversation went on at the leaf. Images are references to blobs. */
  context(): Result<SessionContext> {
    return sessionContext(this.document, this.leafId)
  }

  /** As `context`, with the pictures in it; those that are missing or torn are told. */
  contextWithImages(): Result<{ context: SessionContext; unresolved: UnresolvedBlob[] }> {
    const blobs = new BlobStore(this.env.fs, this.settings.layout.blobsDir)
    return contextWithImages(this.document, this.leafId, hash => blobs.get(hash, Number.MAX_SAFE_INTEGER))
  }

  /** Adds an entry of any kind; answers its id. */
  append(entry: NewEntry, options: AppendOptions = {}): Promise<Result<string>> {
    return this.turn(() => this.appendNow(entry, options))
  }

  appendMessage(message: NewMessage): Promise<Result<string>> {
    return this.append({ type: 'message', message })
  }

  /**
   * Names an entry; null or an empty text clears its name. Answers the id of the `label` entry, which hangs under the last entry:
   * a name must not move the leaf of other programs.
   */
  setLabel(targetId: string, label: string | null): Promise<Result<string>> {
    return this.append({ type: 'label', targetId, label: label === null || label === '' ? undefined : label })
  }

  /**
   * Gives the session a title. A title of the user's is never replaced by an `auto` one. What does not fit into the slot stays
   * whole in the `title_change` (docs/format.md, Rename).
   */
  setSessionName(text: string, source: TitleSource, more: RenameOptions = {}): Promise<Result<Renamed>> {
    return this.turn<Renamed>(async () => {
      const tried: { place: EntryPlace | null; followed: boolean } = { place: null, followed: false }
      const newPlace = (): EntryPlace => {
        const last = lastId(this.document)
        tried.place = this.newPlace(last)
        tried.followed = last === this.leafId
        return tried.place
      }
      const publishes = this.settings.gate === 'open'
      const request = { text, source, ...more, timestamp: this.timestamp(), newPlace, publishes }
      const renamed = await renameSession(this.journal, request)
      // The `title_change` can be there although the slot could not be written.
      if (tried.place !== null && tried.followed && this.holds(tried.place.id)) this.leaf = tried.place.id
      return renamed
    })
  }

  /** The next entry hangs under `id`. In memory: other programs go on at their own leaf. */
  branch(id: string): Result<true> {
    if (!this.holds(id)) return this.noEntry(id)
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
    return this.turn<string | null>(async () => {
      const looked = this.journal.look()
      if (!looked.ok) return looked
      if (!this.holds(id)) return this.noEntry(id)
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
      const removed = await this.journal.removeFrom(markerId, tail => isMarker(tail, markerId))
      if (removed.ok && this.leaf === markerId) this.leaf = lastId(this.document)
      return removed
    })
  }

  /** The path to `leafId` as a session of its own (docs/format.md, Branched session). Artifacts stay with this one. */
  createBranchedSession(leafId: string): Promise<Result<SessionManager>> {
    return this.turn(async () => {
      const looked = this.isOnDisk ? this.journal.look() : ok(true as const)
      if (!looked.ok) return looked
      if (!this.holds(leafId)) return this.noEntry(leafId)
      const written = await this.journal.publish()
      if (!written.ok) return written
      const cwd = this.folder
      const directory = path.dirname(this.file)
      const made = await createBranchedJournal(this.env, { document: this.document, leafId, directory, cwd })
      if (!made.ok) return made
      const { file } = made.value
      const opened = SessionManager.made(this.env, this.settings, file)
      // Nobody was told of it, so nothing was made.
      if (!opened.ok) attempt('remove', file, () => this.env.fs.unlink(file))
      return opened
    })
  }

  /** The same entries under a new id, with its artifacts, for `cwd` (docs/format.md, Fork). This session stays open. */
  fork(cwd: string, options: ForkOptions = {}): Promise<Result<SessionManager>> {
    return this.turn(async () => {
      if (this.settings.operations === undefined) return withoutOperations('forked', this.file)
      const written = await this.journal.publish()
      if (!written.ok) return written
      return SessionManager.forkFrom(this.env, this.settings, this.file, cwd, options)
    })
  }

  /** As `fork`, of a session that is not open. */
  static async forkFrom(
    env: Environment,
    settings: ManagerSettings,
    source: string,
    cwd: string,
    options: ForkOptions = {},
  ): Promise<Result<SessionManager>> {
    if (settings.operations === undefined) return withoutOperations('forked', source)
    const { withArtifacts = true, ...more } = options
    const directory = options.directory ?? sessionDirectoryFor(env, settings.layout, cwd)
    const forked = await settings.operations.fork({ source, cwd, ...more, directory, withArtifacts })
    if (!forked.ok) return forked
    return SessionManager.made(env, { ...settings, layout: forked.value.layout }, forked.value.file)
  }

  /**
   * The session belongs to `newCwd` from now on, and lies where its sessions do, with its artifacts (docs/format.md, Move).
   * Answers sentences about what happened beside it. One that is in memory only stays so, unless it has artifacts.
   */
  moveTo(newCwd: string, options: MoveOptions = {}): Promise<Result<string[]>> {
    return this.turn<string[]>(async () => {
      const moved = await moveJournal(this.env, this.settings, this.journal, newCwd, options)
      if (!moved.ok) return moved
      const { journal, layout, notes } = moved.value
      // It was moved and cannot be read there: nothing is left for this object at the old place.
      this.closed = !journal.ok
      if (!journal.ok) return journal
      this.journal = journal.value
      this.folder = newCwd
      // Pictures of later entries belong into the store of the new place.
      this.settings = { ...this.settings, layout }
      this.traced(!this.isOnDisk)
      return ok(notes)
    })
  }

  /** The session goes to the trash with all that belongs to it, and is closed. One in memory only, without artifacts, is forgotten. */
  dropSession(): Promise<Result<DroppedSession | null>> {
    return this.turn(async () => {
      const dropped = await dropJournal(this.env, this.settings, this.journal)
      this.closed = dropped.ok
      return dropped
    })
  }

  /** The text that was typed and not sent; looks only. */
  readDraft(): Result<DraftState> {
    return new DraftStore(this.env, this.file).readDraft()
  }

  /** Saves a draft over the one that was read as `expected`; empty text discards it (docs/format.md, Drafts). */
  saveDraft(text: string, expected: FileIdentity | null): Promise<Result<DraftState>> {
    return this.turn(() => saveSessionDraft(this.env, this.journal, text, expected))
  }

  /** The draft, which is gone afterwards; null when there is none. */
  consumeDraft(): Promise<Result<string | null>> {
    return this.turn(() => consumeSessionDraft(this.env, this.journal))
  }

  /** Numbered outputs of tools. A subagent's lie with the session it belongs to. */
  get artifacts(): ArtifactStore {
    return new ArtifactStore(this.env, rootJournalOf(this.env.fs, this.file))
  }

  /** Whether a change would be refused now, and why. Looks only. */
  check(): Promise<Result<true>> {
    return this.turn(() => this.journal.check())
  }

  /** Writes what is in memory only. Also the way to keep prompts before there is an answer. */
  ensureOnDisk(): Promise<Result<true>> {
    return this.turn(async () => this.journal.publish())
  }

  /** Reads what other programs wrote since. The leaf stays where it is. */
  refresh(): Promise<Result<true>> {
    return this.turn(async () => this.journal.refresh())
  }

  /** Ends when every change that was asked for so far is done. */
  async flush(): Promise<void> {
    await this.queue
  }

  /**
   * Ends the changes that were asked for; answers how many entries were never written. Later changes are refused. A session
   * that is there only for a draft which is gone goes too.
   */
  close(): Promise<Result<{ unsaved: number }>> {
    const done = this.queue.then(async () => {
      if (this.closed) return ok({ unsaved: 0 })
      this.closed = true
      const { unsaved } = this
      const cleared = await clearDraftOnly(this.env, this.journal)
      return cleared.ok ? ok({ unsaved }) : cleared
    })
    this.queue = done.catch(() => undefined)
    return done
  }

  private async appendNow(entry: NewEntry, options: AppendOptions): Promise<Result<string>> {
    const appended = await this.journal.append(() => {
      const before = this.leafId
      const { parentId = namesSomething(entry) ? lastId(this.document) : before } = options
      const place = this.newPlace(parentId)
      for (const id of [place.parentId, entry.type === 'label' ? entry.targetId : null])
        if (id !== null && !this.holds(id)) return this.noEntry(id)
      return ok({ place, entry, before })
    })
    if (!appended.ok) return appended
    const { place, before } = appended.value
    if (options.leaf === 'follow' || (options.leaf === undefined && place.parentId === before))
      this.leaf = place.id
    const published = this.opensGate(entry) ? await this.journal.publish() : ok(true as const)
    if (published.ok) return ok(place.id)
    this.leaf = before
    const back = await this.journal.removeFrom(place.id, () => true)
    return back.ok ? published : back
  }

  private opensGate(entry: NewEntry): boolean {
    if (this.settings.gate === 'open') return true
    return entry.type === 'message' && entry.message.role === 'assistant'
  }

  private newPlace(parentId: string | null): EntryPlace {
    const id = freshEntryId(this.env, taken => this.holds(taken))
    return { id, parentId, timestamp: this.timestamp() }
  }

  private holds(id: string): boolean {
    return this.document.index.ordinalOf(id) !== undefined
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
