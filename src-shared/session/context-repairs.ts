/**
 * What makes a list of messages fit for a provider: no call without its result, no turn that failed. Linear; the
 * messages given are never changed, those that differ are new ones. Rule: docs/format.md, Context.
 */
import type { ContextMessage } from './context-messages'
import { isJsonObject, type JsonObject } from './json'

const INTERRUPTED_TYPE = 'interrupted-thinking'

/**
 * Takes calls away that no result answers. A turn changed so also loses what only its original form may carry:
 * redacted thinking, and the signatures of its thinking. `keepEmpty` keeps turns of which nothing is left; every changed
 * turn then tells in `strippedToolCalls` how many calls it lost.
 */
export function withoutDanglingCalls(
  messages: readonly ContextMessage[],
  { keepEmpty }: { keepEmpty: boolean },
): ContextMessage[] {
  const answered = new Set<unknown>()
  for (const message of messages) if (message.role === 'toolResult') answered.add(message.toolCallId)
  const repaired: ContextMessage[] = []
  for (const message of messages) {
    const blocks = message.role === 'assistant' ? blocksOf(message) : []
    const left = blocks.filter(block => !isCall(block) || answered.has(block.id))
    const lost = blocks.length - left.length
    if (lost === 0) {
      repaired.push(message)
      continue
    }
    const content = left.filter(block => !isRedacted(block)).map(withoutSignature)
    if (keepEmpty) repaired.push({ ...message, content, strippedToolCalls: lost })
    else if (content.length > 0) repaired.push({ ...message, content })
  }
  return repaired
}

/**
 * Takes assistants' turns away that were aborted or failed, with the results of their calls, unless a note on the
 * interrupted thinking follows directly.
 */
export function withoutFailedTurns(messages: readonly ContextMessage[]): ContextMessage[] {
  const left = new Remaining(messages.length)
  /** Results from here to the end that are left, by their call. */
  const results = new Map<unknown, number[]>()
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (message === undefined) continue
    if (message.role === 'toolResult') push(results, message.toolCallId, at)
    if (!isFailed(message) || isInterruption(messages[left.next(at)])) continue
    left.remove(at)
    for (const call of blocksOf(message).filter(isCall)) {
      for (const result of results.get(call.id) ?? []) left.remove(result)
      results.delete(call.id)
    }
  }
  return messages.filter((_, at) => left.has(at))
}

/** Positions that are left of a list, each knowing the next one that is: removing costs the same anywhere. */
class Remaining {
  private readonly removed: Uint8Array
  private readonly nexts: Int32Array
  private readonly previous: Int32Array

  constructor(count: number) {
    this.removed = new Uint8Array(count)
    // Positions -1 and `count` are the ends; all are stored one further.
    this.nexts = Int32Array.from({ length: count + 2 }, (_, slot) => slot + 1)
    this.previous = Int32Array.from({ length: count + 2 }, (_, slot) => slot - 1)
  }

  has(at: number): boolean {
    return this.removed[at] === 0
  }

  /** The next position that is left, or the length of the list. */
  next(at: number): number {
    return (this.nexts[at + 1] ?? 0) - 1
  }

  remove(at: number): void {
    const [before, after] = [this.previous[at + 1] ?? 0, this.nexts[at + 1] ?? 0]
    this.removed[at] = 1
    this.nexts[before] = after
    this.previous[after] = before
  }
}

function push(lists: Map<unknown, number[]>, key: unknown, value: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

function isFailed(message: ContextMessage): boolean {
  return message.role === 'assistant' && (message.stopReason === 'aborted' || message.stopReason === 'error')
}

function isInterruption(message: ContextMessage | undefined): boolean {
  return message?.role === 'custom' && message.customType === INTERRUPTED_TYPE
}

function blocksOf(message: ContextMessage): unknown[] {
  return Array.isArray(message.content) ? message.content : []
}

function isCall(block: unknown): block is JsonObject {
  return isJsonObject(block) && block.type === 'toolCall'
}

function isRedacted(block: unknown): boolean {
  return isJsonObject(block) && block.type === 'redactedThinking'
}

function withoutSignature(block: unknown): unknown {
  if (!isJsonObject(block) || block.type !== 'thinking' || !block.thinkingSignature) return block
  const { thinkingSignature: _, ...rest } = block
  return rest
}
