/** Entries of a session: their kinds and the fields every one of them has. Rule: docs/format.md, Entries. */
import { type JsonObject, objectOf, stringOrNull } from './json'

/** Entry types this program knows; any other is kept and shown as unknown. */
export const ENTRY_TYPES = [
  'message',
  'model_change',
  'thinking_level_change',
  'service_tier_change',
  'mode_change',
  'compaction',
  'branch_summary',
  'reset_boundary',
  'label',
  'title_change',
  'custom',
  'custom_message',
  'ttsr_injection',
  'credential_pin',
  'session_init',
  'model_usage',
] as const
export type EntryType = (typeof ENTRY_TYPES)[number]

const KNOWN: ReadonlySet<string> = new Set(ENTRY_TYPES)

export function isKnownEntryType(type: string): type is EntryType {
  return KNOWN.has(type)
}

export type EntryHead = {
  /** As written; empty when the record has none. */
  type: string
  id: string | null
  parentId: string | null
}

export function entryHead(record: JsonObject): EntryHead {
  const id = stringOrNull(record.id)
  const type = stringOrNull(record.type) ?? ''
  return {
    type,
    // A second header is a node without an id: its id names the session, not an entry.
    id: id === '' || type === 'session' ? null : id,
    parentId: stringOrNull(record.parentId),
  }
}

/** The message inside a `message` entry, or an empty object. */
export function messageOf(record: JsonObject): JsonObject {
  return record.type === 'message' ? objectOf(record.message) : {}
}

/** True when a record inside a damaged line can only be an entry of a session, not a part of one. */
export function looksLikeEntry(record: JsonObject): boolean {
  if (typeof record.type !== 'string') return false
  if (typeof record.id === 'string' && 'parentId' in record) return true
  return typeof record.timestamp === 'string' && (isKnownEntryType(record.type) || record.type === 'session')
}
