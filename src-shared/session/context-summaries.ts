/** Messages that stand for something else: summaries of compactions, and notes. Rule: docs/format.md, Context. */
import { type ContextMessage, entryTime, filled } from './context-messages'
import { anthropicSummaryOf, archiveBlocksOf, remoteHistoryOf } from './context-payloads'
import { finiteOrNull, isJsonObject, type JsonObject, stringOrNull } from './json'
import { utf8Length } from './utf8'

const NOTES_TYPE = 'experimental_context_notes'
/** Notes longer than this, in bytes of UTF-8, are not taken for notes. */
const NOTES_BYTES = 16_384
const SUPERSEDED = '[Summarized anew by a later compaction]'

/** What a summary carries besides its text. */
export type SummaryParts = {
  /** What a provider replays in its own form. */
  payload: boolean
  /** The part of the history that was drawn as pictures. */
  archive: boolean
}

/**
 * The summary of a compaction. `retained` is the first entry that the model gets after it, where that matters: a summary
 * in Anthropic's form is dated before it, for a later date would void the signatures of all that follows.
 */
export function compactionSummary(
  record: JsonObject,
  retained: JsonObject | undefined,
  { payload, archive }: SummaryParts,
): ContextMessage {
  const anthropic = anthropicSummaryOf(record)
  const retainedTime = anthropic === null ? null : entryTime(retained)
  const blocks = archive ? archiveBlocksOf(record) : []
  return filled({
    ...outline(record),
    summary: stringOrNull(record.summary) ?? '',
    shortSummary: stringOrNull(record.shortSummary),
    providerPayload: payload ? (remoteHistoryOf(record) ?? anthropic) : null,
    blocks: blocks.length > 0 ? blocks : null,
    timestamp: retainedTime === null ? entryTime(record) : retainedTime - 1,
  })
}

/** Stands where a compaction was whose summary a later one took in. */
export function supersededSummary(record: JsonObject): ContextMessage {
  return filled({
    ...outline(record),
    summary: SUPERSEDED,
    shortSummary: SUPERSEDED,
    timestamp: entryTime(record),
  })
}

function outline(record: JsonObject): ContextMessage {
  return {
    role: 'compactionSummary',
    tokensBefore: finiteOrNull(record.tokensBefore),
    tokensAfter: finiteOrNull(record.tokensAfter),
    method: stringOrNull(record.method),
    warning: stringOrNull(record.warning),
  }
}

/** The newest notes since the context was last cleared, as a message; null without any, or when they were emptied. */
export function notesMessage(path: readonly JsonObject[]): ContextMessage | null {
  for (let at = path.length - 1; at >= 0; at--) {
    const record = path[at]
    if (record === undefined || record.type === 'reset_boundary') return null
    const text = record.type === 'custom' && record.customType === NOTES_TYPE ? notesText(record.data) : null
    if (text === '') return null
    if (text !== null)
      return filled({
        role: 'custom',
        customType: NOTES_TYPE,
        content: text,
        display: false,
        timestamp: entryTime(record),
      })
  }
  return null
}

/** The text of notes of the one form that is known; of any other, null: it hides no older notes. */
function notesText(data: unknown): string | null {
  if (!isJsonObject(data) || data.version !== 1 || typeof data.text !== 'string') return null
  return Object.keys(data).length === 2 && utf8Length(data.text) <= NOTES_BYTES ? data.text : null
}
