/** What an entry is as a message of the conversation. Rule: docs/format.md, Context. */
import { messageOf } from './entry'
import { isJsonObject, type JsonObject, stringOrNull } from './json'

/**
 * A message as omp has it. Those of `message` entries are the very objects of the records: never change one.
 * Times are Unix milliseconds; what is not known is left out.
 */
export type ContextMessage = JsonObject & { role: string }

/** Put into the conversation for one request, and of no use in a later one. */
const PASSING_TYPES: ReadonlySet<unknown> = new Set(['prewalk-plan', 'vibe-mode-context'])
/** With these a user asked for something, when the user is who they are attributed to. */
const REQUEST_TYPES: ReadonlySet<unknown> = new Set(['skill-prompt', 'collab-prompt'])
const UNNAMED_TYPE = 'custom-message'

/** The message of an entry, whatever became of it; null for entries that are none. Never throws. */
export function entryMessage(record: JsonObject): ContextMessage | null {
  switch (record.type) {
    case 'message':
      return isMessage(record.message) ? record.message : null
    case 'custom_message':
      return customMessage(record)
    case 'branch_summary':
      return branchSummary(record)
    default:
      return null
  }
}

/** The message of an entry as far as a model gets it: without failures that were got over, and what has passed. */
export function modelMessage(record: JsonObject): ContextMessage | null {
  if (record.type === 'custom_message' && PASSING_TYPES.has(record.customType)) return null
  const message = entryMessage(record)
  if (message === null || message.role !== 'assistant') return message
  return message.retryRecovery || isEmptyError(message) ? null : message
}

/** Time of an entry in Unix milliseconds, or null. */
export function entryTime(record: JsonObject | undefined): number | null {
  const time = Date.parse(stringOrNull(record?.timestamp) ?? '')
  return Number.isNaN(time) ? null : time
}

/** An object without the keys that have no value. */
export function filled<T extends JsonObject>(object: T): T {
  for (const key of Object.keys(object))
    if (object[key] === undefined || object[key] === null) delete object[key]
  return object
}

/** True for what a user asked: a prompt, a skill that was called by name, a prompt of somebody who works along. */
export function isUserRequest(record: JsonObject): boolean {
  if (messageOf(record).role === 'user') return true
  const message = entryMessage(record)
  return message?.role === 'custom' && REQUEST_TYPES.has(message.customType) && message.attribution === 'user'
}

/** True for entries with which a turn of the conversation begins. */
export function beginsTurn(record: JsonObject): boolean {
  if (record.type === 'branch_summary' || record.type === 'custom_message') return true
  const { role } = messageOf(record)
  return role === 'user' || role === 'bashExecution'
}

/** A message without a role is none: nobody could say whose it is. */
function isMessage(value: unknown): value is ContextMessage {
  return isJsonObject(value) && typeof value.role === 'string'
}

function customMessage(record: JsonObject): ContextMessage | null {
  const { customType, content, display, details, attribution } = record
  if (typeof content !== 'string' && !Array.isArray(content)) return null
  return filled({
    role: 'custom',
    customType: typeof customType === 'string' && customType !== '' ? customType : UNNAMED_TYPE,
    content,
    display: display === true,
    details,
    attribution: attribution === undefined ? undefined : attribution === 'user' ? 'user' : 'agent',
    timestamp: entryTime(record),
  })
}

/** A summary without text only marks where to go on. */
function branchSummary(record: JsonObject): ContextMessage | null {
  const summary = stringOrNull(record.summary) ?? ''
  if (summary === '') return null
  const fromId = stringOrNull(record.fromId)
  return filled({ role: 'branchSummary', summary, fromId, timestamp: entryTime(record) })
}

/** A request that failed before anything came: an error, and no text, thinking or call beside it. */
function isEmptyError(message: ContextMessage): boolean {
  if (message.stopReason !== 'error') return false
  const { content } = message
  return Array.isArray(content) ? !content.some(isOutput) : isBlank(content)
}

function isOutput(block: unknown): boolean {
  if (!isJsonObject(block)) return true
  switch (block.type) {
    case 'text':
      return !isBlank(block.text)
    case 'thinking':
      return !isBlank(block.thinking) || !isBlank(block.thinkingSignature)
    case 'redactedThinking':
      return !isBlank(block.data)
    case 'fallback':
      return false
    // Calls, and kinds that are not known: no turn is dropped for what might be in it.
    default:
      return true
  }
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}
