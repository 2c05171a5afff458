/**
 * Results for calls that have none at the end of a session's active path, so that a fork of a session in the middle of a
 * turn can be gone on with. Rule: docs/format.md, Fork.
 */

import { messageOf } from '@shared/session/entry'
import { objectsOf, stringOrNull } from '@shared/session/json'
import { EngineError } from '../storage/errors'
import type { SessionDocument } from './session-document'

/** Lines to append, line feeds included; none when every call has its result. Throws what reading throws. */
export function abortedResults(
  document: SessionDocument,
  freshId: (isTaken: (id: string) => boolean) => string,
  now: number,
): string[] {
  const { index, columns } = document
  const path = index.path(index.leaf)
  const at = path.findLastIndex(ordinal => columns.kind(ordinal) === 'assistant')
  const assistant = path[at]
  if (assistant === undefined) return []
  const calls: { id: string; name: string }[] = []
  const answered = new Set<string>()
  const results = path.slice(at + 1).filter(ordinal => columns.kind(ordinal) === 'tool-result')
  const read = document.visit([assistant, ...results], (record, ordinal) => {
    const message = messageOf(record)
    if (ordinal !== assistant) answered.add(stringOrNull(message.toolCallId) ?? '')
    else
      for (const block of objectsOf(message.content)) {
        const id = block.type === 'toolCall' ? stringOrNull(block.id) : null
        if (id !== null) calls.push({ id, name: stringOrNull(block.name) ?? '' })
      }
  })
  if (!read.ok) throw new EngineError(read.error.code, read.error.message, read.error.path)
  const taken = new Set<string>()
  let parentId = index.id(path[path.length - 1] ?? -1)
  return calls
    .filter(call => !answered.has(call.id))
    .map(call => {
      const id = freshId(candidate => taken.has(candidate) || index.ordinalOf(candidate) !== undefined)
      taken.add(id)
      const line = resultLine(id, parentId, call, now)
      parentId = id
      return line
    })
}

/** As omp writes it for a turn that was stopped, text included: that is what a model is told. */
function resultLine(
  id: string,
  parentId: string | null,
  call: { id: string; name: string },
  now: number,
): string {
  const message = {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: 'Tool execution was aborted.' }],
    details: { __synthetic: true, source: 'assistant_stop_aborted', executed: false },
    isError: true,
    timestamp: now,
  }
  const timestamp = new Date(now).toISOString()
  return `${JSON.stringify({ type: 'message', id, parentId, timestamp, message })}\n`
}
