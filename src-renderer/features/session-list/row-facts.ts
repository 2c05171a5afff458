/** What a session's row says, as words. Pure. */
import type { SessionRow } from '@shared/ipc/models/library-models'
import { liveStatus } from '@shared/session/live-status'
import { countOf, formatBytes, formatCount, formatExact } from '../../ui/format'
import type { MarkedStatus } from '../../ui/status-mark'

/** The mark of a row: a file that is only a stub is marked damaged, whoever has it. */
export function rowStatus(row: SessionRow): MarkedStatus {
  return row.problem === null ? liveStatus(row.status, row.use) : 'damaged'
}

/** How many messages, as shown, on hover and as read aloud; a session may be shown before it was counted. */
export function messagesFact({ messages }: SessionRow): { shown: string; title: string; word: string } {
  if (messages === null)
    return { shown: '…', title: 'Messages are not counted yet', word: 'messages not counted yet' }
  return {
    shown: formatCount(messages),
    title: countOf(messages, 'message'),
    word: messages === 1 ? 'message' : 'messages',
  }
}

/** What a row tells only where there is some: what is not counted yet is left out as well. */
export function countsOf(row: SessionRow) {
  return {
    branches: row.branches ?? 0,
    artifacts: row.artifacts ?? 0,
    subagents: row.subagents ?? 0,
    damagedLines: row.damagedLines ?? 0,
  }
}

/** What the size stands for. */
export function sizeTitle({ bytes, artifacts }: SessionRow): string {
  return artifacts === null
    ? `${formatBytes(bytes)}, artifacts not counted yet`
    : `${formatBytes(bytes)} with artifacts`
}

/** The sign of a session that was made from another, and what it says on hover; null for all others. */
export function originMark(row: SessionRow): { word: string; title: string } | null {
  if (row.origin === null) return null
  const { kind, title } = row.origin
  switch (kind) {
    case 'fork':
      return { word: 'fork', title: `Forked from ${title ?? 'another session'}` }
    case 'branched':
      return { word: 'branched', title: `Branched from ${title ?? 'another session'}` }
    case 'child':
      return { word: 'child', title: `Begun from ${title ?? 'another session'}` }
    case 'unknown':
      return { word: 'fork', title: 'Made from a session that is not in the library' }
    default:
      return kind satisfies never
  }
}

/** Tooltip of the relative time: the exact one, or what the file says in its place. */
export function exactTime(row: SessionRow): string {
  if (row.lastActivityRaw === null) return formatExact(row.lastActivity)
  return `${formatExact(row.lastActivity)}; the file says "${row.lastActivityRaw}"`
}

/** What keeps a file from being read, in the little room of a row: the path comes first in the sentence, and is left out. */
export function shortProblem(problem: string): string {
  const why = /^Cannot read .*: ([^:]+)$/s.exec(problem)?.[1]
  return why === undefined ? problem : `Cannot be read: ${why}`
}
