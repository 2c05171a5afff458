/**
 * The head of a journal line, read from its bytes: id, parent's id, time, and what kind of entry it is, without decoding or parsing
 * the rest. For lines as omp writes them; a line that is in any way different is in doubt, and has to be parsed.
 *
 * What is read here is not checked: of a line whose rest is no JSON, or which says something a second time, a head may be
 * read all the same. Whoever parses the line later compares.
 */
import { ENTRY_TYPES } from '@shared/session/entry'
import { type HeadKind, headKind } from '@shared/session/entry-columns'
import { saneTime } from '@shared/session/sane-time'
import type { IdPlaces } from '@shared/session/session-entry-index'

/** Types of which more is needed at once than the head: what they name must never be shown otherwise. */
const READ_WHOLE: ReadonlySet<string> = new Set(['label', 'title_change'])
/** Types that omp writes with their content before the id. */
const ID_LAST: ReadonlySet<string> = new Set(['custom', 'custom_message'])

const bytesOf = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0))

const TYPES = ENTRY_TYPES.filter(type => !READ_WHOLE.has(type)).map(type => ({
  bytes: bytesOf(type),
  isMessage: type === 'message',
  isCustom: type === 'custom',
  idLast: ID_LAST.has(type),
  plain: headKind(type, '', ''),
}))
type HeadType = (typeof TYPES)[number]

const named = (type: string, names: readonly string[]) =>
  names.map(name => ({
    bytes: bytesOf(name),
    kind: type === 'message' ? headKind(type, name, '') : headKind(type, '', name),
  }))
const ROLES = named('message', ['assistant', 'toolResult', 'user'])
const CUSTOM_TYPES = named('custom', ['tool_execution_start', 'session_exit'])

const TYPE = bytesOf('{"type":"')
const ID = bytesOf('","id":"')
const TAIL_ID = bytesOf(',"id":"')
const PARENT = bytesOf('","parentId":')
const NULL = bytesOf('null')
const TIME = bytesOf(',"timestamp":"')
const ROLE = bytesOf(',"message":{"role":"')
const CUSTOM_TYPE = bytesOf('","customType":"')
const CUSTOM_TYPE_AFTER = bytesOf(',"customType":"')

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const BRACE = 0x7d
const TIME_CHARS = 24
/** Longest text at the head that is read from its bytes. */
const TEXT_CHARS = 128

/** The head that was read last; one object for all lines of a file. */
export class LineHead implements IdPlaces {
  idStart = 0
  idEnd = 0
  /** -1 for a root. */
  parentStart = -1
  parentEnd = -1
  time = Number.NaN
  kind = 0
  shape = 0
  private readonly now: number
  /** The day that was met last, as its bytes and in Unix ms: most lines are of the same one. */
  private readonly day = new Uint8Array(10)
  private dayTime = Number.NaN

  constructor(now: number) {
    this.now = now
  }

  /** Reads the head of the line `from`..`to`, where its line feed stands; false when it is in doubt. */
  read(line: Uint8Array, from: number, to: number): boolean {
    if (line[to - 1] !== BRACE || !holds(line, from, TYPE)) return false
    const type = typeAt(line, from + TYPE.length)
    if (type === null) return false
    const after = from + TYPE.length + type.bytes.length
    if (holds(line, after, ID)) return this.readFirst(line, after + ID.length, to, type)
    return type.idLast && holds(line, after, CUSTOM_TYPE) && this.readLast(line, after, to, type)
  }

  /** Ids and time stand before everything else. */
  private readFirst(line: Uint8Array, idStart: number, to: number, type: HeadType): boolean {
    this.idStart = idStart
    this.idEnd = textEnd(line, idStart)
    if (this.idEnd <= idStart || !holds(line, this.idEnd, PARENT)) return false
    let at = this.idEnd + PARENT.length
    if (holds(line, at, NULL)) {
      this.parentStart = -1
      at += NULL.length
    } else {
      this.parentStart = at + 1
      this.parentEnd = line[at] === QUOTE ? textEnd(line, at + 1) : -1
      if (this.parentEnd <= this.parentStart) return false
      at = this.parentEnd + 1
    }
    if (!holds(line, at, TIME) || !this.readTime(line, at + TIME.length)) return false
    at += TIME.length + TIME_CHARS
    if (line[at] !== QUOTE) return false
    at++
    if (type.isMessage) return holds(line, at, ROLE) && this.take(line, at + ROLE.length, ROLES, type.plain)
    if (type.isCustom)
      return (
        holds(line, at, CUSTOM_TYPE_AFTER) &&
        this.take(line, at + CUSTOM_TYPE_AFTER.length, CUSTOM_TYPES, type.plain)
      )
    this.kind = type.plain.kind
    this.shape = type.plain.shape
    return line[at] === COMMA || at === to - 1
  }

