/**
 * A journal, read once from front to back: slot, header, entries, and what could not be read.
 *
 * Guarantees: never throws for what the file contains; never writes; every parsable record is met exactly
 * once (exact repetitions of a record are counted, not met again); a damaged line costs only itself. A last
 * line without line feed is an entry when it parses and pending otherwise. `advance` continues where the
 * last whole line ended, so that growth costs the grown bytes; what it then holds equals a scan from the
 * start. Rule: docs/format.md, Damage.
 *
 * With `byHeads`, lines as omp writes them are entries by their head alone (line-head.ts): nothing is decoded or parsed of them, and
 * that the rest of such a line is a record is for the caller to check.
 */

import { limits } from '@shared/limits'
import { entryHead } from '@shared/session/entry'
import { isHeaderRecord, readHeader, type SessionHeader } from '@shared/session/header'
import { type JsonObject, jsonText, parseObject } from '@shared/session/json'
import { createMigrator, type Migrator } from '@shared/session/migrate'
import { SessionEntryIndex } from '@shared/session/session-entry-index'
import { readTitleSlot, type TitleSlot } from '@shared/session/title-slot'
import { bomLength } from '../session/journal-head'
import { atOnce, type Steps } from '../steps'
import { type ByteSource, bufferOf, readRange, tailSource } from './byte-source'
import type { LineHead } from './line-head'
import { type Line, readLinesInSteps } from './line-reader'
import { splitLine } from './record-splitter'

export type DamagedLine = { line: number; offset: number; bytes: number; reason: string }

export type PendingLine = { line: number; offset: number; bytes: number }

export type ScannedEntry = { ordinal: number; record: JsonObject; line: number; length: number }

export type JournalScanOptions = {
  /** Makes the ids of version 1 files: the file's stem, used when the header has no id. */
  seed: string
  onEntry?: ((entry: ScannedEntry) => void) | undefined
  /** Reads heads for `byHeads`, and is told of each entry that was read so. */
  heads?: { reader: LineHead; onEntry(length: number): void } | undefined
  chunkBytes?: number | undefined
}

const LF = 0x0a
const BOM_BYTES = 3
/** Bytes of lines between two steps. */
const STEP_BYTES = 1024 * 1024
/** Entries of one id that a later record is compared with, so that the work stays linear in any file. */
const NAMESAKES = 16

export class JournalScan {
  readonly index = new SessionEntryIndex()
  readonly damaged: DamagedLine[] = []
  slot: (TitleSlot & { exact: boolean }) | null = null
  header: SessionHeader | null = null
  headerRecord: JsonObject | null = null
  /** The header is not where it belongs: something else came first. */
  headerLate = false
  /** Something else is on the header's line: other programs see no header, or lose what is behind it. */
  headerShared = false
  hasBom = false
  /** What does not parse yet at the end of the file. */
  pending: PendingLine | null = null
  /** Records that stood in the file before, byte for byte. */
  repeated = 0
  /** Ordinals of entries that stand behind something else on their line; omp reads only what comes first. */
  readonly inline = new Set<number>()
  records = 0
  /** End of the last whole line: where `advance` continues. */
  position = 0
  /** False once a record was taken from a line without line feed: what grows after it needs a new scan. */
  resumable = true
  /** The version by which entries are read: the header's, or what the first entry tells. Null before it. */
  entryVersion: number | null = null
  /** Lines are entries by their head, where that is in no doubt. */
  byHeads = false
  /** Lines that were decoded and parsed; for tests of the work done. */
  parsedLines = 0
  /** Damage on whole lines; beyond it in `damaged` is that of a last line that is still being written. */
  private settledDamage = 0
  private slotRecord: JsonObject | null = null
  /** Entries that have one id, for the ids that several have. */
  private readonly namesakes = new Map<string, number[]>()
  private nextLine = 1
  private migrator: Migrator | null = null
  private readonly options: JournalScanOptions

  constructor(options: JournalScanOptions) {
    this.options = options
  }

  /** Reads from the end of the last whole line to the end of `source`. Only while `resumable`. */
  advance(source: ByteSource): void {
    atOnce(this.advancing(source))
  }

  /** `advance` in steps; a scan that was left in the middle is of no use. */
  *advancing(source: ByteSource): Steps<void> {
    this.pending = null
    this.damaged.length = this.settledDamage
    const options = {
      from: this.position,
      firstNumber: this.nextLine,
      chunkBytes: this.options.chunkBytes ?? limits.chunkBytes,
      take: this.byHeads ? this.takeHead : undefined,
    }
    let told = this.position
    for (const line of readLinesInSteps(source, options)) {
      if (typeof line === 'number' || line.offset - told > STEP_BYTES) {
        told = typeof line === 'number' ? line : line.offset
        yield { done: told, total: source.size }
        if (typeof line === 'number') continue
      }
      const before = this.records
      this.takeLine(line, source)
      if (!line.terminated) {
        if (this.records > before) this.resumable = false
        return
      }
      this.position = line.offset + line.length + line.lineEnd
      this.nextLine = line.number + 1
      this.settledDamage = this.damaged.length
    }
  }

