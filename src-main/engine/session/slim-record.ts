/**
 * What a record says twice, or says to a running program only, left out before it is written. Pure; the record that
 * is passed in is not changed, and is itself the answer when nothing is to be left out.
 * Rule: docs/format.md, Writing a record.
 */
import { isJsonObject, type JsonObject, objectOf, parseObject } from '@shared/session/json'

/** A key of `details` that labels a queued message for the program that queued it. */
const QUEUE_LABEL = '__queueChipText'

/**
 * Without the signatures of an assistant's thinking whose reasoning item the message carries in its payload anyway;
 * the payload is what goes back to the provider.
 */
export function withoutRepeatedSignatures(record: JsonObject): JsonObject {
  const message = messageOf(record, 'assistant')
  const payload = objectOf(message?.providerPayload)
  if (message === null || payload.type !== 'openaiResponsesHistory' || !Array.isArray(payload.items))
    return record
  if (!Array.isArray(message.content)) return record
  const carried = new Set<string>()
  for (const item of payload.items) {
    for (const name of namesOf(item)) carried.add(name)
  }
  const blocks: unknown[] = message.content
  const content = blocks.map(block => {
    if (!isJsonObject(block) || block.type !== 'thinking' || typeof block.thinkingSignature !== 'string')
      return block
    // The first name is the one that must match: the encrypted content where there is one.
    const [name] = namesOf(parseObject(block.thinkingSignature))
    return name !== undefined && carried.has(name) ? without(block, 'thinkingSignature') : block
  })
  if (content.every((block, at) => block === blocks[at])) return record
  return { ...record, message: { ...message, content } }
}

/** What a reasoning item can be told by: its encrypted content, then its id; nothing for anything else. */
function namesOf(item: unknown): string[] {
  if (!isJsonObject(item) || item.type !== 'reasoning') return []
  const names: string[] = []
  if (isText(item.encrypted_content)) names.push(`content ${item.encrypted_content}`)
  if (isText(item.id)) names.push(`id ${item.id}`)
  return names
}

/** Without the structured content of an MCP tool's result of which an artifact holds the whole text. */
export function withoutCopiedContent(record: JsonObject): JsonObject {
  const message = messageOf(record, 'toolResult')
  if (message === null || !isJsonObject(message.details)) return record
  const { details } = message
  const { artifactId } = objectOf(objectOf(details.meta).truncation)
  const isCopied =
    isText(details.serverName) &&
    isText(details.mcpToolName) &&
    Object.hasOwn(details, 'structuredContent') &&
    isText(artifactId)
  if (!isCopied) return record
  return { ...record, message: { ...message, details: without(details, 'structuredContent') } }
}

/** Without the label that a message bore while it was queued. */
export function withoutQueueLabel(record: JsonObject): JsonObject {
  const { type, details } = record
  if (type !== 'custom_message' || !isJsonObject(details) || !Object.hasOwn(details, QUEUE_LABEL))
    return record
  return { ...record, details: without(details, QUEUE_LABEL) }
}

function messageOf(record: JsonObject, role: string): JsonObject | null {
  if (record.type !== 'message' || !isJsonObject(record.message)) return null
  return record.message.role === role ? record.message : null
}

function without(object: JsonObject, key: string): JsonObject {
  const copy = { ...object }
  delete copy[key]
  return copy
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0
}
