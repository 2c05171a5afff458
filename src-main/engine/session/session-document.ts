/**
 * One session as read: its index, its facts, its damage, and access to any entry's record.
 *
 * Guarantees: reading never writes; after `refresh` the document equals one read anew; growth costs the grown
 * bytes. Records are parsed when asked for. The file is open only while bytes are read.
 *
 * Opened by heads, a document has its structure at once and is not `complete`: facts, tokens and costs are not known, and a line
 * that looks like an entry may turn out to be damaged. `checking` completes it; then it equals one that was opened whole.
 *
 * Failures: what the system refuses is an error value; what the file contains is never an error but is told
 * by `problems`.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { EntryColumns } from '@shared/session/entry-columns'
import type { SessionHeader } from '@shared/session/header'
import { type JsonObject, parseObject } from '@shared/session/json'
import { migrateAt } from '@shared/session/migrate'
import type { SessionEntryIndex } from '@shared/session/session-entry-index'
import type { SessionFacts } from '@shared/session/session-facts'
import { sessionTitle } from '@shared/session/session-title'
import type { TitleSource } from '@shared/session/title-slot'
import { parseSessionFileName } from '../layout/session-paths'
import { atOnce, type Steps } from '../steps'
import { type ByteSource, bufferOf, memoryByteSource, readRange, tailSource } from '../storage/byte-source'
import { attempt, EngineError } from '../storage/errors'
import type { DamagedLine, JournalScan, PendingLine } from '../storage/journal-scan'
import type { SessionStorage, StorageStat } from '../storage/session-storage'
import { DocumentContent } from './document-content'
import { findProblems, type SessionProblem } from './session-problems'

/** How a file differs from what was read of it. */
export type SessionGrowth = 'same' | 'grown' | 'rewritten'

/** Bytes before the read end that must be unchanged for growth to be read as growth. */
const TAIL_BYTES = 4096
/** Bytes at the start that are compared as well: a rename overwrites the slot and appends an entry. */
const HEAD_BYTES = limits.slotBytes

export class SessionDocument {
  readonly storage: SessionStorage
  private readonly now: () => number
  private content: DocumentContent
  private readonly byHeads: boolean
  private state: StorageStat
  private head: Uint8Array = new Uint8Array()
  private tail: Uint8Array = new Uint8Array()
  /** Reading what grew failed on its way: only reading all tells what there is. */
  private halfRead = false
  /** Why the bytes are not all that there were; null when they are. */
  private lost: string | null = null
  /** Counts the changes seen: rows made at another revision are stale. */
  revision = 0
  /** Bytes read from the file for scanning so far; for tests of the work done. */
  scannedBytes = 0

  private constructor(storage: SessionStorage, now: () => number, state: StorageStat, byHeads: boolean) {
    this.storage = storage
    this.now = now
    this.state = state
    this.byHeads = byHeads
    this.content = this.newContent(byHeads)
  }

  /** Reads the whole session once. */
  static open(storage: SessionStorage, now: () => number): Result<SessionDocument> {
    return atOnce(SessionDocument.opening(storage, now, false))
  }

  /** `open` in steps; `byHeads`: the structure only, to be completed by `checking`. */
  static *opening(
    storage: SessionStorage,
    now: () => number,
    byHeads: boolean,
  ): Steps<Result<SessionDocument>> {
    const opened = storage.open()
    if (!opened.ok) return opened
    const { source, stat } = opened.value
    try {
      const document = new SessionDocument(storage, now, stat, byHeads)
      const read = yield* document.readingAll(source, byHeads)
      return read.ok ? ok(document) : read
    } finally {
      source.close()
    }
  }

  /** As `open`, from bytes that are at hand: `source` is what the storage holds in the state `stat`. */
  static readFrom(
    storage: SessionStorage,
    now: () => number,
    source: ByteSource,
    stat: StorageStat,
  ): Result<SessionDocument> {
    const document = new SessionDocument(storage, now, stat, false)
    const read = atOnce(document.readingAll(source, false))
    return read.ok ? ok(document) : read
  }

  /** Whether everything is known. What grows in a complete document is read whole. */
  get complete(): boolean {
    return this.content.complete
  }

  /**
   * Completes the document. `same`: it was complete. `grown`: nothing that was there turned out otherwise. `rewritten`: something did,
   * the journal was read whole, and ordinals may mean other entries. The file may grow meanwhile.
   */
  *checking(): Steps<Result<SessionGrowth>> {
    if (this.complete) return ok('same')
    while (!this.complete) {
      const { content } = this
      const checked = this.reading(source => content.check(source, (record, at) => this.migrated(record, at)))
      if (!checked.ok) return checked
      if (!checked.value) return yield* this.correcting()
      yield { done: this.content.checkedBytes, total: this.bytes }
    }
    this.revision++
    return ok('grown')
  }

  private *correcting(): Steps<Result<SessionGrowth>> {
    const opened = this.storage.open()
    if (!opened.ok) return opened
    const { source, stat } = opened.value
    try {
      const read = yield* this.readingAll(source, false)
      if (!read.ok) return read
      this.state = stat
      this.halfRead = false
      this.revision++
      return ok('rewritten')
    } finally {
      source.close()
    }
  }