  /** As `advance` over one line that this program wrote, with its line feed; `record` is what it says. Nothing is read. */
  takeWritten(record: JsonObject, bytes: Uint8Array): void {
    this.pending = null
    this.damaged.length = this.settledDamage
    const [number, offset, length] = [this.nextLine, this.position, bytes.length - 1]
    const line: Line = { number, offset, bytes, length, terminated: true, lineEnd: 1, tooLarge: false }
    this.takeRecord(record, line, offset, length, tailSource(bytes, offset))
    this.position = offset + bytes.length
    this.nextLine = number + 1
  }

  /**
   * Reads the slot again, which a rename overwrites in place while all else stays. False when that is not all
   * that changed at the start of the file, so that only a new scan tells what it holds now.
   */
  rereadSlot(source: ByteSource): boolean {
    if (this.slot?.exact !== true) return false
    const bytes = readRange(source, 0, limits.slotBytes)
    const record = parseObject(Buffer.from(bytes).toString('utf8'))
    const slot = record === null ? null : readTitleSlot(record)
    if (slot === null || bytes.indexOf(LF) !== limits.slotBytes - 1) return false
    this.slot = { ...slot, exact: true }
    this.slotRecord = record
    return true
  }

  /** Takes a whole line by its head; false when it has to be parsed. */
  private readonly takeHead = (bytes: Uint8Array, from: number, to: number, offset: number): boolean => {
    const { heads } = this.options
    // Before the first entry the version is not known, and by an older one the line means something else.
    if (this.header === null || this.entryVersion === null || this.entryVersion < limits.sessionVersion)
      return false
    if (heads === undefined || !heads.reader.read(bytes, from, to)) return false
    // Of an id that is there already, it may be a repetition.
    if (!this.index.appendBytes(bytes, heads.reader, offset, to - from)) return false
    this.records++
    this.position = offset + to - from + 1
    this.nextLine++
    heads.onEntry(to - from)
    return true
  }

  private takeLine(line: Line, source: ByteSource): void {
    if (line.tooLarge) {
      this.damage(line, `too large (${Math.round(line.length / 1_000_000)} MB)`)
      return
    }
    this.parsedLines++
    const bom = line.offset === 0 ? bomLength(line.bytes) : 0
    if (bom > 0) this.hasBom = true
    const bytes = line.bytes.subarray(bom)
    const text = bufferOf(bytes).toString('utf8')
    if (/^[ \t\r]*$/.test(text.slice(0, 4096)) && text.trim() === '') return
    const record = parseObject(text)
    if (record !== null) this.takeRecord(record, line, line.offset + bom, bytes.length, source)
    else if (!line.terminated && looksPending(bytes)) this.takePending(line, bytes, source)
    else this.takeDamaged(line, bytes, text, line.offset + bom, source)
  }

  /** The file's end was cut: what is whole on the line counts, the rest may still be coming. */
  private takePending(line: Line, bytes: Uint8Array, source: ByteSource): void {
    const split = splitLine(bytes)
    const bom = line.length - bytes.length
    for (const { start, end, record } of split.records)
      this.takeRecord(record, line, line.offset + bom + start, end - start, source)
    const last = split.fragments[split.fragments.length - 1]
    for (const fragment of split.fragments) {
      if (fragment === last && fragment.end === bytes.length) {
        const offset = line.offset + bom + fragment.start
        this.pending = { line: line.number, offset, bytes: fragment.end - fragment.start }
      } else
        this.damageRange(
          line.number,
          line.offset + bom + fragment.start,
          fragment.end - fragment.start,
          'cut off',
        )
    }
  }

  private takeDamaged(line: Line, bytes: Uint8Array, text: string, offset: number, source: ByteSource): void {
    const reason = damageReason(text)
    // A value of another kind is whole: what is in it are no records, however they look.
    const split = reason.whole ? null : splitLine(bytes)
    for (const { start, end, record } of split?.records ?? [])
      this.takeRecord(record, line, offset + start, end - start, source)
    if (split === null || split.records.length === 0) {
      this.damage(line, reason.text)
      return
    }
    for (const { start, end } of split.fragments)
      this.damageRange(line.number, offset + start, end - start, fragmentReason(bytes.subarray(start, end)))
  }

  private takeRecord(
    record: JsonObject,
    line: Line,
    offset: number,
    length: number,
    source: ByteSource,
  ): void {
    const first = this.records === 0
    this.records++
    if (first) {
      const slot = readTitleSlot(record)
      if (slot !== null) {
        // The slot alone on the first line: one with a record glued to it would be overwritten with it.
        const alone = offset === 0 && length === line.length && line.lineEnd === 1
        const exact = alone && length + 1 === limits.slotBytes
        this.slot = { ...slot, exact }
        this.slotRecord = record
        return
      }
    }
    if (this.header === null && this.index.count === 0 && isHeaderRecord(record)) {
      this.takeHeader(record)
      // With a byte order mark the line is longer by that, and nothing else is on it.
      this.headerShared = length + (line.offset === 0 && this.hasBom ? BOM_BYTES : 0) !== line.length
      return
    }
    if (this.header === null && isHeaderRecord(record) && typeof record.cwd === 'string') {
      this.headerLate = true
      this.takeHeader(record)
      return
    }
    if (this.isRepeatedHead(record)) this.repeated++
    else this.takeEntry(record, line, offset, length, source)
  }

