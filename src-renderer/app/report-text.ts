/** Sentences about changes: what was done, and what stayed. Pure. */
import type { ChangeReport, ChangeView } from '@shared/ipc/models/change-models'
import { listText } from '@shared/session/text'
import type { ToldChange } from '../stores/toasts-store'
import { countOf, formatBytes } from '../ui/format'

/** `Moved 2 sessions to trash, 9 files, 4.1 MB`, with what stayed and why. */
export function reportText(change: ToldChange, report: ChangeReport): string {
  const nothing = report.done === 0 && report.changeId === null
  // One session that was refused: its reason is the whole story.
  const [stays] = report.staying
  const parts =
    nothing && report.staying.length === 1 && stays !== undefined
      ? [`${notDone(change)}: ${withoutStop(stays.text)}`]
      : [nothing ? 'Nothing was changed' : doneText(change, report), stayingText(report)]
  return [...parts, ...report.notes.map(withoutStop)]
    .filter(part => part !== null)
    .join('. ')
    .concat('.')
    .replace(/\.\.$/, '.')
}

/** Characters of a text of the user's in a toast. */
const QUOTE_CHARS = 80

function quoted(text: string): string {
  return `“${listText(text, QUOTE_CHARS)}”`
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}

function doneText(change: ToldChange, report: ChangeReport): string {
  const sessions = countOf(report.done, 'session')
  const weight = `${countOf(report.files, 'file')}, ${formatBytes(report.bytes)}`
  switch (change.kind) {
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
      return `Renamed to ${quoted(change.title)}`
    case 'label':
      return change.label === null ? 'Label cleared' : `Labelled ${quoted(change.label)}`
    case 'star':
      return `${change.starred ? 'Starred' : 'Unstarred'} ${sessions}`
    case 'continue':
      return 'omp resumes this branch now'
    case 'draft':
      return 'Draft discarded'
    case 'undo':
      return undoneText(change.of, report.done)
    default:
      return change satisfies never
  }
}

/** What is as it was before, by the kind of change that was taken back. */
function undoneText(kind: ChangeView['kind'] | null, count: number): string {
  const sessions = countOf(count, 'session')
  const are = count === 1 ? 'is' : 'are'
  switch (kind) {
    case 'restore':
      return `Undone, ${sessions} ${are} in the trash again`
    case 'fork':
      return 'Undone, the fork is in the trash'
    case 'rename':
      return 'Undone, the title is as before'
    case 'label':
      return 'Undone, the label is as before'
    case 'star':
      return `Undone, the ${count === 1 ? 'star' : 'stars'} of ${sessions} ${are} as before`
    case 'continue':
      return 'Undone, omp resumes the branch that it did before'
    case 'draft':
      return 'Undone, the draft is as before'
    case 'delete':
    case 're-root':
    case 'empty':
    case null:
      return `Undone, ${sessions} ${are} back`
    default:
      return kind satisfies never
  }
}

function notDone(change: ToldChange): string {
  switch (change.kind) {
    case 'delete':
      return 'Not moved to trash'
    case 'restore':
      return 'Not restored'
    case 'empty':
      return 'Not deleted'
    case 're-root':
      return 'Not re-rooted'
    case 'fork':
      return 'Not forked'
    case 'rename':
      return 'Not renamed'
    case 'label':
      return 'The label was not changed'
    case 'star':
      return 'The star was not changed'
    case 'continue':
      return 'The branch was not continued'
    case 'draft':
      return 'The draft was not changed'
    case 'undo':
      return 'Not undone'
    default:
      return change satisfies never
  }
}

function stayingText(report: ChangeReport): string | null {
  const [first] = report.staying
  if (!first) return null
  const reason = withoutStop(first.text)
  if (report.staying.length === 1) return `1 session stays: ${reason}`
  return `${countOf(report.staying.length, 'session')} stay, the first because: ${reason}`
}
