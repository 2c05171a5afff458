/**
 * SESSION JOURNAL: one session's journal, whether it is on disk already or waits in memory for the gate to open.
 *
 * Guarantees
 *   `document` shows the journal as of the last change or refresh, the same before and after `publish`.
 *   `publish` makes the file whole, with everything in it, or leaves all as it was.
 *   Changes of a journal on disk are those of session-writer.ts; in memory they are the same without others.
 *
 * One change at a time: the caller waits for each answer.
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { type EntryPlace, entryRecord, type NewEntry } from '@shared/session/new-entry'
import { BlobWriter } from '../blobs/blob-writer'
import type { Environment } from '../environment'
import type { AgentLayout } from '../layout/agent-directories'
import { memoryByteSource } from '../storage/byte-source'
import { captureIdentity } from '../storage/file-identity'
import { FileSessionStorage } from '../storage/file-session-storage'
import { journalStorage } from '../storage/open-journal'
import { type SessionStorage, type StorageStat, stateDifference } from '../storage/session-storage'
import type { ManagerSettings } from './manager-settings'
import type { SessionInQuestion } from './many-file-operations'
import { type PreparedRecord, prepareRecord } from './prepare-record'
import { SessionClaim } from './session-claim'
import { SessionDocument } from './session-document'
import type { NewHeader } from './session-head'
import { leaveTrace, registerWritten } from './session-traces'
import { SessionWriter } from './session-writer'
import {
  newUnwritten,
  publishUnwritten,
  type UnwrittenSession,
  unwrittenElsewhere,
} from './unwritten-session'

/** In memory only, or in a file. `over` is a blank file that the first write replaces. */
type Place = { kind: 'unwritten'; session: UnwrittenSession; over: StorageStat | null } | { kind: 'written' }

export class SessionJournal {
  readonly storage: SessionStorage
  private readonly env: Environment
  private readonly settings: ManagerSettings
  private readonly blobs: BlobWriter
  /** The draft was sent or discarded here: when the session was there only for it, it is to go as well. */
  draftIsGone = false
  private registered = false
  /** The state that our last write left. */
  private left: StorageStat | null
  private place: Place
  private writer: SessionWriter
  private readonly claim: SessionClaim

  private constructor(
    env: Environment,
    settings: ManagerSettings,
    storage: SessionStorage,
    place: Place,
    document: SessionDocument,
    ours: boolean,
  ) {
    this.env = env
    this.settings = settings
    this.storage = storage
    this.blobs = new BlobWriter(env, settings.layout.blobsDir)
    this.place = place
    this.left = ours && place.kind === 'written' ? document.stat : null
    const isOurs = ours || (place.kind === 'unwritten' && place.over === null)
    this.claim = new SessionClaim(env, settings, storage.path, () => this.cwd, isOurs)
    this.writer = this.writerOf(place.kind === 'unwritten' ? place.session.storage : storage, document)
  }

  /** A new journal in memory that would lie at `file`. */
  static unwritten(
    env: Environment,
    settings: ManagerSettings,
    file: string,
    header: NewHeader,
    over: StorageStat | null = null,
  ): Result<SessionJournal> {
    const session = newUnwritten(env, file, header)
    return session.ok ? ok(SessionJournal.inMemory(env, settings, file, session.value, over)) : session
  }

  private static inMemory(
    env: Environment,
    settings: ManagerSettings,
    file: string,
    session: UnwrittenSession,
    over: StorageStat | null,
  ): SessionJournal {
    const storage = new FileSessionStorage(env, file)
    const place: Place = { kind: 'unwritten', session, over }
    return new SessionJournal(env, settings, storage, place, session.document, false)
  }

  /** The journal in `file`. `ours`: this program has just made it, so that nobody else can have it. */
  static open(
    env: Environment,
    settings: ManagerSettings,
    file: string,
    ours: boolean,
  ): Result<SessionJournal> {
    const storage = journalStorage(env, file)
    const document = SessionDocument.open(storage, env.now)
    if (!document.ok) return document
    const { stat } = document.value
    if (ours && stat !== null) settings.wrote?.(file, stat)
    return ok(new SessionJournal(env, settings, storage, { kind: 'written' }, document.value, ours))
  }

  get isOnDisk(): boolean {
    return this.place.kind === 'written'
  }

  /** Whether the file is as our last write to it left it, or as we made it. */
  get isOurs(): boolean {
    const stat = this.storage.stat()
    return stat.ok && this.left !== null && stateDifference(this.left, stat.value) === null
  }

  /** The session for an operation that asks who uses it: our own last write is no one else's. */
  inQuestion(): SessionInQuestion {
    const journal = this.storage.path
    // In this order: what another program wrote between the two must not pass for ours.
    const identity = captureIdentity(this.env.fs, journal)
    return identity.ok && this.isOurs ? { journal, asLeft: identity.value } : { journal }
  }

  get document(): SessionDocument {
    return this.writer.document
  }

  /** Adds the entry that `make` answers, which is asked when `document` is what the file holds; answers what it did. */
  append<T extends { place: EntryPlace; entry: NewEntry }>(make: () => Result<T>): Promise<Result<T>> {
    return this.writer.append(() => {
      const made = make()
      if (!made.ok) return made
      const line = this.lineOf(made.value.place, made.value.entry)
      return line.ok ? ok({ line: line.value, value: made.value }) : line
    })
  }

  /** A title: its `title_change` entry, then the slot. `make` is asked as in `append`; its null is a no, told as false. */
  retitle(make: () => { place: EntryPlace; entry: NewEntry; slot: string } | null): Promise<Result<boolean>> {
    return this.writer.retitle(() => {
      const made = make()
      if (made === null) return ok(null)
      const line = this.lineOf(made.place, made.entry)
      return line.ok ? ok({ lines: line.value.line, slot: made.slot }) : line
    })
  }