  /** Slot or header once more, as in a file whose every line was written twice. */
  private isRepeatedHead(record: JsonObject): boolean {
    if (record.type === 'title') return this.slot !== null && sameJson(record, this.slotRecord)
    return isHeaderRecord(record) && sameJson(record, this.headerRecord)
  }

  private takeHeader(record: JsonObject): void {
    this.header = readHeader(record)
    this.headerRecord = record
    // Damage, or the slot once more: whatever it is, the header is not the record that it should be.
    if (this.damaged.length > 0 || this.repeated > 0) this.headerLate = true
  }

  private takeEntry(
    record: JsonObject,
    line: Line,
    offset: number,
    length: number,
    source: ByteSource,
  ): void {
    this.entryVersion ??= versionOfEntries(this.header, record)
    const before = this.earlierCopy(record, offset, length, source, this.entryVersion)
    if (before !== null) {
      this.repeated++
      this.index.meetAgain(before)
      return
    }
    this.migrator ??= createMigrator(this.entryVersion, this.header?.id ?? this.options.seed)
    const current = this.migrator.next(record)
    const { id, parentId } = entryHead(current)
    const namesake = id === null ? undefined : this.index.ordinalOf(id)
    const ordinal = this.index.append({ id, parentId, offset, length })
    if (id !== null && namesake !== undefined) this.noteNamesake(id, namesake, ordinal)
    if (offset > line.offset + (line.offset === 0 && this.hasBom ? BOM_BYTES : 0)) this.inline.add(ordinal)
    this.options.onEntry?.({ ordinal, record: current, line: line.number, length })
  }

  /** The entry that stands in the file already, byte for byte; null when this one is new. */
  private earlierCopy(
    record: JsonObject,
    offset: number,
    length: number,
    source: ByteSource,
    version: number,
  ): number | null {
    const id = version < 2 ? null : entryHead(record).id
    const last = id === null ? undefined : this.index.ordinalOf(id)
    if (id === null || last === undefined) return null
    const sameLength = (this.namesakes.get(id) ?? [last]).filter(at => this.index.place(at).length === length)
    if (sameLength.length === 0) return null
    const bytes = readRange(source, offset, offset + length)
    for (const before of sameLength) {
      const place = this.index.place(before)
      const earlier = readRange(source, place.offset, place.offset + length)
      if (Buffer.compare(earlier, bytes) === 0) return before
    }
    return null
  }

  /** Remembers entries that share their id; before the second of them there is nothing to remember. */
  private noteNamesake(id: string, before: number, ordinal: number): void {
    const known = this.namesakes.get(id)
    if (known === undefined) this.namesakes.set(id, [before, ordinal])
    else if (known.length < NAMESAKES) known.push(ordinal)
    else known[known.length - 1] = ordinal
  }

  private damage(line: Line, reason: string): void {
    this.damageRange(line.number, line.offset, line.length, reason)
  }

  private damageRange(line: number, offset: number, bytes: number, reason: string): void {
    this.damaged.push({ line, offset, bytes, reason })
  }
}

/**
 * By which version entries are read: the header's. But version 1 gave its entries neither ids nor parents, so that entries which
 * have them belong to a later one, whatever the header says or leaves out. Told from the first of them.
 */
function versionOfEntries(header: SessionHeader | null, first: JsonObject): number {
  const said = header?.version ?? 1
  const hasPlace = typeof first.id === 'string' && (header === null || 'parentId' in first)
  return said < 2 && hasPlace ? limits.sessionVersion : said
}

function sameJson(a: JsonObject | null, b: JsonObject | null): boolean {
  const text = jsonText(a)
  return text !== null && text === jsonText(b)
}

function fragmentReason(bytes: Uint8Array): string {
  if (bytes.length === 3 && bomLength(bytes) === 3) return 'a byte order mark in the middle of the file'
  if (bytes.every(byte => byte === 0)) return 'NUL bytes'
  return 'a record cut off, with the next one on the same line'
}

/** An unfinished line can still become a record: it begins like one and holds no NUL. */
function looksPending(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7b && !bytes.includes(0)
}

/** Why a line is no record, and whether it is a whole value of another kind. */
function damageReason(text: string): { text: string; whole: boolean } {
  const trimmed = text.trim()
  if (trimmed.includes('\0')) return { text: 'NUL bytes', whole: false }
  // Were it whole, it would be a record.
  if (trimmed.startsWith('{')) return { text: 'broken JSON', whole: false }
  try {
    // Not the trimmed text: `trim` takes a byte order mark for a blank, and behind one may stand a record.
    const value: unknown = JSON.parse(text)
    const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
    return { text: `${kind} instead of a record`, whole: true }
  } catch {
    return { text: 'not JSON', whole: false }
  }
}
