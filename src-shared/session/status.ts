/** How a session ended, from its last message in the file. Rule: docs/format.md, Listing. */
import { type JsonObject, objectsOf, stringOrNull } from './json'

export type SessionStatus = 'complete' | 'interrupted' | 'pending' | 'error' | 'aborted' | 'unknown'

export function statusAfter(message: JsonObject): SessionStatus {
  switch (stringOrNull(message.role)) {
    case 'assistant':
      return assistantStatus(message)
    case 'toolResult':
      return 'interrupted'
    case 'user':
      return 'pending'
    default:
      return 'unknown'
  }
}

function assistantStatus(message: JsonObject): SessionStatus {
  if (message.stopReason === 'error') return 'error'
  if (message.stopReason === 'aborted') return 'aborted'
  if (message.stopReason === 'length') return 'interrupted'
  return objectsOf(message.content).some(block => block.type === 'toolCall') ? 'interrupted' : 'complete'
}
