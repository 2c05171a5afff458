/**
 * SESSION WRITER: the changes of one journal. The caller makes one change at a time: it waits for the answer.
 *
 * Guarantees
 *   An ok means that the whole change is in the file that the session's name leads to, and `document` shows it.
 *   An error means that nothing of it is there, and that the next call can succeed: no error sticks.
 *   Every change looks first whether the file is still what was read. What others appended is read, never overwritten;
 *   with `refuse` it is also told (`changed-on-disk`) before anything is added, with `join` the change goes on after it.
 *   A journal of version 1 or 2 is written anew as version 3 by its first change, everything else of it byte for byte.
 *   Never written: versions above 3, journals without a readable header, sessions that another program uses (but
 *   for their slot).
 *
 * Order of one change
 *   claim (session-claim.ts), lock, stat, read what grew, change, end of lock.
 *   An append leaves out the stat as long as nothing is known to have changed: it compares the open file itself, and only
 *   when that differs the look follows.
 *
 * Failures
 *   session in use, lock busy   `in-use`, names the process; nothing was done
 *   changed meanwhile           `changed-on-disk`; what is new is read by now
 *   gone                        `not-found`; nothing is made in its place: a journal without its header could not be opened
 *   slot fails after its `title_change`   its error; the session keeps its title, the attempt stays in its history
 *   the system refuses          its error; append and replace are whole or not at all (session-storage.ts)
 *   the change is there, but cannot be read back       ok; `document` shows it after the next look
 */

