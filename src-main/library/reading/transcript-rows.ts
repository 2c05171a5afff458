/** Rows of a transcript, made from their plans and the records of their entries. Pure. */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { limits } from '@shared/limits'
import { messageOf } from '@shared/session/entry'
import { finiteOrNull, isJsonObject, type JsonObject, objectOf, stringOrNull } from '@shared/session/json'
import { contentText, splitPrompt } from '@shared/session/prompt'
import { rawTime, saneTime } from '@shared/session/sane-time'
import { cutAtCharacter, listText, visibleText } from '@shared/session/text'
import { modelName } from '@shared/session/usage'
import { dividerRow } from './divider-row'
import { argumentsOf, blockText, prettyJson } from './entry-text'
import { noteRow } from './note-row'
import { type ImageAddress, shownImages } from './shown-image'
import { oneLineOrNull, oneLineText, shownText } from './shown-text'
import { subagentsOf, toolOutcome, toolSummary } from './tool-facts'
import type { RowPlan } from './transcript-plan'

export type RowBase = Pick<
  TranscriptRow,
  'key' | 'ordinal' | 'entryId' | 'time' | 'rawTime' | 'labels' | 'fork'
>

export type RowContext = {
  base: RowBase
  record: JsonObject
  /** Records of the results of a tool call, in file order. */
  results: { ordinal: number; record: JsonObject }[]
  /** When the call began, Unix ms, as omp noted it. */
  startedAt: number | null
  now: number
  images: ImageAddress
  /** Session ref of a subagent of that name, or null. */
  subagentRef(name: string): string | null
}

/** Time of an entry for display: the sane one, or the raw text. */
export function entryTime(record: JsonObject, now: number): { time: number | null; rawTime: string | null } {
  const time = saneTime(record.timestamp, now) ?? saneTime(messageOf(record).timestamp, now)
  return { time, rawTime: time === null ? rawTime(record.timestamp) : null }
}

export function buildRow(plan: RowPlan, context: RowContext): TranscriptRow {
  switch (plan.kind) {
    case 'prompt':
      return promptRow(context)
    case 'agent':
      return agentRow(plan, context)
    case 'thinking':
      return thinkingRow(plan, context)
    case 'tool':
      return toolRow(plan, context)
    case 'orphan-result':
      return orphanResultRow(context)
    case 'divider':
      return dividerRow(context)
    case 'note':
      return noteRow(context)
    case 'gap':
      return { ...context.base, kind: 'divider', what: 'gap', text: gapText(context.record), body: null }
  }
}

function gapText(record: JsonObject): string {
  const parent = listText(stringOrNull(record.parentId) ?? 'unknown', limits.lineChars)
  return `The entry before this one (${parent}) is not in the file.`
}

function promptRow({ base, record, images }: RowContext): TranscriptRow {
  const message = messageOf(record)
  const { injected, text } = splitPrompt(contentText(message.content))
  return {
    ...base,
    kind: 'prompt',
    text: shownText(text, 'prompt'),
    images: shownImages(record, base.ordinal, images),
    injected: injected === '' ? null : shownText(injected, 'injected'),
    synthetic: message.synthetic === true,
  }
}

function blockOf(record: JsonObject, block: number): JsonObject {
  const content = messageOf(record).content
  const blocks: unknown[] = Array.isArray(content) ? content : []
  const value = blocks[block]
  return isJsonObject(value) ? value : {}
}

function agentRow(plan: RowPlan, { base, record, images }: RowContext): TranscriptRow {
  const message = messageOf(record)
  const block = blockOf(record, plan.block)
  const whole = plan.block === -1 ? contentText(message.content) : ''
  const text = plan.block < 0 ? whole : blockText(block)
  return {
    ...base,
    kind: 'agent',
    head: plan.head,
    model: modelOf(message),
    text: shownText(text, plan.block < 0 ? 'content' : `content.${plan.block}`),
    images: block.type === 'image' ? shownImages(record, base.ordinal, images, plan.block) : [],
    stop: plan.stop ? oneLineOrNull(stringOrNull(message.stopReason)) : null,
    errorText: plan.stop ? errorText(message) : null,
    tokens: finiteOrNull(objectOf(message.usage).output),
  }
}

function errorText(message: JsonObject): string | null {
  const text = stringOrNull(message.errorMessage)
  return text === null ? null : visibleText(cutAtCharacter(text, limits.previewChars))
}

function modelOf(message: JsonObject): string | null {
  return typeof message.model === 'string' ? oneLineText(modelName(message)) : null
}

function thinkingRow(plan: RowPlan, { base, record }: RowContext): TranscriptRow {
  const block = blockOf(record, plan.block)
  return {
    ...base,
    kind: 'thinking',
    head: plan.head,
    model: modelOf(messageOf(record)),
    text: shownText(blockText(block), `content.${plan.block}`),
    redacted: block.type === 'redactedThinking',
  }
}

function toolRow(plan: RowPlan, context: RowContext): TranscriptRow {
  const { base, record } = context
  const call = blockOf(record, plan.block)
  const args = argumentsOf(call)
  const { i, ...said } = args
  return {
    ...base,
    kind: 'tool',
    head: plan.head,
    model: modelOf(messageOf(record)),
    name: oneLineText(stringOrNull(call.name) ?? 'unknown tool'),
    callId: oneLineText(stringOrNull(call.id) ?? ''),
    summary: toolSummary(said),
    intent: oneLineOrNull(stringOrNull(call.intent) ?? stringOrNull(i)),
    args: call.arguments === undefined ? null : shownText(prettyJson(call.arguments), `args.${plan.block}`),
    ...resultFields(context),
  }
}

/** The fields that the result of a call fills; the last result counts where there are several. */
function resultFields(context: RowContext) {
  const last = context.results[context.results.length - 1]
  if (last === undefined) {
    return {
      state: 'none' as const,
      exitCode: null,
      durationMs: null,
      added: null,
      removed: null,
      output: null,
      diff: null,
      images: [],
      extraResults: 0,
      resultOrdinal: null,
      subagents: [],
    }
  }
  const message = messageOf(last.record)
  const outcome = toolOutcome(message)
  const ended = entryTime(last.record, context.now).time
  const measured =
    context.startedAt === null || ended === null ? null : Math.max(0, ended - context.startedAt)
  return {
    ...outcome,
    durationMs: outcome.durationMs ?? measured,
    output: shownText(contentText(message.content), 'output'),
    images: shownImages(last.record, last.ordinal, context.images),
    extraResults: context.results.length - 1,
    resultOrdinal: last.ordinal,
    subagents: subagentsOf(message).map(name => ({
      name: oneLineText(name),
      session: context.subagentRef(name),
    })),
  }
}

function orphanResultRow(context: RowContext): TranscriptRow {
  const message = messageOf(context.record)
  const own = { ...context, results: [{ ordinal: context.base.ordinal, record: context.record }] }
  return {
    ...context.base,
    kind: 'tool',
    head: false,
    model: null,
    name: oneLineText(stringOrNull(message.toolName) ?? 'unknown tool'),
    callId: oneLineText(stringOrNull(message.toolCallId) ?? ''),
    summary: 'its call is not on this path',
    intent: null,
    args: null,
    ...resultFields(own),
    state: 'call-missing',
  }
}
