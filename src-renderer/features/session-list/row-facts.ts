/** What a session's row says, as words. Pure. */
import type { SessionRow } from '@shared/ipc/models/library-models'
import { countOf, formatAge, formatBytes, formatCost, formatExact } from '../../ui/format'
import { type MarkedStatus, statusWord } from '../../ui/status-mark'

/** The mark of a row: a file that is only a stub is marked damaged. */
export function rowStatus(row: SessionRow): MarkedStatus {
  return row.problem === null ? row.status : 'damaged'
}

/** Tooltip of the relative time: the exact one, or what the file says in its place. */
export function exactTime(row: SessionRow): string {
  if (row.lastActivityRaw === null) return formatExact(row.lastActivity)
  return `${formatExact(row.lastActivity)}; the file says "${row.lastActivityRaw}"`
}

/** The whole row as it is read aloud. */
export function rowName(row: SessionRow, withProject: boolean, now: number): string {
  const parts = [
    row.starred ? `${row.title}, starred` : row.title,
    withProject ? row.projectName : null,
    statusWord(rowStatus(row)),
    row.problem,
    countOf(row.messages, 'message'),
    formatBytes(row.bytes),
    row.cost === null ? null : formatCost(row.cost),
    row.branches > 1 ? countOf(row.branches, 'branch', 'branches') : null,
    row.artifacts > 0 ? countOf(row.artifacts, 'artifact') : null,
    row.subagents > 0 ? countOf(row.subagents, 'subagent') : null,
    row.hasDraft ? 'draft' : null,
    row.isFork ? 'fork' : null,
    row.damagedLines > 0 ? countOf(row.damagedLines, 'damaged line') : null,
    row.readOnly ? 'read-only' : null,
    formatAge(row.lastActivity, now),
  ]
  return parts.filter(part => part !== null).join(', ')
}
