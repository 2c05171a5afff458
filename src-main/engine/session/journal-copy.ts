/**
 * A journal made of another one: new slot, new header, and the body as it is.
 *
 * Guarantees
 *   Every byte after the source's header line is in the result, in its order, damaged lines and unknown keys included;
 *   with three exceptions that lose nothing. Entries of versions 1 and 2 that version 3 writes differently are written
 *   anew. A record that stands behind something else on its line gets a line of its own, since omp reads only the first. A
 *   last line without line feed gets one. Rule: docs/format.md, Versions and Damage.
 *   The memory of one chunk, or of one entry that is written anew.
 *
 * The source must have a header where it belongs; callers refuse others as `damaged`.
 */
import { limits } from '@shared/limits'
import type { SessionHeader } from '@shared/session/header'
import { type JsonObject, parseObject } from '@shared/session/json'
import { type ByteSource, readRange } from '../storage/byte-source'
import { EngineError } from '../storage/errors'
import { readJournalHead } from './journal-head'
import type { SessionDocument } from './session-document'

export type NewHead = {
  /** The slot's 256 bytes of text, line feed included; null for a journal without one. */
  slot: string | null
  /** The header line without its line end. */
  header: Uint8Array
}

/** The chunks of the new journal. Throws `damaged` without a header, and what reading throws. */
export function* copiedJournal(
  document: SessionDocument,
  source: ByteSource,
  head: NewHead,
): Generator<Uint8Array> {
  const { header } = readJournalHead(source)
  if (header === null) throw headerless(document.path)
  if (head.slot !== null) yield Buffer.from(head.slot, 'utf8')
  yield Buffer.concat([head.header, LINE_FEED])
  yield* body(document, source, header.offset + header.length + header.lineEnd)
}

/** A journal without a header where it belongs cannot be written, only read. */
export function headerless(path: string): EngineError {
  return new EngineError(
    'damaged',
    `${path} has no readable header, so it is never written. It can be read and kept as it is.`,
    path,
  )
}

/** A session of a version that is only read, never made into another one. */
export function futureVersion(path: string, version: number): EngineError {
  const text = `${path} is of version ${version}, which this version of Grove does not write.`
  return new EngineError('unsupported-version', text, path)
}

/** The header of a session that another is made of. Throws `damaged` and `unsupported-version` for one that may not be. */
export function copiableHeader(document: SessionDocument, source: ByteSource): SessionHeader {
  const { header, path } = document
  if (header === null || readJournalHead(source).header === null) throw headerless(path)
  if (header.version > limits.sessionVersion) throw futureVersion(path, header.version)
  return header
}

const LINE_FEED = Buffer.from('\n')

function* body(document: SessionDocument, source: ByteSource, from: number): Generator<Uint8Array> {
  let at = from
  let last: number | undefined
  for (const { offset, length, text, inline } of changedPlaces(document, source)) {
    if (offset < at) continue
    for (const chunk of bytesOf(source, at, offset)) {
      last = chunk[chunk.length - 1]
      yield chunk
    }
    if (inline && last !== LF) yield LINE_FEED
    if (text !== null) {
      yield Buffer.from(text, 'utf8')
      last = undefined
    }
    at = text === null ? offset : offset + length
  }
  for (const chunk of bytesOf(source, at, source.size)) {
    last = chunk[chunk.length - 1]
    yield chunk
  }
  if (source.size > from && last !== LF) yield LINE_FEED
}

const LF = 0x0a

type ChangedPlace = {
  offset: number
  length: number
  /** What stands there instead; null for the bytes as they are. */
  text: string | null
  /** Something else stands before it on its line. */
  inline: boolean
}

/** The entries that are not copied as they stand, in the order of the file. */
function* changedPlaces(document: SessionDocument, source: ByteSource): Generator<ChangedPlace> {
  const old = (document.version ?? limits.sessionVersion) < limits.sessionVersion
  if (!old) {
    for (const ordinal of document.inlineEntries)
      yield { ...document.index.place(ordinal), text: null, inline: true }
    return
  }
  for (let ordinal = 0; ordinal < document.index.count; ordinal++) {
    const place = document.index.place(ordinal)
    const text = migratedText(document, source, ordinal)
    const inline = document.inlineEntries.has(ordinal)
    if (text !== null || inline) yield { ...place, text, inline }
  }
}

/** The entry as version 3 writes it, or null when its bytes say that already. */
function migratedText(document: SessionDocument, source: ByteSource, ordinal: number): string | null {
  const { offset, length } = document.index.place(ordinal)
  const before = Buffer.from(readRange(source, offset, offset + length)).toString('utf8')
  const written = parseObject(before)
  if (written === null) return null
  const migrated = document.migrated(written, ordinal)
  return sameRecord(written, migrated) ? null : JSON.stringify(migrated)
}

function sameRecord(a: JsonObject, b: JsonObject): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function* bytesOf(source: ByteSource, from: number, to: number): Generator<Uint8Array> {
  for (let at = from; at < to; at += limits.chunkBytes) {
    const chunk = readRange(source, at, Math.min(to, at + limits.chunkBytes))
    if (chunk.length > 0) yield chunk
  }
}
