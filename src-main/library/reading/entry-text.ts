/**
 * The texts inside an entry by address (`part`): what a row shows cut is fetched whole by the same address, so
 * a row takes each of its texts from here. `content` is all text of a message, `content.N` block N, `output`,
 * `args.N`, `summary` and so on.
 */

import { messageOf } from '@shared/session/entry'
import {
  isJsonObject,
  type JsonObject,
  laidOutJson,
  objectOf,
  objectsOf,
  stringOrNull,
} from '@shared/session/json'
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
      if (number !== undefined) return block === undefined ? null : blockText(block)
      return contentText(message.content ?? record.content)
    case 'args':
      return block === undefined ? null : prettyJson(block.arguments)
    case 'output':
      return stringOrNull(message.output) ?? contentText(message.content)
    case 'diff':
      return stringOrNull(objectOf(message.details).diff)
    case 'code':
      return stringOrNull(message.command) ?? stringOrNull(message.code)
    case 'files':
      return objectsOf(message.files)
        .map(file => `${stringOrNull(file.path) ?? ''}\n${stringOrNull(file.content) ?? ''}`)
        .join('\n\n')
    case 'summary':
      return stringOrNull(record.summary)
    case 'task':
      return stringOrNull(record.task)
    case 'label':
      return stringOrNull(record.label)
    case 'title':
      return stringOrNull(record.title)
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

/** The text of a content block; one of a kind without a text of its own is said what it is, never dropped. */
export function blockText(block: JsonObject): string {
  const text = stringOrNull(block.text) ?? stringOrNull(block.thinking)
  if (text !== null) return text
  if (block.type === 'image' || block.type === 'redactedThinking' || block.type === undefined) return ''
  if (block.type === 'fallback') {
    const from = stringOrNull(objectOf(block.from).model) ?? 'one model'
    return `*Fell back from ${from} to ${stringOrNull(objectOf(block.to).model) ?? 'another'}.*`
  }
  return `\`\`\`json\n${prettyJson(block)}\n\`\`\``
}

export function prettyJson(value: unknown): string {
  return laidOutJson(value) ?? 'Nested too deeply to be shown.'
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