  /** Reads what changed since: the tail when the file only grew, all of it otherwise. */
  refresh(): Result<SessionGrowth> {
    const stat = this.storage.stat()
    if (!stat.ok) return stat
    const same = stat.value.fileId === this.state.fileId && stat.value.size === this.state.size
    if (same && !this.halfRead && stat.value.modified === this.state.modified) return ok('same')
    const opened = this.storage.open()
    if (!opened.ok) return opened
    const { source, stat: now } = opened.value
    const result = this.readChange(source, now)
    source.close()
    return result
  }

  /**
   * Takes over lines that this program appended, without reading the file: `after` is its state since. Where more happened
   * than that, it is read as by `refresh`. `said`: what parsing the one line of `lines` would answer, where that is known.
   */
  accept(lines: Uint8Array, after: StorageStat, said?: JsonObject): Result<SessionGrowth> {
    const from = this.scan.position
    const whole = this.scan.resumable && from === this.state.size && from + lines.length === after.size
    if (!whole || after.fileId !== this.state.fileId) return this.refresh()
    const taken = attempt('read', this.path, () => {
      if (said !== undefined) this.scan.takeWritten(said, lines)
      else this.content.advance(tailSource(lines, from))
    })
    if (!taken.ok) return this.refresh()
    this.tail = endOf(this.tail, lines, TAIL_BYTES)
    this.state = after
    this.revision++
    return ok('grown')
  }

  /** Takes over a slot that this program wrote in place; `after` is the state since. */
  acceptSlot(slot: Uint8Array, after: StorageStat): Result<SessionGrowth> {
    const same = after.fileId === this.state.fileId && after.size === this.state.size
    if (!same || !this.scan.rereadSlot(memoryByteSource(slot))) return this.refresh()
    this.head = slot
    this.state = after
    this.revision++
    return ok('grown')
  }

  private readChange(source: ByteSource, now: StorageStat): Result<SessionGrowth> {
    const compared = attempt('read', this.storage.path, () => !this.halfRead && this.isGrowth(source, now))
    if (!compared.ok) return compared
    const read = compared.value ? this.readTail(source) : atOnce(this.readingAll(source, this.byHeads))
    if (!read.ok) {
      this.halfRead ||= compared.value
      return read
    }
    this.halfRead = false
    this.state = now
    this.revision++
    return ok(compared.value ? 'grown' : 'rewritten')
  }

  /** Same file, longer, and what was read of it unchanged; a slot that was overwritten in place is read again. */
  private isGrowth(source: ByteSource, now: StorageStat): boolean {
    if (now.fileId !== this.state.fileId || now.size <= this.state.size || !this.scan.resumable) return false
    const end = this.scan.position
    if (Buffer.compare(readRange(source, end - this.tail.length, end), this.tail) !== 0) return false
    const sameHead = Buffer.compare(readRange(source, 0, this.head.length), this.head) === 0
    return sameHead || this.scan.rereadSlot(source)
  }

  /** Until all is read, and when that fails, the document shows what it showed. */
  private *readingAll(source: ByteSource, byHeads: boolean): Steps<Result<true>> {
    const content = this.newContent(byHeads)
    this.scannedBytes += source.size
    const steps = content.advancing(source)
    for (;;) {
      const step = attempt('read', this.path, () => steps.next())
      if (!step.ok) return step
      if (step.value.done === true) break
      yield step.value.value
    }
    return attempt('read', this.path, () => {
      this.noteEnds(source, content.scan.position)
      this.lost = source.damage ?? null
      this.content = content
      return true as const
    })
  }

  private readTail(source: ByteSource): Result<true> {
    return attempt('read', this.path, () => {
      this.scannedBytes += source.size - this.scan.position
      this.content.advance(source)
      this.noteEnds(source, this.scan.position)
      return true as const
    })
  }

  private noteEnds(source: ByteSource, end: number): void {
    const head = readRange(source, 0, Math.min(HEAD_BYTES, end))
    this.tail = readRange(source, Math.max(0, end - TAIL_BYTES), end)
    this.head = head
  }

  private newContent(byHeads: boolean): DocumentContent {
    return new DocumentContent(this.storage.path, this.now(), byHeads)
  }

  private get scan(): JournalScan {
    return this.content.scan
  }

  get path(): string {
    return this.storage.path
  }

  get index(): SessionEntryIndex {
    return this.scan.index
  }

  /** Facts of all entries. Only where the document is `complete`. */
  get facts(): SessionFacts {
    return this.content.facts
  }

  /** Target id -> label, known before the document is complete. */
  get labels(): ReadonlyMap<string, string> {
    return this.content.names.labels
  }

  /** Lines that were parsed while scanning; for tests of the work done. */
  get parsedLines(): number {
    return this.scan.parsedLines
  }

  get columns(): EntryColumns {
    return this.content.columns
  }

  get header(): SessionHeader | null {
    return this.scan.header
  }

  /** The header record as it stands in the file. */
  get headerRecord(): JsonObject | null {
    return this.scan.headerRecord
  }

