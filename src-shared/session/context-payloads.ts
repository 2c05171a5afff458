/**
 * What a compaction keeps for a provider to replay, and for a reader of the archived part.
 * Rule: docs/format.md, Context.
 */
import { isJsonObject, type JsonObject, objectOf, objectsOf, stringOrNull } from './json'

/** The history that OpenAI's own compaction put in place of everything before, or null. */
export function remoteHistoryOf(compaction: JsonObject): JsonObject | null {
  const { provider, replacementHistory: items } = objectOf(preserved(compaction).openaiRemoteCompaction)
  if (!isFilled(provider) || !Array.isArray(items) || !items.every(isJsonObject)) return null
  return { type: 'openaiResponsesHistory', provider, items }
}

/** The summary in Anthropic's own form, or null. */
export function anthropicSummaryOf(compaction: JsonObject): JsonObject | null {
  const told = objectOf(preserved(compaction).anthropicCompaction)
  const { provider, content, encryptedContent, filesText } = told
  if (!isFilled(provider) || !isFilled(content)) return null
  return {
    type: 'anthropicCompaction',
    provider,
    content,
    ...(isFilled(encryptedContent) ? { encryptedContent } : {}),
    ...(isFilled(filesText) ? { filesText } : {}),
  }
}

/**
 * The archive of a compaction that drew the history as pictures, as content blocks, oldest first: text, pictures,
 * text. Pictures are as the file has them, mostly references to blobs. Empty without an archive.
 */
export function archiveBlocksOf(compaction: JsonObject): JsonObject[] {
  const archive = objectOf(preserved(compaction).snapcompact)
  const blocks: JsonObject[] = objectsOf(archive.frames)
    .filter(isFrame)
    .map(({ data, mimeType }) => ({ type: 'image', data, mimeType }))
  const head = stringOrNull(archive.textHead) ?? ''
  const tail = stringOrNull(archive.textTail) ?? ''
  if (head !== '') blocks.unshift({ type: 'text', text: head })
  if (tail !== '') blocks.push({ type: 'text', text: tail })
  return blocks
}

function preserved(compaction: JsonObject): JsonObject {
  return objectOf(compaction.preserveData)
}

function isFrame(frame: JsonObject): boolean {
  const { data, mimeType, cols, rows, chars } = frame
  return isFilled(data) && typeof mimeType === 'string' && [cols, rows, chars].every(isNumber)
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
