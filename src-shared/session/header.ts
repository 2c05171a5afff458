/** The header record of a session. Rule: docs/format.md, Header. */
import { finiteOrNull, type JsonObject, stringOrNull, stringsOf } from './json'
import { type TitleSource, titleSourceOf } from './title-slot'

export type SessionHeader = {
  /** As in the file; 1 when absent. */
  version: number
  id: string | null
  timestamp: string | null
  cwd: string | null
  title: string | null
  titleSource: TitleSource | null
  /** A session id or a file path, as written. */
  parentSession: string | null
  previousSessionFiles: string[]
  additionalDirectories: string[]
}

/** True for a record that is meant as a header, whatever else is wrong with it. */
export function isHeaderRecord(record: JsonObject): boolean {
  return record.type === 'session'
}

/** What a header says; wrong types read as absent. */
export function readHeader(record: JsonObject): SessionHeader {
  return {
    version: versionOf(record.version),
    id: nonEmpty(record.id),
    timestamp: stringOrNull(record.timestamp),
    cwd: nonEmpty(record.cwd),
    title: stringOrNull(record.title),
    titleSource: titleSourceOf(record.titleSource),
    parentSession: nonEmpty(record.parentSession),
    previousSessionFiles: stringsOf(record.previousSessionFiles),
    additionalDirectories: stringsOf(record.additionalDirectories),
  }
}

/** Absent is version 1 (docs/format.md, Versions). Numeric text counts: taken for version 1 it would lose its ids. */
function versionOf(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,6}$/.test(value)) return Number(value)
  return finiteOrNull(value) ?? 1
}

function nonEmpty(value: unknown): string | null {
  const text = stringOrNull(value)
  return text === '' ? null : text
}

/**
 * Title and source after the slot is folded over the header: a slot replaces both, an empty one deletes them.
 */
export function foldTitle(
  slot: { title: string; source: TitleSource | null } | null,
  header: SessionHeader | null,
): { title: string | null; source: TitleSource | null } {
  if (slot !== null)
    return { title: slot.title === '' ? null : slot.title, source: slot.title === '' ? null : slot.source }
  const title = header?.title ?? null
  return {
    title: title === '' ? null : title,
    source: title === null || title === '' ? null : (header?.titleSource ?? null),
  }
}
