/**
 * One session as read: its index, its facts, its damage, and access to any entry's record.
 *
 * Guarantees: reading never writes; after `refresh` the document equals one read anew; growth costs the grown
 * bytes. Records are parsed when asked for. The file is open only while bytes are read.
 *
 * Failures: what the system refuses is an error value; what the file contains is never an error but is told
 * by `problems`.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { EntryColumns } from '@shared/session/entry-columns'
import { foldTitle, type SessionHeader } from '@shared/session/header'
import { type JsonObject, parseObject } from '@shared/session/json'
import { createMigrator } from '@shared/session/migrate'
import type { SessionEntryIndex } from '@shared/session/session-entry-index'
import { SessionFacts } from '@shared/session/session-facts'
import type { TitleSource } from '@shared/session/title-slot'
import { parseSessionFileName } from '../layout/session-paths'
import { type ByteSource, readRange } from '../storage/byte-source'
import { attempt } from '../storage/errors'
import { type DamagedLine, JournalScan } from '../storage/journal-scan'
import type { SessionStorage, StorageStat } from '../storage/session-storage'
import { findProblems, type SessionProblem } from './session-problems'

/** How a file differs from what was read of it. */
export type SessionGrowth = 'same' | 'grown' | 'rewritten'

/** Bytes before the read end that must be unchanged for growth to be read as growth. */
const TAIL_BYTES = 4096

export class SessionDocument {
  readonly storage: SessionStorage
  private readonly now: () => number
  private scan: JournalScan
  private collected: SessionFacts
  private columnsOfEntries: EntryColumns
  private state: StorageStat
  private tail: Uint8Array = new Uint8Array()
  /** Counts the changes seen: rows made at another revision are stale. */
  revision = 0
  /** Bytes read from the file for scanning so far; for tests of the work done. */
  scannedBytes = 0

  private constructor(storage: SessionStorage, now: () => number, state: StorageStat) {
    this.storage = storage
    this.now = now
    this.state = state
    this.collected = new SessionFacts(now())
    this.columnsOfEntries = new EntryColumns(now())
    this.scan = this.newScan()
  }

  /** Reads the whole session once. */
  static open(storage: SessionStorage, now: () => number): Result<SessionDocument> {
    const opened = storage.open()
    if (!opened.ok) return opened
    const document = new SessionDocument(storage, now, opened.value.stat)
    const read = document.readAll(opened.value.source)
    opened.value.source.close()
    return read.ok ? ok(document) : read
  }

  /** Reads what changed since: the tail when the file only grew, all of it otherwise. */
  refresh(): Result<SessionGrowth> {
    const stat = this.storage.stat()
    if (!stat.ok) return stat
    const same = stat.value.fileId === this.state.fileId && stat.value.size === this.state.size
    if (same && stat.value.modified === this.state.modified) return ok('same')
    const opened = this.storage.open()
    if (!opened.ok) return opened
    const { source, stat: now } = opened.value
    const result = this.readChange(source, now)
    source.close()
    return result
  }

  private readChange(source: ByteSource, now: StorageStat): Result<SessionGrowth> {
    const grown =
      now.fileId === this.state.fileId &&
      now.size >= this.state.size &&
      this.scan.resumable &&
      this.tailUnchanged(source)
    const slotOnly = grown && now.size === this.state.size
    const read = grown && !slotOnly ? this.readTail(source) : this.readAll(source)
    if (!read.ok) return read
    this.state = now
    this.revision++
    return ok(grown && !slotOnly ? 'grown' : 'rewritten')
  }

  private tailUnchanged(source: ByteSource): boolean {
    const from = this.scan.position - this.tail.length
    return Buffer.compare(readRange(source, from, this.scan.position), this.tail) === 0
  }

  private readAll(source: ByteSource): Result<true> {
    this.collected = new SessionFacts(this.now())
    this.columnsOfEntries = new EntryColumns(this.now())
    this.scan = this.newScan()
    return this.readTail(source)
  }

  private readTail(source: ByteSource): Result<true> {
    return attempt('read', this.storage.path, () => {
      this.scannedBytes += source.size - this.scan.position
      this.scan.advance(source)
      this.tail = readRange(source, Math.max(0, this.scan.position - TAIL_BYTES), this.scan.position)
      return true as const
    })
  }

  private newScan(): JournalScan {
    return new JournalScan({
      seed: path.basename(this.storage.path),
      onEntry: entry => {
        this.collected.add(entry.record, entry.ordinal, entry.length)
        this.columnsOfEntries.add(entry.record)
      },
    })
  }

  get path(): string {
    return this.storage.path
  }

  get index(): SessionEntryIndex {
    return this.scan.index
  }

  get facts(): SessionFacts {
    return this.collected
  }

  get columns(): EntryColumns {
    return this.columnsOfEntries
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

  get pending(): { line: number; bytes: number } | null {
    return this.scan.pending
  }

  get hasSlot(): boolean {
    return this.scan.slot !== null
  }

  get bytes(): number {
    return this.state.size
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

  /** The header's id, else the one in the file's name. */
  get id(): string | null {
    return this.header?.id ?? parseSessionFileName(path.basename(this.path)).id
  }

  get title(): { title: string | null; source: TitleSource | null } {
    return foldTitle(this.scan.slot, this.header)
  }

  get problems(): SessionProblem[] {
    return findProblems(this.scan)
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
    const opened = this.storage.open()
    if (!opened.ok) return opened
    const result = attempt('read', this.path, () =>
      ordinals.map(ordinal => this.recordAt(opened.value.source, ordinal)),
    )
    opened.value.source.close()
    return result
  }

  private recordAt(source: ByteSource, ordinal: number): JsonObject {
    const { offset, length } = this.index.place(ordinal)
    const bytes = readRange(source, offset, offset + length)
    const record = parseObject(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
    // The file was replaced since it was read: an empty record is shown until `refresh` reads it anew.
    if (record === null) return {}
    return this.migrated(record, ordinal)
  }

  private migrated(record: JsonObject, ordinal: number): JsonObject {
    const version = this.version ?? (this.index.id(ordinal) === null || typeof record.id === 'string' ? 3 : 1)
    if (version >= limits.sessionVersion) return record
    if (version >= 2) return createMigrator(version, '').next(record)
    return {
      ...createMigrator(2, '').next(record),
      id: this.index.id(ordinal),
      parentId: this.index.parentId(ordinal),
    }
  }

  /** Raw bytes of a part of the file, for lines that could not be read. */
  rawBytes(offset: number, length: number): Result<Uint8Array> {
    const opened = this.storage.open()
    if (!opened.ok) return opened
    const result = attempt('read', this.path, () => readRange(opened.value.source, offset, offset + length))
    opened.value.source.close()
    return result
  }
}