  /** Ids and time stand after everything else; the line's last brace closes the record, so that they are the record's. */
  private readLast(line: Uint8Array, after: number, to: number, type: HeadType): boolean {
    const from = after + CUSTOM_TYPE.length
    if (!this.take(line, from, type.isCustom ? CUSTOM_TYPES : [], type.plain)) return false
    const timeAt = to - 2 - TIME_CHARS
    let at = timeAt - TIME.length
    if (line[to - 2] !== QUOTE || timeAt < from || !holds(line, at, TIME) || !this.readTime(line, timeAt))
      return false
    if (holds(line, at - NULL.length, NULL)) {
      this.parentStart = -1
      at -= NULL.length
    } else {
      this.parentEnd = at - 1
      this.parentStart = line[this.parentEnd] === QUOTE ? textStart(line, this.parentEnd) : this.parentEnd
      if (this.parentStart >= this.parentEnd) return false
      at = this.parentStart - 1
    }
    at -= PARENT.length
    if (!holds(line, at, PARENT)) return false
    this.idEnd = at
    this.idStart = textStart(line, at)
    const idAt = this.idStart - TAIL_ID.length
    return this.idStart < this.idEnd && idAt > from && holds(line, idAt, TAIL_ID)
  }

  /** What a role or `customType` makes of the entry; it ends before a comma, or with what it stands in. */
  private take(
    line: Uint8Array,
    start: number,
    known: readonly { bytes: Uint8Array; kind: HeadKind }[],
    other: HeadKind,
  ): boolean {
    const end = textEnd(line, start)
    if (end === -1 || (line[end + 1] !== COMMA && line[end + 1] !== BRACE)) return false
    let kind = other
    for (const one of known)
      if (one.bytes.length === end - start && holds(line, start, one.bytes)) kind = one.kind
    this.kind = kind.kind
    this.shape = kind.shape
    return true
  }

  /** `2026-01-02T03:04:05.006Z`, when it is a sane time. */
  private readTime(line: Uint8Array, at: number): boolean {
    if (!isTime(line, at)) return false
    if (!holds(line, at, this.day) || Number.isNaN(this.dayTime)) {
      this.day.set(line.subarray(at, at + this.day.length))
      this.dayTime = Date.parse(`${String.fromCharCode(...this.day)}T00:00:00.000Z`)
    }
    const hour = twoDigits(line, at + 11)
    const minute = twoDigits(line, at + 14)
    const second = twoDigits(line, at + 17)
    if (hour > 23 || minute > 59 || second > 59) return false
    const ms = twoDigits(line, at + 20) * 10 + digit(line, at + 22)
    this.time = this.dayTime + ((hour * 60 + minute) * 60 + second) * 1000 + ms
    return saneTime(this.time, this.now) === this.time
  }
}

function typeAt(line: Uint8Array, at: number): HeadType | null {
  for (const type of TYPES)
    if (line[at + type.bytes.length] === QUOTE && holds(line, at, type.bytes)) return type
  return null
}

function holds(line: Uint8Array, at: number, text: Uint8Array): boolean {
  // A line feed is in none of them: what is held lies within one line.
  for (let i = 0; i < text.length; i++) if (line[at + i] !== text[i]) return false
  return true
}

/** Position of the quote after a plain text (ASCII without escapes), or -1. */
function textEnd(line: Uint8Array, start: number): number {
  for (let at = start; at < start + TEXT_CHARS; at++) {
    const byte = line[at] ?? 0
    if (byte === QUOTE) return at
    if (!isPlain(byte)) return -1
  }
  return -1
}

/** Position at which the plain text before `end` begins, or `end`. */
function textStart(line: Uint8Array, end: number): number {
  for (let at = end - 1; at >= end - TEXT_CHARS; at--) {
    const byte = line[at] ?? 0
    if (byte === QUOTE) return at + 1
    if (!isPlain(byte)) return end
  }
  return end
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f && byte !== BACKSLASH
}

const TIME_MARKS = bytesOf('0000-00-00T00:00:00.000Z')

function isTime(line: Uint8Array, at: number): boolean {
  for (let i = 0; i < TIME_CHARS; i++) {
    const byte = line[at + i] ?? 0
    if (TIME_MARKS[i] === 0x30 ? byte < 0x30 || byte > 0x39 : byte !== TIME_MARKS[i]) return false
  }
  return true
}

function digit(line: Uint8Array, at: number): number {
  return (line[at] ?? 0x30) - 0x30
}

function twoDigits(line: Uint8Array, at: number): number {
  return digit(line, at) * 10 + digit(line, at + 1)
}
