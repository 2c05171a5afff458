/**
 * What of an entry is searched: its texts, each with its address (`part`, as in reading/entry-text.ts), whose it is, and which
 * searches look at it. Pictures and other data in base64 are no text: they are never among it. Pure.
 */
import type { SearchRole } from '@shared/ipc/models/search-models'
import { messageOf } from '@shared/session/entry'
import { isJsonObject, type JsonObject, stringOrNull } from '@shared/session/json'
import { textAt } from '../reading/entry-text'

/** `talk`: what was said, always searched; the others when they are asked for. */
export type TextKind = 'talk' | 'thinking' | 'all'

export type EntryText = { part: string; role: SearchRole; kind: TextKind; text: string }

/** The texts of an entry, in the order in which they are read. */
export function entryTexts(record: JsonObject): EntryText[] {
  const texts: EntryText[] = []
  const add = (part: string, role: SearchRole, kind: TextKind) => {
    const text = textAt(record, part)
    if (text !== null && text.trim() !== '') texts.push({ part, role, kind, text: withoutData(text) })
  }
  switch (record.type) {
    case 'message':
      addMessage(messageOf(record), add)
      break
    case 'compaction':
    case 'branch_summary':
      add('summary', 'summary', 'talk')
      break
    case 'label':
      add('label', 'label', 'talk')
      break
    case 'title_change':
      add('title', 'title', 'talk')
      break
    case 'session_init':
      add('task', 'other', 'talk')
      break
    case 'custom_message':
      add('content', 'other', 'all')
      break
  }
  return texts
}

type Add = (part: string, role: SearchRole, kind: TextKind) => void

function addMessage(message: JsonObject, add: Add): void {
  switch (message.role) {
    case 'user':
      add('injected', 'other', 'all')
      add('prompt', 'user', 'talk')
      return
    case 'assistant':
      addAnswer(message.content, add)
      return
    case 'toolResult':
      add('output', 'tool', 'all')
      add('diff', 'tool', 'all')
      return
    case 'bashExecution':
    case 'pythonExecution':
      add('code', 'user', 'talk')
      add('output', 'tool', 'all')
      return
    case 'fileMention':
      add('files', 'tool', 'all')
      return
    default:
      add('content', 'other', 'all')
  }
}

function addAnswer(content: unknown, add: Add): void {
  if (typeof content === 'string') add('content', 'agent', 'talk')
  const blocks: unknown[] = Array.isArray(content) ? content : []
  for (const [at, block] of blocks.entries()) {
    if (!isJsonObject(block)) continue
    if (block.type === 'text' && stringOrNull(block.text) !== null) add(`content.${at}`, 'agent', 'talk')
    else if (block.type === 'thinking' && stringOrNull(block.thinking) !== null)
      add(`content.${at}`, 'thinking', 'thinking')
    else if (block.type === 'toolCall') add(`args.${at}`, 'tool', 'all')
  }
}

/** Base64 of a data URL, and runs that nobody writes by hand. */
const DATA = /(;base64,)([A-Za-z0-9+/=_-]+)|[A-Za-z0-9+/]{400,}={0,2}/g

/** Blanks in the place of what is data: all else keeps its place. */
export function withoutData(text: string): string {
  if (text.length < 400 && !text.includes(';base64,')) return text
  return text.replace(DATA, (run: string, start: string | undefined) =>
    start === undefined ? ' '.repeat(run.length) : start + ' '.repeat(run.length - start.length),
  )
}
