/**
 * What can be kept of a line that does not parse as one record: two records glued together, or a record cut
 * in the middle with the next one on the same line. Rule: docs/format.md, Damage.
 *
 * Works on bytes as Latin-1, where JSON's structure is the same and positions are byte offsets. Strings are
 * never split: a record must be a whole, balanced object that can only be an entry. The work is bounded.
 */
import { looksLikeEntry } from '@shared/session/entry'
import { type JsonObject, parseObject } from '@shared/session/json'
import { bufferOf } from './byte-source'

export type SplitLine = {
  records: { start: number; end: number; record: JsonObject }[]
  /** Byte ranges that are part of no record. */
  fragments: { start: number; end: number }[]
}

/** Bytes looked at in all, as a multiple of the line's length: keeps hostile nesting linear. */
const WORK_FACTOR = 32
const RECORD_START = '{"type":'

export function splitLine(bytes: Uint8Array): SplitLine {
  const buffer = bufferOf(bytes)
  const text = buffer.toString('latin1')
  const result: SplitLine = { records: [], fragments: [] }
  let work = text.length * WORK_FACTOR + 1_000_000
  let kept = 0
  let at = text.indexOf('{')
  while (at !== -1 && work > 0) {
    const end = objectEnd(text, at)
    work -= (end === -1 ? text.length : end) - at
    const record = end === -1 ? null : parseObject(buffer.toString('utf8', at, end))
    if (record !== null && (looksLikeEntry(record) || (at === 0 && typeof record.type === 'string'))) {
      addFragment(result, text, kept, at)
      result.records.push({ start: at, end, record })
      kept = end
      at = text.indexOf('{', end)
    } else {
      // What is whole and no entry may hold what looks like one, as a part of it: it is passed over.
      at = text.indexOf(RECORD_START, record === null ? at + 1 : end)
    }
  }
  addFragment(result, text, kept, text.length)
  return result
}

function addFragment(result: SplitLine, text: string, start: number, end: number): void {
  if (text.slice(start, end).trim() !== '') result.fragments.push({ start, end })
}

/** Position after the object that begins at `start`, or -1 when it does not close. */
function objectEnd(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (inString) {
      if (char === 0x5c) at++
      else if (char === 0x22) inString = false
    } else if (char === 0x22) inString = true
    else if (char === 0x7b || char === 0x5b) depth++
    else if (char === 0x7d || char === 0x5d) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return -1
}
