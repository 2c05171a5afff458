/**
 * The first two lines of a journal that is written: slot and header. Pure.
 * Rule: docs/format.md, Title slot and Header.
 */
import { limits } from '@shared/limits'
import { encodeTitleSlot, type TitleSource } from '@shared/session/title-slot'

export type NewHeader = {
  /** Session id, a UUID of version 7 unless it comes from elsewhere. */
  id: string
  /** ISO time of creation. */
  timestamp: string
  /** Absolute. */
  cwd: string
  /** Keys after these, in the order in which they are to stand; undefined ones are left out. */
  more?: Readonly<Record<string, unknown>>
}

/** The header line of a new session, without its line end. */
export function newHeaderLine({ id, timestamp, cwd, more = {} }: NewHeader): Uint8Array {
  return headerLine({ type: 'session', version: limits.sessionVersion, id, timestamp, cwd, ...more })
}

/** A header line with its keys in the order given; undefined ones are left out. */
export function headerLine(fields: Readonly<Record<string, unknown>>): Uint8Array {
  return Buffer.from(JSON.stringify(fields), 'utf8')
}

/** The slot line for a title, line feed included: 256 bytes. A title that is too long is cut as omp does. */
export function slotLineFor(
  title: { title: string | null; source: TitleSource | null },
  updatedAt: string,
): string {
  const text = title.title ?? ''
  return encodeTitleSlot({ title: text, source: text === '' ? null : title.source, updatedAt })
}
