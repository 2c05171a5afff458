/** Sentences about changes: what was done, and what stayed. Pure. */
import type { ChangeReport, ChangeView } from '@shared/ipc/models/change-models'
import { countOf, formatBytes } from '../ui/format'

type ChangeKind = ChangeView['kind']

/** `Moved 2 sessions to trash, 9 files, 4.1 MB`, with what stayed and why. */
export function reportText(kind: ChangeKind | 'undo', report: ChangeReport): string {
  const sessions = countOf(report.done, 'session')
  const weight = `${countOf(report.files, 'file')}, ${formatBytes(report.bytes)}`
  const main = (() => {
    if (report.done === 0 && report.changeId === null) return 'Nothing was changed'
    switch (kind) {
      case 'delete':
        return `Moved ${sessions} to trash, ${weight}`
      case 'restore':
        return `Restored ${sessions}, ${weight}`
      case 'empty':
        return `Deleted ${sessions} for good, ${weight} freed`
      case 're-root':
        return `Re-rooted ${sessions}`
      case 'fork':
        return `Forked ${sessions}, ${weight}`
      case 'rename':
        return 'Renamed'
      case 'label':
        return 'Label set'
      case 'star':
        return `Stars of ${sessions} changed`
      case 'continue':
        return 'omp resumes this branch now'
      case 'draft':
        return 'Draft discarded'
      case 'undo':
        return `Undone, ${sessions} ${report.done === 1 ? 'is' : 'are'} back`
      default:
        return kind satisfies never
    }
  })()
  return [main, stayingText(report), ...report.notes.map(note => note.replace(/\.$/, ''))]
    .filter(part => part !== null)
    .join('. ')
    .concat('.')
    .replace(/\.\.$/, '.')
}

function stayingText(report: ChangeReport): string | null {
  const [first] = report.staying
  if (!first) return null
  const reason = first.text.replace(/\.$/, '')
  if (report.staying.length === 1) return `1 session stays: ${reason}`
  return `${countOf(report.staying.length, 'session')} stay, the first because: ${reason}`
}
