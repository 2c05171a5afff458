/**
 * Which rows a path has, before any text is made: one small record per row, so that a page can be cut out
 * anywhere. A tool call is joined with its results on the same path, whatever their order; never across paths.
 *
 * Of most entries their shape says which rows they have: only those of `needsRecord` have to be read for it.
 */

import { messageOf } from '@shared/session/entry'
import type { EntryShape } from '@shared/session/entry-shape'
import { isJsonObject, type JsonObject, stringOrNull } from '@shared/session/json'

export type RowPlan = {
  kind: 'prompt' | 'agent' | 'thinking' | 'tool' | 'orphan-result' | 'divider' | 'note' | 'gap'
  ordinal: number
  /** Block of the message's content, -1 for the whole entry, -2 for an end that no block of it tells. */
  block: number
  /** Ordinals of the results of a tool call. */
  results: number[]
  /** First row of the agent's turn. */
  head: boolean
  /** Last row of an assistant message that did not end well. */
  stop: boolean
  /** Ordinals whose labels and fork switch stand at this row; each entry of the path is covered once. */
  covers: number[]
}

/** `record` is only looked at where the shape needs it. */
export type PathEntry = { ordinal: number; shape: EntryShape; record: JsonObject }

/** Whether the rows of an entry depend on more than its shape: on its blocks, on the call that it answers or starts. */
export function needsRecord(shape: EntryShape): boolean {
  return shape === 'assistant' || shape === 'tool-result' || shape === 'tool-start'
}

const ROW_KINDS = { divider: 'divider', note: 'note', 'message-note': 'note', prompt: 'prompt' } as const

/** A result whose call was not met yet, and how many rows stood before it. */
type EarlyResult = { ordinal: number; row: number }

/**
 * Plans the rows of one path, root first, entry by entry. `rows` may be asked for at any time; more entries of
 * the same path can follow, so that a path that grew costs what grew.
 */
export class TranscriptPlanner {
  private readonly made: RowPlan[] = []
  private readonly callRows = new Map<string, RowPlan>()
  private readonly early = new Map<string, EarlyResult[]>()
  private readonly withoutCallId: EarlyResult[] = []
  private inTurn = false
  /** Entries without a row, since the last row. */
  private waiting: number[] = []
  private covered = -1

  /** The path begins at an entry whose parent is not in the file. Before any entry. */
  addGap(ordinal: number): void {
    this.made.push({ ...newRow('gap', ordinal, -1), covers: [] })
  }

  add({ ordinal, shape, record }: PathEntry): void {
    switch (shape) {
      case 'silent':
      case 'tool-start':
        this.waiting.push(ordinal)
        return
      case 'assistant':
        this.planAssistant(ordinal, messageOf(record))
        this.inTurn = true
        return
      case 'tool-result':
        this.planResult(ordinal, messageOf(record))
        return
      default:
        this.addRow(ROW_KINDS[shape], ordinal)
        this.inTurn = false
    }
  }

  /** Results whose call was not met: it may stand above where the plan begins. */
  get unanswered(): number {
    return this.early.size + this.withoutCallId.length
  }

  /**
   * All rows so far. Results whose call is not on the path have rows of their own where they stand, unless the path was planned in
   * part (`orphans` false); entries without a row at the end belong to the last row.
   */
  rows(orphans = true): RowPlan[] {
    const lost = (orphans ? [...this.early.values(), this.withoutCallId] : [])
      .flat()
      .sort((a, b) => a.row - b.row || a.ordinal - b.ordinal)
    const rows: RowPlan[] = []
    let next = 0
    for (let at = 0; at <= this.made.length; at++) {
      for (let orphan = lost[next]; orphan !== undefined && orphan.row === at; orphan = lost[++next])
        rows.push(newRow('orphan-result', orphan.ordinal, -1))
      const row = this.made[at]
      if (row !== undefined) rows.push(row)
    }
    const last = rows[rows.length - 1]
    if (last !== undefined && this.waiting.length > 0)
      rows[rows.length - 1] = { ...last, covers: [...last.covers, ...this.waiting] }
    return rows
  }

  private planAssistant(ordinal: number, message: JsonObject): void {
    const before = this.made.length
    if (typeof message.content === 'string') this.addBlock('agent', ordinal, -1)
    const blocks: unknown[] = Array.isArray(message.content) ? message.content : []
    for (const [block, value] of blocks.entries()) {
      if (isJsonObject(value)) this.planBlock(ordinal, block, value)
    }
    const badEnd =
      message.stopReason === 'error' || message.stopReason === 'aborted' || message.stopReason === 'length'
    const empty = this.made.length === before
    // A message without content still took its turn and may have ended badly.
    if (!empty && !badEnd) return
    const last = this.made[this.made.length - 1]
    const row = empty || last?.kind !== 'agent' ? this.addBlock('agent', ordinal, -2) : last
    row.stop = badEnd
  }

  private planBlock(ordinal: number, block: number, value: JsonObject): void {
    switch (value.type) {
      case 'thinking':
      case 'redactedThinking':
        if (value.type === 'redactedThinking' || stringOrNull(value.thinking)?.trim())
          this.addBlock('thinking', ordinal, block)
        return
      case 'toolCall':
        this.planCall(this.addBlock('tool', ordinal, block), stringOrNull(value.id))
        return
      case 'text':
        if (stringOrNull(value.text)?.trim()) this.addBlock('agent', ordinal, block)
        return
      default:
        this.addBlock('agent', ordinal, block)
    }
  }

  private planCall(row: RowPlan, id: string | null): void {
    if (id === null) return
    for (const { ordinal } of this.early.get(id) ?? []) takeResult(row, ordinal)
    this.early.delete(id)
    this.callRows.set(id, row)
  }

  private planResult(ordinal: number, message: JsonObject): void {
    const id = stringOrNull(message.toolCallId)
    const row = id === null ? undefined : this.callRows.get(id)
    const result = { ordinal, row: this.made.length }
    if (row !== undefined) takeResult(row, ordinal)
    else if (id === null) this.withoutCallId.push(result)
    else {
      const list = this.early.get(id)
      if (list === undefined) this.early.set(id, [result])
      else list.push(result)
    }
  }

  private addBlock(kind: RowPlan['kind'], ordinal: number, block: number): RowPlan {
    const row = this.addRow(kind, ordinal, block)
    row.head = !this.inTurn
    this.inTurn = true
    return row
  }

  private addRow(kind: RowPlan['kind'], ordinal: number, block = -1): RowPlan {
    const row = newRow(kind, ordinal, block)
    if (ordinal === this.covered) row.covers = []
    this.covered = ordinal
    // One by one: as arguments of a single call, a hundred thousand entries would overflow the stack.
    for (const ordinal of this.waiting) row.covers.push(ordinal)
    this.waiting = []
    this.made.push(row)
    return row
  }
}

function takeResult(row: RowPlan, ordinal: number): void {
  row.results.push(ordinal)
  row.covers.push(ordinal)
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
