/** What Grove itself noted about trash items: the second witness for a note that leads out of its root. */

import { isJsonObject } from '@shared/session/json'
import type { ChangeContext } from '../changes/change-handlers'
import { type ChangeRecord, readChanges } from '../changes/recent-changes'
import { isPlainName, type TrashItemRef } from './trash-places'

export type RecordedItem = TrashItemRef & { journal: string }

/** The trash items that a recorded delete made. */
export function itemsOf(record: Pick<ChangeRecord, 'undo'>): RecordedItem[] {
  if (!isJsonObject(record.undo) || !Array.isArray(record.undo.items)) return []
  const items: RecordedItem[] = []
  for (const value of record.undo.items) {
    if (!isJsonObject(value)) continue
    const { id, sessionsDir, journal } = value
    if (typeof id !== 'string' || typeof sessionsDir !== 'string' || typeof journal !== 'string') continue
    if (isPlainName(id)) items.push({ id, sessionsDir, journal })
  }
  return items
}

/** Whether Grove's own records say that this item came from that place. */
export function isKnownItem({ env, data }: ChangeContext, ref: TrashItemRef, journal: string): boolean {
  const records = readChanges(env, data)
  if (!records.ok) return false
  return records.value
    .filter(record => record.kind === 'delete')
    .flatMap(itemsOf)
    .some(item => item.id === ref.id && item.sessionsDir === ref.sessionsDir && item.journal === journal)
}
