/**
 * The first lines of a journal: byte order mark, title slot, header. A bounded read; never throws for what the
 * file contains, only for what the system refuses. Rule: docs/format.md, Title slot and Header.
 */

import { limits } from '@shared/limits'
import { isHeaderRecord, readHeader, type SessionHeader } from '@shared/session/header'
import { type JsonObject, parseObject } from '@shared/session/json'
import { readTitleSlot, type TitleSlot } from '@shared/session/title-slot'
import type { ByteSource } from '../storage/byte-source'
import { type Line, readLines } from '../storage/line-reader'

/** A line by its place: `length` without line end, `lineEnd` the bytes of the line end (0, 1 or 2). */
export type LinePlace = { offset: number; length: number; lineEnd: number; line: number }

export type JournalHead = {
  /** Bytes of a UTF-8 byte order mark at the start: 3, or 0. */
  bomBytes: number
  /** `exact`: 256 bytes at the very start, the only slot that may be overwritten in place. */
  slot: (TitleSlot & LinePlace & { exact: boolean }) | null
  /** The header, when it stands where it belongs: first, or second after a slot. */
  header: (LinePlace & { record: JsonObject; fields: SessionHeader }) | null
}

const BOM = [0xef, 0xbb, 0xbf]

/** Length of the byte order mark that `bytes` begin with. */
export function bomLength(bytes: Uint8Array): number {
  return BOM.every((byte, at) => bytes[at] === byte) ? BOM.length : 0
}

/** Slot and header of a journal. Reads until the first line that is neither, then stops. */
export function readJournalHead(source: ByteSource): JournalHead {
  const head: JournalHead = { bomBytes: 0, slot: null, header: null }
  let first = true
  for (const line of readLines(source, { chunkBytes: 64 * 1024, lineBytes: limits.headBytes })) {
    if (line.tooLarge || line.offset > limits.headBytes) break
    const bom = line.offset === 0 ? bomLength(line.bytes) : 0
    head.bomBytes += bom
    const text = Buffer.from(line.bytes.subarray(bom)).toString('utf8')
    if (text.trim() === '') continue
    const record = parseObject(text)
    if (record === null) break
    const slot = first ? readTitleSlot(record) : null
    first = false
    if (slot !== null) {
      const place = placeOf(line, bom)
      const exact =
        line.offset === 0 && bom === 0 && place.lineEnd === 1 && place.length + 1 === limits.slotBytes
      head.slot = { ...slot, ...place, exact }
      continue
    }
    if (isHeaderRecord(record)) head.header = { ...placeOf(line, bom), record, fields: readHeader(record) }
    break
  }
  return head
}

function placeOf(line: Line, bom: number): LinePlace {
  return { offset: line.offset + bom, length: line.length - bom, lineEnd: line.lineEnd, line: line.number }
}
