/** Entries beside the conversation: commands the user ran, files, messages of extensions, unknown types. */
import type { NoteRow, ShownText } from '@shared/ipc/models/transcript-models'
import { limits } from '@shared/limits'
import { messageOf } from '@shared/session/entry'
import { finiteOrNull, type JsonObject, objectsOf, stringOrNull } from '@shared/session/json'
import { contentText } from '@shared/session/prompt'
import { listText } from '@shared/session/text'
import { textAt } from './entry-text'
import { shownImages } from './shown-image'
import { shownText } from './shown-text'
import type { RowContext } from './transcript-rows'

type Note = { what: NoteRow['what']; title: string; part: string }

export function noteRow({ base, record, images }: RowContext): NoteRow {
  const { what, title, part } = describe(record)
  return {
    ...base,
    kind: 'note',
    what,
    title: listText(title, limits.lineChars),
    body: bodyOf(record, part),
    exitCode: finiteOrNull(messageOf(record).exitCode),
    images: shownImages(record, base.ordinal, images),
  }
}

function bodyOf(record: JsonObject, part: string): ShownText | null {
  const text = textAt(record, part)
  return text === null || text === '' ? null : shownText(text, part)
}

function describe(record: JsonObject): Note {
  if (record.type === 'custom_message') {
    return { what: 'custom', title: stringOrNull(record.customType) ?? 'extension message', part: 'content' }
  }
  if (record.type !== 'message') {
    const type = stringOrNull(record.type)
    return {
      what: 'unknown',
      title: type === null ? 'Entry without a type' : `Unknown entry type ${type}`,
      part: 'record',
    }
  }
  return describeMessage(messageOf(record))
}

function describeMessage(message: JsonObject): Note {
  const role = stringOrNull(message.role)
  switch (role) {
    case 'developer':
      return { what: 'developer', title: contentText(message.content), part: 'content' }
    case 'bashExecution':
      return { what: 'bash', title: stringOrNull(message.command) ?? '', part: 'output' }
    case 'pythonExecution':
      return { what: 'python', title: stringOrNull(message.code) ?? '', part: 'output' }
    case 'fileMention':
      return { what: 'files', title: filesTitle(message), part: 'files' }
    case 'custom':
    case 'hookMessage':
      return {
        what: 'custom',
        title: stringOrNull(message.customType) ?? 'extension message',
        part: 'content',
      }
    default:
      return {
        what: 'unknown',
        title: role === null ? 'Message without a role' : `Message of unknown role ${role}`.trim(),
        part: 'record',
      }
  }
}

function filesTitle(message: JsonObject): string {
  const paths = objectsOf(message.files).map(file => stringOrNull(file.path) ?? 'unnamed')
  return paths.length === 1 ? (paths[0] ?? '') : `${paths.length} files: ${paths.join(', ')}`
}
