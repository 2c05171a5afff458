/**
 * What an entry is to a transcript, so that the rows of a path can be counted without reading the entries that have exactly one
 * row, or none.
 */
import { messageOf } from './entry'
import { type JsonObject, stringOrNull } from './json'

export const ENTRY_SHAPES = [
  /** Bookkeeping that is no part of what was said; the graph shows it under "All". */
  'silent',
  /** Silent, and tells when a tool was started. */
  'tool-start',
  'divider',
  'note',
  'prompt',
  'message-note',
  'assistant',
  'tool-result',
] as const
export type EntryShape = (typeof ENTRY_SHAPES)[number]

const TYPE_SHAPES: ReadonlyMap<string, EntryShape> = new Map([
  ['compaction', 'divider'],
  ['branch_summary', 'divider'],
  ['reset_boundary', 'divider'],
  ['model_change', 'divider'],
  ['thinking_level_change', 'divider'],
  ['service_tier_change', 'divider'],
  ['mode_change', 'divider'],
  ['title_change', 'divider'],
  ['session_init', 'divider'],
  ['label', 'silent'],
  ['custom', 'silent'],
  ['ttsr_injection', 'silent'],
  ['credential_pin', 'silent'],
  ['model_usage', 'silent'],
])

const ROLE_SHAPES: ReadonlyMap<string, EntryShape> = new Map([
  ['user', 'prompt'],
  ['assistant', 'assistant'],
  ['toolResult', 'tool-result'],
])

const CUSTOM_SHAPES: ReadonlyMap<string, EntryShape> = new Map([
  ['session_exit', 'divider'],
  ['tool_execution_start', 'tool-start'],
])

/** The shape of an entry by its type, and by its message's role or its `customType`. */
export function shapeBy(type: string, role: string, customType: string): EntryShape {
  if (type === 'message') return ROLE_SHAPES.get(role) ?? 'message-note'
  if (type === 'custom') return CUSTOM_SHAPES.get(customType) ?? 'silent'
  return TYPE_SHAPES.get(type) ?? 'note'
}

/** Whether an entry of this shape is of type `message`. */
export function isMessageShape(shape: EntryShape): boolean {
  return shape === 'prompt' || shape === 'message-note' || shape === 'assistant' || shape === 'tool-result'
}

export function entryShape(record: JsonObject): EntryShape {
  const type = stringOrNull(record.type) ?? ''
  return shapeBy(type, stringOrNull(messageOf(record).role) ?? '', stringOrNull(record.customType) ?? '')
}
