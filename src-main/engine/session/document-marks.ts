/** What a manager asks of a document: where it ends, whether it holds anything, what its last line is. Pure. */
import { objectOf, parseObject } from '@shared/session/json'
import type { NewEntry } from '@shared/session/new-entry'
import type { SessionDocument } from './session-document'

/** What the marker of a continued branch says of itself. */
export const CONTINUE_KIND = 'continue-branch'

/** Whether `bytes` are one line: the marker of a continued branch with this id. */
export function isMarker(bytes: Uint8Array, id: string): boolean {
  const record = parseObject(Buffer.from(bytes).toString('utf8'))
  const isEmpty = record?.type === 'branch_summary' && record.id === id && record.summary === ''
  return isEmpty && objectOf(record.details).kind === CONTINUE_KIND
}

/** Id of omp's leaf, or of the nearest entry before it that has one; null without entries. */
export function lastId(document: SessionDocument): string | null {
  const { index } = document
  if (index.leaf === null) return null
  for (let ordinal = index.leaf; ordinal >= 0; ordinal--) {
    const id = index.id(ordinal)
    if (id !== null) return id
  }
  return null
}

/** Nothing but blank lines: a file that somebody made to be a session. */
export function isBlank({ index, headerRecord, hasSlot, damaged, pending }: SessionDocument): boolean {
  return index.count === 0 && headerRecord === null && !hasSlot && damaged.length === 0 && pending === null
}

/**
 * Whether an entry says something of the session or of another entry, and belongs to no place of the conversation. It hangs under
 * the last entry, so that no program's leaf goes elsewhere by it.
 */
export function namesSomething({ type }: NewEntry): boolean {
  return type === 'label' || type === 'title_change'
}
