/**
 * Where in a record data is that lies in the blob store instead, and what in a record nobody may touch. Pure.
 * Rule: docs/format.md, Blob store and Writing a record.
 */
import { isJsonObject, type JsonObject } from './json'

/** Shortest base64 text, in characters, that goes to the blob store. A data URL goes whatever its length. */
export const BLOB_MIN_CHARS = 1024

/** Key of a data URL that goes to the blob store as text. */
export const IMAGE_URL_KEY = 'image_url'

/** Key of pictures that stay references until someone needs them. */
export const LAZY_KEY = 'frames'

/**
 * The field of `value`, an object that stands under `key`, that holds a picture in base64 or a reference to one; null
 * when it is no such object.
 */
export function pictureFieldOf(value: JsonObject, key: string | null): 'data' | 'result' | null {
  if (value.type === 'image_generation_call' && typeof value.result === 'string') return 'result'
  if (typeof value.data !== 'string') return null
  const isBlock = value.type === 'image'
  if (key === 'content') return isBlock ? 'data' : null
  if (key !== 'images' && key !== LAZY_KEY) return null
  return isBlock || isImageType(value.mimeType) ? 'data' : null
}

function isImageType(mimeType: unknown): boolean {
  return typeof mimeType === 'string' && mimeType.toLowerCase().startsWith('image/')
}

/** Whether a text is a picture as a data URL. */
export function isImageDataUrl(text: string): boolean {
  return text.startsWith('data:image/') && text.includes(';base64,')
}

/**
 * Whether an object must be written byte for byte, with all in it: a provider checks its signature or decrypts it when
 * the conversation goes on.
 */
export function isSealed(value: JsonObject, key: string | null): boolean {
  switch (value.type) {
    case 'thinking':
      return isText(value.thinkingSignature)
    case 'text':
      return isText(value.textSignature)
    case 'toolCall':
      return isText(value.thoughtSignature)
    case 'redactedThinking':
      return isText(value.data)
    case 'reasoning':
      return isText(value.encrypted_content)
    case 'anthropicServerTool':
      return isServerToolBlock(value.block)
    case 'anthropicCompaction':
      return true
    default:
      return key === 'anthropicCompaction' && typeof value.content === 'string'
  }
}

const SERVER_TOOLS = new Set(['web_search', 'tool_search_tool_regex', 'tool_search_tool_bm25'])

/** Whether a block of a tool that the provider ran is complete, so that it can be sent again. */
function isServerToolBlock(block: unknown): boolean {
  if (!isJsonObject(block)) return false
  if (block.type === 'server_tool_use')
    return typeof block.name === 'string' && SERVER_TOOLS.has(block.name) && isText(block.id)
  if (block.type !== 'web_search_tool_result' && block.type !== 'tool_search_tool_result') return false
  return isText(block.tool_use_id) && Object.hasOwn(block, 'content')
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0
}

/**
 * For an object in which something changed: where it tells `lineCount` of its `content`, the count is taken anew.
 * Else the object itself.
 */
export function withLineCount(value: JsonObject): JsonObject {
  const { content, lineCount } = value
  if (typeof content !== 'string' || typeof lineCount !== 'number') return value
  return { ...value, lineCount: content.split('\n').length }
}
