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

/** Above this no count of tokens or dollars is one. */
const MOST = 1e12

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
  const input = tokensIn(usage.input)
  const output = tokensIn(usage.output)
  const cacheRead = tokensIn(usage.cacheRead)
  const cacheWrite = tokensIn(usage.cacheWrite)
  sum.input += input
  sum.output += output
  sum.cacheRead += cacheRead
  sum.cacheWrite += cacheWrite
  const total = tokensIn(usage.totalTokens)
  sum.totalTokens += total
  const cost = costOf(usage)
  if (cost !== null) sum.cost = (sum.cost ?? 0) + cost
  else if (total + input + output > 0) sum.withoutCost++
}

export function costOf(usage: JsonObject): number | null {
  const cost = finiteOrNull(objectOf(usage.cost).total)
  return cost !== null && Math.abs(cost) <= MOST ? cost : null
}

/** Tokens as told. What can be no count is none, so that a sum stays a number. */
export function tokensIn(value: unknown): number {
  const count = finiteOrNull(value) ?? 0
  return count > 0 && count <= MOST ? count : 0
}
