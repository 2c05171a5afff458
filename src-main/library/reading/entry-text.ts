/**
 * The texts inside an entry by address (`part`): what a row shows cut is fetched whole by the same address.
 * `content` is all text of a message, `content.N` block N, `output`, `args.N`, `summary` and so on.
 */

import { messageOf } from '@shared/session/entry'
import { isJsonObject, type JsonObject, objectOf, objectsOf, stringOrNull } from '@shared/session/json'
import { contentText, splitPrompt } from '@shared/session/prompt'

/** The text at an address, or null when the entry has none there. */
export function textAt(record: JsonObject, part: string): string | null {
  const message = messageOf(record)
  const [name, number] = part.split('.')
  const block = number === undefined ? undefined : blockAt(message, Number(number))
  switch (name) {
    case 'prompt':
      return splitPrompt(contentText(message.content)).text
    case 'injected':
      return splitPrompt(contentText(message.content)).injected
    case 'content':
      return block === undefined ? contentText(message.content ?? record.content) : blockText(block)
    case 'args':
      return block === undefined ? null : prettyJson(block.arguments)
    case 'output':
      return stringOrNull(message.output) ?? contentText(message.content)
    case 'code':
      return stringOrNull(message.command) ?? stringOrNull(message.code)
    case 'files':
      return objectsOf(message.files)
        .map(file => `${stringOrNull(file.path) ?? ''}\n${stringOrNull(file.content) ?? ''}`)
        .join('\n\n')
    case 'summary':
      return stringOrNull(record.summary)
    case 'task':
      return [stringOrNull(record.task), stringOrNull(record.systemPrompt)]
        .filter(text => text !== null)
        .join('\n\n')
    case 'record':
      return prettyJson(record)
    default:
      return null
  }
}

function blockAt(message: JsonObject, number: number): JsonObject | undefined {
  const blocks: unknown[] = Array.isArray(message.content) ? message.content : []
  const block = blocks[number]
  return isJsonObject(block) ? block : undefined
}

function blockText(block: JsonObject): string {
  return stringOrNull(block.text) ?? stringOrNull(block.thinking) ?? ''
}

export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

/** One line that tells what a tool's arguments or an entry are about, for previews. */
export function firstStringOf(record: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = record[key]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}

export function argumentsOf(block: JsonObject): JsonObject {
  return objectOf(block.arguments)
}
