/**
 * Per entry, what a graph, a list of tips and the plan of a transcript need, as flat columns: kind, shape, time, tokens, cost.
 * Fed in file order like the index, so that growth costs only what grew.
 *
 * Kind, shape and time stand at the head of a line. Tokens and cost stand inside it: an entry that was read by its head alone has
 * none until `fill`.
 */
import { NODE_KINDS, type NodeKind } from '../ipc/models/session-models'
import { messageOf } from './entry'
import { ENTRY_SHAPES, type EntryShape, entryShape, shapeBy } from './entry-shape'
import { GrowingBytes, GrowingFloats, GrowingInts } from './growing-array'
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
  return kindBy(stringOrNull(record.type) ?? '', stringOrNull(messageOf(record).role) ?? '')
}

function kindBy(type: string, role: string): NodeKind {
  if (type === 'message') return kindOf(ROLE_KINDS, role) ?? 'note'
  return kindOf(TYPE_KINDS, type) ?? 'other'
}

/** Only what stands in the table: a file may call a type `constructor`. */
function kindOf(kinds: Readonly<Record<string, NodeKind>>, name: string): NodeKind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}

/** Kind and shape as numbers: what the columns keep of a type and of a role or `customType`. */
export type HeadKind = { kind: number; shape: number }

export function headKind(type: string, role: string, customType: string): HeadKind {
  return {
    kind: numberOf(kindBy(type, role)),
    shape: ENTRY_SHAPES.indexOf(shapeBy(type, role, customType)),
  }
}

function numberOf(kind: NodeKind): number {
  return KIND_NUMBERS.get(kind) ?? NODE_KINDS.length - 1
}

export class EntryColumns {
  private readonly kinds = new GrowingBytes()
  private readonly shapes = new GrowingBytes()
  private readonly times = new GrowingFloats()
  private readonly tokens = new GrowingInts()
  private readonly costs = new GrowingFloats()
  private readonly now: number

  constructor(now: number) {
    this.now = now
  }

  add(record: JsonObject): void {
    this.addHead(numberOf(nodeKind(record)), ENTRY_SHAPES.indexOf(entryShape(record)), this.timeOf(record))
    this.fill(this.times.length - 1, record)
  }

  /** An entry by its head; NaN for a time that is not known. */
  addHead(kind: number, shape: number, time: number): void {
    this.kinds.push(kind)
    this.shapes.push(shape)
    this.times.push(time)
  }

  /** What stands inside an entry. */
  fill(ordinal: number, record: JsonObject): void {
    const message = messageOf(record)
    const output = message.role === 'assistant' ? tokensIn(objectOf(message.usage).output) : 0
    this.tokens.put(ordinal, Math.min(output, 2_000_000_000))
    this.costs.put(
      ordinal,
      usagesOf(record).reduce((sum, { usage }) => sum + (costOf(usage) ?? 0), 0),
    )
  }

  /** Whether this is what the columns say of an entry. */
  isHeadOf(ordinal: number, record: JsonObject): boolean {
    return (
      this.kind(ordinal) === nodeKind(record) &&
      this.shape(ordinal) === entryShape(record) &&
      Object.is(this.times.at(ordinal), this.timeOf(record))
    )
  }

  private timeOf(record: JsonObject): number {
    return (
      saneTime(record.timestamp, this.now) ?? saneTime(messageOf(record).timestamp, this.now) ?? Number.NaN
    )
  }

  kind(ordinal: number): NodeKind {
    return NODE_KINDS[this.kinds.at(ordinal) ?? -1] ?? 'other'
  }

  shape(ordinal: number): EntryShape {
    return ENTRY_SHAPES[this.shapes.at(ordinal) ?? -1] ?? 'note'
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
      kinds: this.kinds.toArray(),
      times: this.times.toArray(),
      tokens: this.tokens.toArray(this.times.length),
    }
  }
}

/** True for entries that are part of the conversation itself. */
export function isMessageKind(kind: NodeKind): boolean {
  return kind === 'user' || kind === 'assistant' || kind === 'tool-result'
}
