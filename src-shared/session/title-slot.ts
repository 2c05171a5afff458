/**
 * The title slot: a first line of exactly 256 bytes that is overwritten in place when a session is renamed.
 * Rule: docs/format.md, Title slot.
 */
import { limits } from '../limits'
import { type JsonObject, stringOrNull } from './json'
import { utf8Length } from './utf8'

export type TitleSource = 'auto' | 'user'

export type TitleSlot = {
  /** Empty when the session has no title. */
  title: string
  source: TitleSource | null
  updatedAt: string
}

export function titleSourceOf(value: unknown): TitleSource | null {
  return value === 'auto' || value === 'user' ? value : null
}

/** The slot that a first record is, or null when it is something else. The length is the caller's to check. */
export function readTitleSlot(record: JsonObject): TitleSlot | null {
  if (record.type !== 'title' || record.v !== 1) return null
  const title = stringOrNull(record.title)
  const updatedAt = stringOrNull(record.updatedAt)
  if (title === null || updatedAt === null || typeof record.pad !== 'string') return null
  const source = titleSourceOf(record.source)
  if (record.source !== undefined && source === null) return null
  return { title, source, updatedAt }
}

/**
 * The slot as its 256 bytes of text, line feed included. A title that is too long keeps the longest prefix in
 * whole code points that fits.
 */
export function encodeTitleSlot(slot: TitleSlot): string {
  const points = [...slot.title]
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (utf8Length(slotLine(slot, points.slice(0, middle).join(''), '')) <= limits.slotBytes) low = middle
    else high = middle - 1
  }
  const title = points.slice(0, low).join('')
  const missing = limits.slotBytes - utf8Length(slotLine(slot, title, ''))
  return slotLine(slot, title, ' '.repeat(missing))
}

function slotLine(slot: TitleSlot, title: string, pad: string): string {
  const head = { type: 'title', v: 1, title }
  const source = slot.source === null ? {} : { source: slot.source }
  return `${JSON.stringify({ ...head, ...source, updatedAt: slot.updatedAt, pad })}\n`
}
