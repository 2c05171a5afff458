/**
 * Per entry, what a graph and a list of tips need, as flat columns: kind, time, tokens, cost. Fed in file
 * order like the index, so that growth costs only what grew.
 */
import { NODE_KINDS, type NodeKind } from '../ipc/models/session-models'
import { messageOf } from './entry'
import { GrowingFloats, GrowingInts } from './growing-array'
import { type JsonObject, objectOf, stringOrNull } from './json'
import { saneTime } from './sane-time'
import { costOf, tokensIn, usagesOf } from './usage'

const KIND_NUMBERS = new Map<string, number>(NODE_KINDS.map((kind, number) => [kind, number]))

const TYPE_KINDS: Readonly<Record<string, NodeKind>> = {
  compaction: 'compaction',
  branch_summary: 'branch-summary',
  reset_boundary: 'reset',
  label: 'label',
  title_change: 'title',
  model_change: 'setting',
  thinking_level_change: 'setting',
  service_tier_change: 'setting',
  mode_change: 'setting',
  credential_pin: 'setting',
  ttsr_injection: 'setting',
  session_init: 'setting',
  custom: 'custom',
  custom_message: 'note',
  model_usage: 'custom',
}

const ROLE_KINDS: Readonly<Record<string, NodeKind>> = {
  user: 'user',
  assistant: 'assistant',
  toolResult: 'tool-result',
}

/** What an entry is in the graph. */
export function nodeKind(record: JsonObject): NodeKind {
  const type = stringOrNull(record.type) ?? ''
  if (type === 'message') return kindOf(ROLE_KINDS, stringOrNull(messageOf(record).role) ?? '') ?? 'note'
  return kindOf(TYPE_KINDS, type) ?? 'other'
}

/** Only what stands in the table: a file may call a type `constructor`. */
function kindOf(kinds: Readonly<Record<string, NodeKind>>, name: string): NodeKind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}

export class EntryColumns {
  private readonly kinds = new GrowingInts()
  private readonly times = new GrowingFloats()
  private readonly tokens = new GrowingInts()
  private readonly costs = new GrowingFloats()
  private readonly now: number

  constructor(now: number) {
    this.now = now
  }

  add(record: JsonObject): void {
    const message = messageOf(record)
    this.kinds.push(KIND_NUMBERS.get(nodeKind(record)) ?? NODE_KINDS.length - 1)
    const time = saneTime(record.timestamp, this.now) ?? saneTime(message.timestamp, this.now)
    this.times.push(time ?? Number.NaN)
    const output = message.role === 'assistant' ? tokensIn(objectOf(message.usage).output) : 0
    this.tokens.push(Math.min(output, 2_000_000_000))
    this.costs.push(usagesOf(record).reduce((sum, { usage }) => sum + (costOf(usage) ?? 0), 0))
  }

  kind(ordinal: number): NodeKind {
    return NODE_KINDS[this.kinds.at(ordinal) ?? -1] ?? 'other'
  }

  time(ordinal: number): number | null {
    const time = this.times.at(ordinal)
    return time === undefined || Number.isNaN(time) ? null : time
  }

  cost(ordinal: number): number {
    return this.costs.at(ordinal) ?? 0
  }

  /** Copies, safe to hand over. */
  arrays(): {
    kinds: Uint8Array<ArrayBuffer>
    times: Float64Array<ArrayBuffer>
    tokens: Int32Array<ArrayBuffer>
  } {
    return {
      kinds: Uint8Array.from(this.kinds.toArray()),
      times: this.times.toArray(),
      tokens: this.tokens.toArray(),
    }
  }
}

/** True for entries that are part of the conversation itself. */
export function isMessageKind(kind: NodeKind): boolean {
  return kind === 'user' || kind === 'assistant' || kind === 'tool-result'
}
