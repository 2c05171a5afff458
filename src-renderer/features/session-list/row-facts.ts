/** What a session's row says, as words. Pure. */
import type { SessionRow } from '@shared/ipc/models/library-models'
import { formatExact } from '../../ui/format'
import type { MarkedStatus } from '../../ui/status-mark'

/** The mark of a row: a file that is only a stub is marked damaged. */
export function rowStatus(row: SessionRow): MarkedStatus {
  return row.problem === null ? row.status : 'damaged'
}

/** Tooltip of the relative time: the exact one, or what the file says in its place. */
export function exactTime(row: SessionRow): string {
  if (row.lastActivityRaw === null) return formatExact(row.lastActivity)
  return `${formatExact(row.lastActivity)}; the file says "${row.lastActivityRaw}"`
}
