/**
 * Where the reading of a journal for its summary may go on when it grew, kept with the summary. Only an ordinary journal has
 * one: whatever could make an appended line mean something else than by itself leaves none, and the file is read whole.
 *
 * Guarantee: a summary that was carried on equals one read anew (grown-summary.ts). For that, what was read must be
 * unchanged, as far as its first and last bytes tell (as `SessionDocument` does), and a new entry must have an id that no
 * entry had and hang under an entry without children. Ids are kept as hashes of 4 bytes: a hash that is known may be a
 * known id, so that the file is read whole; one that is not known cannot be.
 */
import { createHash } from 'node:crypto'
import { limits } from '@shared/limits'
import type { SessionHeader } from '@shared/session/header'
import { parseObject } from '@shared/session/json'
import { saneTime } from '@shared/session/sane-time'
import { readTitleSlot, type TitleSlot } from '@shared/session/title-slot'
import type { Environment } from '../../engine/environment'
import type { SessionDocument } from '../../engine/session/session-document'
import { type ByteSource, readRange } from '../../engine/storage/byte-source'

export type ResumePoint = {
  fileId: string
  /** Bytes that were read: all lines up to here are whole. */
  size: number
  /** Hashes of the first and of the last bytes of what was read. */
  head: string
  tail: string
  /** The slot, where the journal begins with one that is overwritten in place. */
  slot: TitleSlot | null
  header: SessionHeader
  firstTime: number | null
  lastTime: number | null
  titleChangedTo: string | null
  titleChangedFrom: string | null
  /** Ids of the entries without children. */
  tips: string[]
  /** Hashes of all ids, 4 bytes each, as base64. */
  ids: string
}

const LF = 0x0a
const TAIL_BYTES = 4096
const HEAD_BYTES = limits.slotBytes

/** The point at the end of a document that was just read from `source`; null where the file must be read whole next time. */
export function resumePointOf(
  env: Environment,
  document: SessionDocument,
  source: ByteSource,
): ResumePoint | null {
  const { header, facts, index, fileId } = document
  if (header === null || !isOrdinary(env, document)) return null
  const size = source.size
  const head = readRange(source, 0, HEAD_BYTES)
  const slot = document.hasSlot ? slotIn(head) : null
  if (document.hasSlot && slot === null) return null
  const bytes = tailOf(source, size, slot)
  // Without its line feed a last line may still grow.
  if (bytes[bytes.length - 1] !== LF) return null
  const ids = Int32Array.from({ length: index.count }, (_, ordinal) => hashOf(index.id(ordinal) ?? ''))
  return {
    fileId,
    size,
    head: hashOfBytes(head),
    tail: hashOfBytes(bytes),
    slot,
    header,
    firstTime: facts.firstTime,
    lastTime: facts.lastTime,
    titleChangedTo: facts.titleChangedTo,
    titleChangedFrom: facts.titleChangedFrom,
    tips: index.tips().flatMap(tip => index.id(tip) ?? []),
    ids: textOfHashes(ids),
  }
}

/** Whether all times in it are times: one that is none yet, since it lies ahead, may be one tomorrow. */
export function isTimed(env: Environment, { header, index, columns }: SessionDocument): boolean {
  const began = header?.timestamp ?? null
  if (began !== null && saneTime(began, env.now()) === null) return false
  for (let ordinal = 0; ordinal < index.count; ordinal++) if (columns.time(ordinal) === null) return false
  return true
}

/** Whether every entry is as programs write it today, so that one more can be told by itself. */
function isOrdinary(env: Environment, document: SessionDocument): boolean {
  const { header, index } = document
  if (header?.version !== limits.sessionVersion || document.readVersion !== limits.sessionVersion)
    return false
  if (!isTimed(env, document)) return false
  if (document.hasSlot && !document.hasExactSlot) return false
  if (index.duplicateIds().length > 0) return false
  for (let ordinal = 0; ordinal < index.count; ordinal++) {
    if (index.id(ordinal) === null) return false
    // Parents that come later, or never, or go round in a circle: what is appended could be one.
    const parent = index.parent(ordinal)
    if (parent >= ordinal || (parent < 0 && index.parentId(ordinal) !== null)) return false
  }
  return true
}

/**
 * The slot that stands now in a journal of which `point` tells, or null when it has none; `undefined`: what was read of it is
 * not as it was.
 */
export function slotNow(source: ByteSource, point: ResumePoint): TitleSlot | null | undefined {
  const { size } = point
  if (hashOfBytes(tailOf(source, size, point.slot)) !== point.tail) return undefined
  const head = readRange(source, 0, Math.min(HEAD_BYTES, size))
  if (hashOfBytes(head) === point.head) return point.slot
  // A rename overwrites the slot in place while all else stays.
  return (point.slot === null ? null : slotIn(head)) ?? undefined
}

/** As `point`, after more was read: up to the end of `source`, with the slot that stands there now. */
export function pointAfter(
  point: ResumePoint,
  source: ByteSource,
  more: Pick<ResumePoint, 'slot' | 'firstTime' | 'lastTime' | 'titleChangedTo' | 'titleChangedFrom' | 'tips'>,
  newIds: readonly string[],
): ResumePoint {
  const before = hashesOf(point)
  const ids = new Int32Array(before.length + newIds.length)
  ids.set(before)
  ids.set(newIds.map(hashOf), before.length)
  return {
    ...point,
    ...more,
    size: source.size,
    head: hashOfBytes(readRange(source, 0, Math.min(HEAD_BYTES, source.size))),
    tail: hashOfBytes(tailOf(source, source.size, more.slot)),
    ids: textOfHashes(ids),
  }
}

/** The last of `size` bytes, without the slot, which may be overwritten. */
function tailOf(source: ByteSource, size: number, slot: TitleSlot | null): Uint8Array {
  return readRange(source, Math.max(slot === null ? 0 : limits.slotBytes, size - TAIL_BYTES), size)
}

/** An exact slot at the start of a journal. */
function slotIn(head: Uint8Array): TitleSlot | null {
  if (head.indexOf(LF) !== limits.slotBytes - 1) return null
  const record = parseObject(Buffer.from(head).toString('utf8'))
  return record === null ? null : readTitleSlot(record)
}

export function hashesOf({ ids }: ResumePoint): Int32Array {
  const bytes = Buffer.from(ids, 'base64')
  // A copy: the bytes of a small buffer lie anywhere in a larger one, and numbers of 4 bytes must not.
  return new Int32Array(Uint8Array.from(bytes).buffer)
}

function textOfHashes(hashes: Int32Array): string {
  return Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength).toString('base64')
}

function hashOfBytes(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64')
}

/** FNV-1a with a final mix; only has to spread. */
export function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) | 0
}
