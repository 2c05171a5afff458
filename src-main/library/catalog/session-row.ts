/** A session summary as the row that a list shows. Pure. */
import type { SessionRow } from '@shared/ipc/models/library-models'
import { limits } from '@shared/limits'
import { listText } from '@shared/session/text'
import { isArchive } from '../../engine/layout/session-paths'
import { shortFolder } from '../projects/folder-paths'
import type { SessionSummary } from './session-summary'

export type RowNames = {
  ref: string
  project: string
  folder: FolderNames
  starred: boolean
  readOnly: boolean
  /** Who else has it; null: nobody that is known of. */
  use: { state: 'in-use' | 'maybe'; text: string } | null
}

/** How the folder of a session is called in lists. */
export type FolderNames = { projectName: string; shortCwd: string }

export function folderNames(cwd: string | null, home: string): FolderNames {
  const short = cwd === null ? '' : listText(shortFolder(home, cwd), limits.firstPromptChars)
  return { projectName: projectName(cwd), shortCwd: short }
}

export function sessionRowOf(summary: SessionSummary, names: RowNames): SessionRow {
  const { title, titleFrom } = displayTitle(summary)
  const archived = isArchive(summary.file)
  const counted = (count: number) => (summary.counted ? count : null)
  return {
    ref: names.ref,
    id: summary.id,
    title,
    titleFrom,
    firstPrompt: summary.firstPrompt,
    project: names.project,
    projectName: names.folder.projectName,
    shortCwd: names.folder.shortCwd,
    created: summary.created,
    lastActivity: summary.lastActivity,
    lastActivityRaw: summary.lastActivityRaw,
    status: summary.status,
    messages: counted(summary.messageCount),
    bytes: summary.bytes + summary.artifactBytes,
    model: summary.model === null ? null : listText(summary.model, limits.lineChars),
    cost: summary.cost,
    branches: counted(summary.tips),
    artifacts: counted(summary.artifactCount),
    subagents: counted(summary.subagentCount),
    hasDraft: summary.hasDraft,
    origin: summary.parentSession === null ? null : { kind: 'unknown', title: null },
    starred: names.starred,
    use: names.use?.state ?? null,
    useText: names.use?.text ?? null,
    damagedLines: counted(summary.damagedLines),
    problem: summary.stub,
    archived,
    readOnly: names.readOnly || archived || (summary.version ?? 0) > limits.sessionVersion,
  }
}

/** User title, else generated, else the first real prompt, else "Untitled, date"; never a raw id. */
export function displayTitle(summary: SessionSummary): Pick<SessionRow, 'title' | 'titleFrom'> {
  const own = summary.title === null ? '' : listText(summary.title, limits.firstPromptChars)
  if (own !== '') return { title: own, titleFrom: summary.titleSource ?? 'unmarked' }
  if (summary.firstPrompt !== '') return { title: summary.firstPrompt, titleFrom: 'prompt' }
  const time = summary.created ?? summary.lastActivity
  if (time === null) return { title: 'Untitled', titleFrom: 'none' }
  return { title: `Untitled, ${dateText(time)}`, titleFrom: 'none' }
}

/** `12 Jan 2026`, as titles name a day. */
export function dateText(time: number): string {
  const date = new Date(time)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The last part of a folder's path; the path itself for a root folder. */
export function projectName(cwd: string | null): string {
  if (cwd === null) return 'unknown'
  const parts = cwd.split(/[/\\]/).filter(part => part !== '')
  return listText(parts[parts.length - 1] ?? cwd, limits.lineChars)
}
