/** Entries that stand between messages: what changed, what was summarised, how a run ended. */
import type { DividerRow } from '@shared/ipc/models/transcript-models'
import { finiteOrNull, type JsonObject, objectOf, objectsOf, stringOrNull } from '@shared/session/json'
import { oneLineText, shownText } from './shown-text'
import type { RowContext } from './transcript-rows'

type Divider = { what: DividerRow['what']; text: string; body?: [text: string, part: string] | undefined }

export function dividerRow({ base, record }: RowContext): DividerRow {
  const { what, text, body } = describe(record)
  return {
    ...base,
    kind: 'divider',
    what,
    text: oneLineText(text),
    body: body === undefined ? null : shownText(body[0], body[1]),
  }
}

/** The line that stands for such an entry. */
export function dividerText(record: JsonObject): string {
  return describe(record).text
}

function describe(record: JsonObject): Divider {
  switch (record.type) {
    case 'compaction':
      return { what: 'compaction', text: compactionText(record), body: bodyOf(record.summary, 'summary') }
    case 'branch_summary':
      return branchSummary(record)
    case 'reset_boundary':
      return { what: 'reset', text: 'Context cleared' }
    case 'model_change':
      return { what: 'model', text: modelText(record) }
    case 'thinking_level_change':
      return { what: 'thinking-level', text: `Thinking level ${stringOrNull(record.thinkingLevel) ?? 'off'}` }
    case 'service_tier_change':
      return { what: 'service-tier', text: `Service tier ${tierText(record.serviceTier)}` }
    case 'mode_change':
      return {
        what: 'mode',
        text: record.mode === 'none' ? 'Mode left' : `Mode ${stringOrNull(record.mode) ?? 'unknown'}`,
      }
    case 'title_change':
      return { what: 'title', text: `Renamed to "${stringOrNull(record.title) ?? ''}"` }
    case 'session_init':
      return { what: 'init', text: initText(record), body: bodyOf(record.task, 'task') }
    default:
      return { what: 'exit', text: exitText(objectOf(record.data)) }
  }
}

function bodyOf(text: unknown, part: string): [string, string] | undefined {
  return typeof text === 'string' && text !== '' ? [text, part] : undefined
}

function compactionText(record: JsonObject): string {
  const before = finiteOrNull(record.tokensBefore)
  const after = finiteOrNull(record.tokensAfter)
  const short = stringOrNull(record.shortSummary)
  const tokens =
    before === null
      ? ''
      : after === null
        ? `, ${thousands(before)} tokens before`
        : `, ${thousands(before)} to ${thousands(after)} tokens`
  return `Compacted${tokens}${short === null || short === '' ? '' : `: ${short}`}`
}

function thousands(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`
}

function branchSummary(record: JsonObject): Divider {
  const summary = stringOrNull(record.summary) ?? ''
  if (summary === '') return { what: 'branch-summary', text: 'Continued from here' }
  return { what: 'branch-summary', text: 'Summary of the branch that was left', body: [summary, 'summary'] }
}

function modelText(record: JsonObject): string {
  // Version 1 wrote provider and model apart.
  const model =
    stringOrNull(record.model) ??
    [stringOrNull(record.provider), stringOrNull(record.modelId)].filter(part => part !== null).join('/')
  const role = stringOrNull(record.role)
  return `Model ${model === '' ? 'unknown' : model}${role === null || role === 'default' ? '' : ` for ${role}`}`
}

function tierText(tier: unknown): string {
  if (tier === null || tier === undefined) return 'default'
  if (typeof tier === 'string') return tier
  return Object.entries(objectOf(tier))
    .map(([provider, value]) => `${provider} ${stringOrNull(value) ?? 'default'}`)
    .join(', ')
}

function initText(record: JsonObject): string {
  const agent = stringOrNull(record.agent)
  return agent === null ? 'Subagent started' : `Subagent started as ${agent}`
}

function exitText(data: JsonObject): string {
  const kind = stringOrNull(data.kind)
  const reason = stringOrNull(data.reason)
  const pending = objectsOf(data.pendingToolCalls).length
  const how = kind === null || kind === 'normal' ? 'omp ended' : `omp ended (${reason ?? kind})`
  return pending === 0 ? how : `${how} with ${pending} tool ${pending === 1 ? 'call' : 'calls'} running`
}