  /** The slot alone: all that is written to a session which another program has. False as in `retitle`. */
  retitleSlotOnly(make: () => string | null): Promise<Result<boolean>> {
    return this.writer.retitleSlotOnly(make)
  }

  /**
   * Takes away everything from the entry `id` on, when `expect` agrees to these bytes; with `back`, the title too. `back.size`: of
   * the journal before that entry. One that ended without a line feed then ends without it again.
   */
  removeFrom(
    id: string,
    expect: (tail: Uint8Array) => boolean,
    back?: { slot: Uint8Array; size: number },
  ): Promise<Result<true>> {
    const begin = (): Result<number> => {
      const ordinal = this.document.index.ordinalOf(id)
      if (ordinal !== undefined) {
        const { offset } = this.document.index.place(ordinal)
        return ok(back?.size === offset - 1 ? back.size : offset)
      }
      return err('not-found', `${this.storage.path} holds no entry ${id}.`, this.storage.path)
    }
    return this.writer.removeTail(begin, expect, back?.slot)
  }

  /** Removes the file for good while it is what `document` shows and `mayGo`, asked last, agrees; tells whether it did. */
  remove(mayGo: () => Result<boolean>): Promise<Result<boolean>> {
    return this.isOnDisk ? this.writer.remove(mayGo) : Promise.resolve(ok(false))
  }

  /** Whether a change would be refused now. Looks only. */
  check(): Promise<Result<true>> {
    return this.isOnDisk ? this.writer.check() : this.claim.hold()
  }

  private get cwd(): string | null {
    return this.document.header?.cwd ?? null
  }

  /** Reads what other programs wrote since. */
  refresh(): Result<true> {
    return this.writer.refresh()
  }

  /** As `refresh`; the next change tells of it as if it had not been read. */
  look(): Result<true> {
    return this.writer.look()
  }

  /** Makes the file, when it is not there yet, and goes on with it. A blank file that is replaced is asked about and locked. */
  async publish(): Promise<Result<true>> {
    if (this.place.kind === 'written') return ok(true)
    const { session, over } = this.place
    const make = (blank: StorageStat | null) =>
      publishUnwritten(this.env, session, this.storage, this.blobs, blank)
    // A blank file that is gone meanwhile leaves the place free.
    if (over === null || !this.storage.stat().ok) return this.published(make(null))
    const claimed = await this.claim.renew()
    if (!claimed.ok) return claimed
    return this.storage.locked(() => this.published(make(over)))
  }

  private published(made: Result<{ stat: StorageStat; bytes: Uint8Array }>): Result<true> {
    if (!made.ok) return made
    const { stat, bytes } = made.value
    this.noteWrite(null, stat)
    // Not read from the file: it is there now, and a failure to read it must not let it seem otherwise.
    const document = SessionDocument.readFrom(this.storage, this.env.now, memoryByteSource(bytes), stat)
    if (!document.ok) return document
    this.place = { kind: 'written' }
    this.writer = this.writerOf(this.storage, document.value)
    leaveTrace(this.env, this.settings, { session: this.storage.path, cwd: this.cwd, fresh: false })
    return ok(true)
  }

  /** The journal in memory for a place in `layout`, with another header line; null for one that is on disk. */
  elsewhere(
    layout: AgentLayout,
    file: string,
    changeHeader: (line: Uint8Array) => Uint8Array | null,
  ): Result<SessionJournal> | null {
    if (this.place.kind === 'written') return null
    const moved = unwrittenElsewhere(this.env, file, this.place.session, changeHeader)
    // Its pictures belong into the store of the new place.
    const settings = { ...this.settings, layout }
    return moved.ok ? ok(SessionJournal.inMemory(this.env, settings, file, moved.value, null)) : moved
  }

  private lineOf(place: EntryPlace, entry: NewEntry): Result<PreparedRecord> {
    // In memory the pictures stay where they are: a session that is never written leaves no blobs.
    const blobs = this.place.kind === 'written' ? this.blobs : null
    return prepareRecord(entryRecord(place, entry), blobs)
  }

  private writerOf(storage: SessionStorage, document: SessionDocument): SessionWriter {
    const { sync = 'os', sharing = 'refuse' } = this.settings
    // What is in memory only is nobody else's; its states are of its own kind, which nobody asks about.
    if (storage !== this.storage) {
      const claim = new SessionClaim(this.env, {}, storage.path, () => null, true)
      return new SessionWriter(this.env, storage, document, { sync, sharing, claim, wrote: () => undefined })
    }
    const wrote = (before: StorageStat, after: StorageStat) => this.noteWrite(before, after)
    return new SessionWriter(this.env, storage, document, { sync, sharing, claim: this.claim, wrote })
  }

  /**
   * Notes what a write of ours left as our own, unless another program wrote a moment before it: that it did would be
   * forgotten. `before` null: there was nothing.
   */
  private noteWrite(before: StorageStat | null, after: StorageStat): void {
    const { path } = this.storage
    const wasOurs =
      before === null ||
      (this.left !== null && stateDifference(this.left, before) === null) ||
      this.settings.wasOurs?.(path, before) === true ||
      this.env.now() - before.modified >= limits.recentGrowthMs
    this.left = wasOurs ? after : null
    if (wasOurs) this.settings.wrote?.(path, after)
    if (!this.registered) registerWritten(this.env, this.settings, this.storage.path)
    this.registered = true
  }
}