import { type AppError, type ErrorCode, err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { JsonObject } from '@shared/session/json'
import type { Environment } from '../environment'
import { readRange } from '../storage/byte-source'
import { attempt } from '../storage/errors'
import {
  type SessionStorage,
  type StorageStat,
  type SyncMode,
  stateDifference,
} from '../storage/session-storage'
import { copiedJournal, headerless } from './journal-copy'
import { readJournalHead } from './journal-head'
import { splice } from './json-splice'
import type { PreparedRecord } from './prepare-record'
import type { SessionClaim } from './session-claim'
import type { SessionDocument, SessionGrowth } from './session-document'
import { slotLineFor } from './session-head'

/** What happens when another program wrote to the session since it was read. */
export type SharingMode = 'refuse' | 'join'

export type WriterOptions = {
  sync: SyncMode
  sharing: SharingMode
  claim: SessionClaim
  /** Told of each of our own changes: the state that it was made on, and the one that it left. */
  wrote(before: StorageStat, after: StorageStat): void
}

/** Refusals that may be because the file is not what was read of it. */
const NEEDS_LOOK: ReadonlySet<ErrorCode> = new Set(['changed-on-disk', 'not-found'])

export class SessionWriter {
  readonly document: SessionDocument
  private readonly env: Environment
  private readonly storage: SessionStorage
  private readonly options: WriterOptions
  /** Others wrote, and nobody was told yet. */
  private untold = false
  /** What an own change left when `document` could not be brought to it. */
  private ahead: StorageStat | null = null

  constructor(env: Environment, storage: SessionStorage, document: SessionDocument, options: WriterOptions) {
    this.env = env
    this.storage = storage
    this.document = document
    this.options = options
  }

  /**
   * Adds the line that `make` answers. What is added was made when `document` is what the file holds; `make` may be
   * asked before that is known, and is asked again when it is not so.
   */
  append<T>(make: () => Result<{ line: PreparedRecord; value: T }>): Promise<Result<T>> {
    const step = (): Result<T> => {
      const made = make()
      if (!made.ok) return made
      const { line, record, plain } = made.value.line
      const said = plain ? record : undefined
      const written = this.isOld() ? this.rewriteNow({ lines: line }) : this.appendNow(line, said)
      return written.ok ? ok(made.value.value) : written
    }
    return this.change(step, this.isOld() ? 'replace' : 'append')
  }

  /**
   * A title: `lines` (its `title_change`) are appended, then the slot is overwritten in place; a journal that has no slot is
   * written anew with one. False when `make` answers null: then nothing is written.
   */
  retitle(make: () => Result<{ lines: Uint8Array; slot: string } | null>): Promise<Result<boolean>> {
    const inPlace = !this.isOld() && this.document.hasExactSlot
    return this.change<boolean>(
      () => {
        const made = make()
        if (!made.ok) return made
        if (made.value === null) return ok(false)
        const { lines, slot } = made.value
        if (this.isOld() || !this.document.hasExactSlot) return this.rewriteNow({ lines, slot })
        const appended = this.appendNow(lines)
        if (!appended.ok) return appended
        const slotted = this.slotNow(slot)
        if (slotted.ok || slotted.error.code !== 'changed-on-disk') return slotted
        // A line that somebody added in between is no reason to leave the title behind its `title_change`.
        const looked = this.look()
        return looked.ok && this.document.hasExactSlot ? this.slotNow(slot) : slotted
      },
      inPlace ? 'retitle' : 'replace',
    )
  }

  /** The slot alone: all that is ever written to a session that another program has. False as in `retitle`. */
  retitleSlotOnly(make: () => string | null): Promise<Result<boolean>> {
    return this.storage.locked<boolean>(() => {
      const looked = this.look()
      if (!looked.ok) return looked
      const refused = this.refusal()
      if (refused !== null) return { ok: false, error: refused }
      const slot = make()
      return slot === null ? ok(false) : this.slotNow(slot, false)
    })
  }

  /**
   * Writes the journal anew with its end cut off: `begin` says where, and what is there must be what `expect` says. `slot` comes
   * in the place of the one that is there.
   */
  removeTail(
    begin: () => Result<number>,
    expect: (tail: Uint8Array) => boolean,
    slot: Uint8Array = new Uint8Array(),
  ): Promise<Result<true>> {
    return this.change(() => {
      const begins = begin()
      if (!begins.ok) return begins
      const from = begins.value
      const tail = this.document.rawBytes(from, this.document.bytes - from)
      if (!tail.ok) return tail
      if (!expect(tail.value))
        return err('conflict', `${this.storage.path} goes on after that entry; it stays.`, this.storage.path)
      if (slot.length > 0 && !this.document.hasExactSlot)
        return err('conflict', `${this.storage.path} has no place for its title any more.`, this.storage.path)
      const opened = this.storage.open()
      if (!opened.ok) return opened
      const { source } = opened.value
      const chunks = function* (): Generator<Uint8Array> {
        if (slot.length > 0) yield slot
        for (let at = slot.length; at < from; at += limits.chunkBytes)
          yield readRange(source, at, Math.min(from, at + limits.chunkBytes))
      }
      // Not the state of what was just opened: a line that came since would be cut off with the rest.
      const replaced = this.storage.replace(chunks(), this.document.stat)
      source.close()
      return replaced.ok ? this.reread(this.document.stat, replaced.value) : replaced
    }, 'replace')
  }

  /**
   * Removes the session for good while it is what `document` shows now: what others add since must not go with it. `mayGo` is
   * asked last, under the lock; false answers false, and nothing is done.
   */
  remove(mayGo: () => Result<boolean>): Promise<Result<boolean>> {
    const { stat } = this.document
    return this.change<boolean>(() => {
      const may = mayGo()
      return may.ok && may.value ? this.storage.remove(stat) : may
    }, 'replace')
  }

  /** Whether a change would be refused now, and why. Looks only. */
  async check(): Promise<Result<true>> {
    const refused = this.refusal()
    return refused === null ? this.options.claim.hold() : { ok: false, error: refused }
  }

  /** Reads what others wrote; the next change begins from there. */
  refresh(): Result<true> {
    const looked = this.look()
    if (!looked.ok) return looked
    if (this.untold) this.options.claim.revoke()
    this.untold = false
    return ok(true)
  }

  /** Reads what others wrote, if anything, and marks it as untold. The next change begins by that. */
  look(): Result<true> {
    const growth = this.document.refresh()
    if (!growth.ok) return growth
    const ours = this.ahead !== null && stateDifference(this.ahead, this.document.stat) === null
    this.ahead = null
    if (growth.value !== 'same' && !ours) this.untold = true
    return ok(true)
  }

  /**
   * Does one change. An append is tried without a look first: its step compares the file with `document` before it writes.
   * With `join` it is not, since another program's file in place of ours could hold the lines already. Before the file is
   * replaced or removed, who has it is asked anew.
   */
  private async change<T>(step: () => Result<T>, kind: 'append' | 'retitle' | 'replace'): Promise<Result<T>> {
    const { claim } = this.options
    const claimed = await (kind === 'replace' ? claim.renew() : claim.hold())
    if (!claimed.ok) return claimed
    return this.storage.locked(() => {
      if (kind === 'append' && this.options.sharing === 'refuse' && !this.untold && this.refusal() === null) {
        const done = step()
        if (done.ok || !NEEDS_LOOK.has(done.error.code)) return done
      }
      const looked = this.look()
      if (!looked.ok) return looked
      const { untold } = this
      this.untold = false
      if (untold) claim.revoke()
      if (untold && this.options.sharing === 'refuse') return this.grown()
      const refused = this.refusal()
      return refused === null ? step() : { ok: false, error: refused }
    })
  }

  private grown(): Result<never> {
    const { path } = this.storage
    const text = `Another program wrote to ${path} since it was read, so nothing was added. It is read now; try again.`
    return err('changed-on-disk', text, path)
  }

  /** Why this journal is never written, or null. */
  private refusal(): AppError | null {
    const { path } = this.storage
    const version = this.document.version ?? 1
    if (!this.document.isWritable) {
      const message = `${path} has no readable header at its start, so it is never written. It can be read as it is.`
      return { code: 'damaged', message, path }
    }
    if (version <= limits.sessionVersion) return null
    const message = `${path} is of version ${version}; only versions up to ${limits.sessionVersion} are written.`
    return { code: 'unsupported-version', message, path }
  }

  private isOld(): boolean {
    return (this.document.version ?? 1) < limits.sessionVersion
  }

  private appendNow(lines: Uint8Array, said?: JsonObject): Result<true> {
    const before = this.document.stat
    const appended = this.storage.append(lines, before, this.options.sync)
    if (!appended.ok) return appended
    const after = appended.value
    // One byte more is the line feed after a torn end.
    if (after.size > before.size + lines.length + 1) {
      this.untold = true
      this.options.claim.revoke()
    } else this.options.wrote(before, after)
    return this.shown(this.document.accept(lines, after, said), after)
  }

  /** `ours`: the session is not another program's, so that what is left counts as our own write. */
  private slotNow(slot: string, ours = true): Result<true> {
    const bytes = Buffer.from(slot, 'utf8')
    const before = this.document.stat
    const written = this.storage.writeSlot(bytes, before, this.options.sync)
    if (!written.ok) return written
    if (ours) this.options.wrote(before, written.value)
    return this.shown(this.document.acceptSlot(bytes, written.value), written.value)
  }

  /** The whole journal anew, as version 3 with a slot, and then `lines`. */
  private rewriteNow({ lines, slot }: { lines: Uint8Array; slot?: string }): Result<true> {
    const opened = this.storage.open()
    if (!opened.ok) return opened
    const { source } = opened.value
    const { document } = this
    const newSlot = slot ?? slotLineFor(document.title, new Date(this.env.now()).toISOString())
    const replaced = attempt('write', this.storage.path, () => {
      const line = readJournalHead(source).header
      const bytes = line === null ? null : Buffer.alloc(line.length)
      if (line !== null && bytes !== null) source.read(bytes, line.offset)
      const header = bytes === null ? null : splice(bytes, versionEdits(this.isOld()))
      if (header === null) throw headerless(this.storage.path)
      const chunks = function* (): Generator<Uint8Array> {
        yield* copiedJournal(document, source, { slot: newSlot, header })
        yield lines
      }
      // The state that `document` shows: lines that came since would be copied as they are, of an old version or not.
      return this.storage.replace(chunks(), document.stat)
    })
    source.close()
    if (!replaced.ok) return replaced
    return replaced.value.ok ? this.reread(document.stat, replaced.value.value) : replaced.value
  }

  private reread(before: StorageStat, after: StorageStat): Result<true> {
    this.options.wrote(before, after)
    return this.shown(this.document.refresh(), after)
  }

  /** The change is there, whatever came of reading it: a caller that was told otherwise would make it again. */
  private shown(taken: Result<SessionGrowth>, after: StorageStat): Result<true> {
    if (!taken.ok) this.ahead = after
    return ok(true)
  }
}

function versionEdits(old: boolean): { key: string; value: unknown }[] {
  return old ? [{ key: 'version', value: limits.sessionVersion }] : []
}