  get damaged(): readonly DamagedLine[] {
    return this.scan.damaged
  }

  /** Ordinals of entries that stand behind something else on their line, in the order of the file. */
  get inlineEntries(): ReadonlySet<number> {
    return this.scan.inline
  }

  /** One sentence where the bytes that were read are not all that there were: what follows them is lost. */
  get damage(): string | null {
    return this.lost
  }

  get pending(): PendingLine | null {
    return this.scan.pending
  }

  get hasSlot(): boolean {
    return this.scan.slot !== null
  }

  get bytes(): number {
    return this.state.size
  }

  /** The state of the bytes as they were read. */
  get stat(): StorageStat {
    return this.state
  }

  /** Whether the journal begins with a slot that may be overwritten in place. */
  get hasExactSlot(): boolean {
    return this.scan.slot?.exact === true
  }

  /** The header stands where it belongs and names the session, so that other programs can open the file. */
  get isWritable(): boolean {
    const { headerLate, headerShared } = this.scan
    return this.headerRecord !== null && !headerLate && !headerShared && this.header?.id != null
  }

  get fileId(): string {
    return this.state.fileId
  }

  get modified(): number {
    return this.state.modified
  }

  /** As in the file, 1 when the header names none; null without a header. */
  get version(): number | null {
    return this.header?.version ?? null
  }

  /** The version by which the entries are read: the header's, else what the entries tell; null without either. */
  get readVersion(): number | null {
    return this.version ?? this.scan.entryVersion
  }

  /** The header's id, else the one in the file's name. */
  get id(): string | null {
    return this.header?.id ?? parseSessionFileName(path.basename(this.path)).id
  }

  get title(): { title: string | null; source: TitleSource | null } {
    return sessionTitle(this.scan.slot, this.header, this.content.names)
  }

  get problems(): SessionProblem[] {
    const found = findProblems(this.scan)
    return this.lost === null ? found : [{ kind: 'cut-archive' }, ...found]
  }

  /** The record of an entry as version 3 has it; an error when the file changed under it. */
  entry(ordinal: number): Result<JsonObject> {
    const found = this.entries([ordinal])
    if (!found.ok) return found
    const record = found.value[0]
    return record === undefined
      ? err('not-found', `Entry ${ordinal} is not in ${this.path}.`, this.path)
      : ok(record)
  }

  /** Records of several entries in one opening of the file. */
  entries(ordinals: readonly number[]): Result<JsonObject[]> {
    const records: JsonObject[] = []
    const read = this.visit(ordinals, record => records.push(record))
    return read.ok ? ok(records) : read
  }

  /** As `entries`, one record at a time, so that only one is held: for long paths. */
  visit(ordinals: readonly number[], use: (record: JsonObject, ordinal: number) => void): Result<true> {
    return this.reading(source => {
      for (const ordinal of ordinals) use(this.recordAt(source, ordinal), ordinal)
      return true as const
    })
  }

  /** Raw bytes of a part of the file, for lines that could not be read. */
  rawBytes(offset: number, length: number): Result<Uint8Array> {
    return this.reading(source => readRange(source, offset, offset + length))
  }

  /** Lets `use` read the file as it was scanned; another file in its place is `changed-on-disk`. */
  private reading<T>(use: (source: ByteSource) => T): Result<T> {
    const opened = this.storage.open()
    if (!opened.ok) return opened
    const { source, stat } = opened.value
    // Not the size that is told of the file: an archived one holds more.
    const same = stat.fileId === this.state.fileId && source.size >= this.scan.position
    const result = same ? attempt('read', this.path, () => use(source)) : this.changed()
    source.close()
    return result
  }

  private changed(): Result<never> {
    return err('changed-on-disk', `${this.path} changed since it was read; it is read again.`, this.path)
  }

  private recordAt(source: ByteSource, ordinal: number): JsonObject {
    const { offset, length } = this.index.place(ordinal)
    const bytes = readRange(source, offset, offset + length)
    const record = parseObject(bufferOf(bytes).toString('utf8'))
    if (record === null && !this.complete)
      throw new EngineError(
        'damaged',
        `Entry ${ordinal} of ${this.path} is no record; it has to be read whole.`,
        this.path,
      )
    // Overwritten in place since it was read: an empty record is shown until `refresh` reads it anew.
    return record === null ? {} : this.migrated(record, ordinal)
  }

  /** A record of this file, parsed from its bytes, as version 3 has it. */
  migrated(record: JsonObject, ordinal: number): JsonObject {
    return migrateAt(record, this.scan.entryVersion ?? limits.sessionVersion, {
      id: this.index.id(ordinal),
      parentId: this.index.parentId(ordinal),
      idAt: other => (other < ordinal ? this.index.id(other) : null),
    })
  }
}

/** The last `most` bytes of `before` and `added` together, in the memory of `before` where that holds as many. */
function endOf(before: Uint8Array, added: Uint8Array, most: number): Uint8Array {
  if (added.length >= most || before.length < most) return Buffer.concat([before, added]).subarray(-most)
  before.copyWithin(0, added.length)
  before.set(added, most - added.length)
  return before
}
