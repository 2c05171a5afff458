/** One line for an entry: who, and the start of what. */
import { limits } from '@shared/limits'
import { messageOf } from '@shared/session/entry'
import { type JsonObject, objectsOf, stringOrNull } from '@shared/session/json'
import { contentText, splitPrompt } from '@shared/session/prompt'
import { listText } from '@shared/session/text'
import { dividerText } from './divider-row'
import { argumentsOf, firstStringOf } from './entry-text'
import { toolSummary } from './tool-facts'

export type EntryLine = { who: string; text: string }

/** Texts are fit for one line: whole characters, controls visible. */
export function entryLine(record: JsonObject): EntryLine {
  const { who, text } = describe(record)
  return { who: listText(who, limits.lineChars), text: listText(text, limits.lineChars) }
}

function describe(record: JsonObject): EntryLine {
  switch (record.type) {
    case 'message':
      return messageLine(messageOf(record))
    case 'label': {
      const label = stringOrNull(record.label)
      return { who: 'Label', text: label === null || label === '' ? 'removed' : label }
    }
    case 'custom':
      return record.customType === 'session_exit'
        ? { who: '', text: dividerText(record) }
        : { who: '', text: stringOrNull(record.customType) ?? 'custom' }
    case 'custom_message':
      return { who: stringOrNull(record.customType) ?? 'Extension', text: contentText(record.content) }
    case 'ttsr_injection':
      return { who: '', text: 'Rules injected' }
    case 'credential_pin':
      return { who: '', text: `Credential of ${stringOrNull(record.provider) ?? 'a provider'}` }
    case 'model_usage':
      return { who: '', text: `Usage: ${stringOrNull(record.purpose) ?? 'model call'}` }
    case 'compaction':
    case 'branch_summary':
    case 'reset_boundary':
    case 'model_change':
    case 'thinking_level_change':
    case 'service_tier_change':
    case 'mode_change':
    case 'title_change':
    case 'session_init':
      return { who: '', text: dividerText(record) }
    default:
      return { who: '', text: `Unknown entry ${stringOrNull(record.type) ?? 'without a type'}` }
  }
}

function messageLine(message: JsonObject): EntryLine {
  const text = contentText(message.content)
  switch (message.role) {
    case 'user':
      return { who: 'You', text: splitPrompt(text).text }
    case 'assistant':
      return { who: 'Agent', text: text === '' ? assistantWithoutText(message) : text }
    case 'toolResult':
      return { who: stringOrNull(message.toolName) ?? 'Tool', text }
    case 'bashExecution':
    case 'pythonExecution':
      return { who: 'You ran', text: firstStringOf(message, ['command', 'code']) ?? '' }
    case 'developer':
      return { who: 'Instructions', text }
    case 'fileMention':
      return {
        who: 'Files',
        text: objectsOf(message.files)
          .map(file => stringOrNull(file.path) ?? '')
          .join(', '),
      }
    default:
      return { who: stringOrNull(message.customType) ?? stringOrNull(message.role) ?? 'Message', text }
  }
}

function assistantWithoutText(message: JsonObject): string {
  const calls = objectsOf(message.content).filter(block => block.type === 'toolCall')
  if (calls.length > 0)
    return calls
      .map(call => `${stringOrNull(call.name) ?? 'tool'} ${toolSummary(argumentsOf(call))}`.trim())
      .join('; ')
  return stringOrNull(message.errorMessage) ?? (message.stopReason === 'aborted' ? 'aborted' : 'no text')
}
