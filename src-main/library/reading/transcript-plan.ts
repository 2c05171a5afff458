/**
 * Which rows a path has, before any text is made: one small record per row, so that a page can be cut out
 * anywhere. A tool call is joined with its results on the same path, whatever their order; never across paths.
 */

import { messageOf } from '@shared/session/entry'
import { isJsonObject, type JsonObject, stringOrNull } from '@shared/session/json'

export type RowPlan = {
  kind: 'prompt' | 'agent' | 'thinking' | 'tool' | 'orphan-result' | 'divider' | 'note' | 'gap'
  ordinal: number
  /** Block of the message's content, or -1 for the whole entry. */
  block: number
  /** Ordinals of the results of a tool call. */
  results: number[]
  /** First row of the agent's turn. */
  head: boolean
  /** Last row of an assistant message that did not end well. */
  stop: boolean
  /** Ordinals of entries without a row of their own that this row stands for, for forks and labels. */
  covers: number[]
}

export type PathEntry = { ordinal: number; record: JsonObject }

const DIVIDERS: ReadonlySet<string> = new Set([
  'compaction',
  'branch_summary',
  'reset_boundary',
  'model_change',
  'thinking_level_change',
  'service_tier_change',
  'mode_change',
  'title_change',
  'session_init',
])

/** Bookkeeping that is no part of what was said; the graph shows it under "All". */
const SILENT: ReadonlySet<string> = new Set([
  'label',
  'custom',
  'ttsr_injection',
  'credential_pin',
  'model_usage',
])

type Planner = {
  rows: RowPlan[]
  callRows: Map<string, RowPlan>
  /** Results met before their call. */
  early: Map<string, number[]>
  inTurn: boolean
  waiting: number[]
}

/** Rows of a path, root first. `gap`: the path begins at an entry whose parent is not in the file. */
export function planTranscript(path: Iterable<PathEntry>, gap: boolean): RowPlan[] {
  const planner: Planner = { rows: [], callRows: new Map(), early: new Map(), inTurn: false, waiting: [] }
  for (const entry of path) {
    if (gap && planner.rows.length === 0 && planner.waiting.length === 0) add(planner, 'gap', entry.ordinal)
    planEntry(planner, entry)
  }
  addEarlyResults(planner)
  return planner.rows
}

function planEntry(planner: Planner, { ordinal, record }: PathEntry): void {
  const type = stringOrNull(record.type) ?? ''
  if (type === 'message') planMessage(planner, ordinal, messageOf(record))
  else if (type === 'custom' && record.customType === 'session_exit') add(planner, 'divider', ordinal)
  else if (DIVIDERS.has(type)) add(planner, 'divider', ordinal)
  else if (SILENT.has(type)) planner.waiting.push(ordinal)
  else add(planner, 'note', ordinal)
  if (type !== 'message' && !SILENT.has(type)) planner.inTurn = false
}

function planMessage(planner: Planner, ordinal: number, message: JsonObject): void {
  const role = stringOrNull(message.role)
  if (role === 'assistant') {
    planAssistant(planner, ordinal, message)
    planner.inTurn = true
  } else if (role === 'toolResult') planResult(planner, ordinal, message)
  else {
    add(planner, role === 'user' ? 'prompt' : 'note', ordinal)
    planner.inTurn = false
  }
}

function planAssistant(planner: Planner, ordinal: number, message: JsonObject): void {
  const before = planner.rows.length
  if (typeof message.content === 'string') addBlock(planner, 'agent', ordinal, -1)
  const blocks: unknown[] = Array.isArray(message.content) ? message.content : []
  for (const [block, value] of blocks.entries()) {
    if (isJsonObject(value)) planBlock(planner, ordinal, block, value)
  }
  const badEnd =
    message.stopReason === 'error' || message.stopReason === 'aborted' || message.stopReason === 'length'
  // A message without content still took its turn and may have ended badly.
  if (planner.rows.length === before || badEnd) {
    const last = planner.rows[planner.rows.length - 1]
    if (planner.rows.length === before || last?.kind !== 'agent') addBlock(planner, 'agent', ordinal, -2)
    const row = planner.rows[planner.rows.length - 1]
    if (row !== undefined) row.stop = badEnd
  }
}

function planBlock(planner: Planner, ordinal: number, block: number, value: JsonObject): void {
  switch (value.type) {
    case 'thinking':
    case 'redactedThinking':
      if (value.type === 'redactedThinking' || stringOrNull(value.thinking)?.trim())
        addBlock(planner, 'thinking', ordinal, block)
      return
    case 'toolCall': {
      const row = addBlock(planner, 'tool', ordinal, block)
      const id = stringOrNull(value.id)
      if (id === null) return
      row.results.push(...(planner.early.get(id) ?? []))
      planner.early.delete(id)
      planner.callRows.set(id, row)
      return
    }
    case 'text':
      if (stringOrNull(value.text)?.trim()) addBlock(planner, 'agent', ordinal, block)
      return
    default:
      addBlock(planner, 'agent', ordinal, block)
  }
}

function planResult(planner: Planner, ordinal: number, message: JsonObject): void {
  const id = stringOrNull(message.toolCallId)
  const row = id === null ? undefined : planner.callRows.get(id)
  if (row !== undefined) {
    row.results.push(ordinal)
    row.covers.push(ordinal)
    return
  }
  const list = planner.early.get(id ?? '') ?? []
  planner.early.set(id ?? '', [...list, ordinal])
}

/** Results whose call is not on this path get rows of their own, where they stand. */
function addEarlyResults(planner: Planner): void {
  const left = [...planner.early.values()].flat().sort((a, b) => a - b)
  for (const ordinal of left) {
    const row = newRow('orphan-result', ordinal, -1)
    const at = planner.rows.findIndex(other => other.ordinal > ordinal)
    if (at === -1) planner.rows.push(row)
    else planner.rows.splice(at, 0, row)
  }
}

function addBlock(planner: Planner, kind: RowPlan['kind'], ordinal: number, block: number): RowPlan {
  const row = add(planner, kind, ordinal)
  row.block = block
  row.head = !planner.inTurn
  planner.inTurn = true
  return row
}

function add(planner: Planner, kind: RowPlan['kind'], ordinal: number): RowPlan {
  const row = newRow(kind, ordinal, -1)
  row.covers.push(...planner.waiting)
  planner.waiting = []
  planner.rows.push(row)
  return row
}

function newRow(kind: RowPlan['kind'], ordinal: number, block: number): RowPlan {
  return { kind, ordinal, block, results: [], head: false, stop: false, covers: [ordinal] }
}

/** Times at which tools started, from the marks that omp writes beside the calls: call id -> Unix ms. */
export function toolStart(record: JsonObject): { callId: string; startedAt: unknown } | null {
  if (record.customType !== 'tool_execution_start' || !isJsonObject(record.data)) return null
  const callId = stringOrNull(record.data.toolCallId)
  return callId === null ? null : { callId, startedAt: record.data.startedAt }
}
