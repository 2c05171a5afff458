/** Tokens and cost. Rule: docs/format.md, Usage: over all entries, all branches. */
import { finiteOrNull, isJsonObject, type JsonObject, objectOf, stringOrNull } from './json'

export type Usage = {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  totalTokens: number
  /** US dollars; null until one message says a cost. */
  cost: number | null
  /** Messages with tokens that say no cost. */
  withoutCost: number
  messages: number
}

export function emptyUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: null,
    withoutCost: 0,
    messages: 0,
  }
}

export type UsageRecord = { model: string; usage: JsonObject }

/** The usages that an entry carries: an assistant message, a `task` tool result, a `model_usage` entry. */
export function usagesOf(record: JsonObject): UsageRecord[] {
  if (record.type === 'model_usage') return withUsage(modelName(record), record.usage)
  if (record.type !== 'message') return []
  const message = objectOf(record.message)
  if (message.role === 'assistant') return withUsage(modelName(message), message.usage)
  if (message.role === 'toolResult' && message.toolName === 'task')
    return withUsage('subagents', objectOf(message.details).usage)
  return []
}

function withUsage(model: string, usage: unknown): UsageRecord[] {
  return isJsonObject(usage) ? [{ model, usage }] : []
}

/** `provider/model`, as far as it is told. */
export function modelName(record: JsonObject): string {
  const provider = stringOrNull(record.provider)
  const model = stringOrNull(record.model)
  if (model === null) return provider ?? 'unknown model'
  return provider === null ? model : `${provider}/${model}`
}

/** Adds one record's usage to a sum, in place. Wrong types count as nothing. */
export function addUsage(sum: Usage, usage: JsonObject): void {
  sum.messages++
  const input = finiteOrNull(usage.input) ?? 0
  const output = finiteOrNull(usage.output) ?? 0
  const cacheRead = finiteOrNull(usage.cacheRead) ?? 0
  const cacheWrite = finiteOrNull(usage.cacheWrite) ?? 0
  sum.input += input
  sum.output += output
  sum.cacheRead += cacheRead
  sum.cacheWrite += cacheWrite
  const total = finiteOrNull(usage.totalTokens) ?? 0
  sum.totalTokens += total
  const cost = costOf(usage)
  if (cost !== null) sum.cost = (sum.cost ?? 0) + cost
  else if (total + input + output > 0) sum.withoutCost++
}

export function costOf(usage: JsonObject): number | null {
  return finiteOrNull(objectOf(usage.cost).total)
}
