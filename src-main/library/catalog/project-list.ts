/** The projects of a library, from its rows. Pure. */
import type { Settings } from '@shared/ipc/models/app-models'
import type { ProjectView, SessionRow } from '@shared/ipc/models/library-models'
import { limits } from '@shared/limits'
import { listText } from '@shared/session/text'
import { shortFolder } from '../projects/folder-paths'
import type { ProjectStateAnswer } from '../projects/project-state'
import { projectName } from './session-row'

export type ProjectOrder = Pick<Settings, 'pinnedProjects' | 'projectOrder'>

/** What a list of projects asks of the library. */
export type AroundProjects = {
  home: string
  /** The folder that a project stands for. */
  cwdOf(ref: string): string | null
  stateOf(cwd: string | null): ProjectStateAnswer
}

const collator = new Intl.Collator()

/** Grouped by the folder of the header, pinned ones first. */
export function projectList(
  rows: Iterable<SessionRow>,
  order: ProjectOrder,
  around: AroundProjects,
): ProjectView[] {
  const pinned = new Set(order.pinnedProjects)
  const byRef = new Map<string, ProjectView>()
  for (const row of rows) {
    const known = byRef.get(row.project)
    const project = known ?? emptyProject(row.project, pinned, around)
    if (known === undefined) byRef.set(row.project, project)
    project.sessions++
    project.bytes += row.bytes
    project.lastActivity = Math.max(project.lastActivity ?? 0, row.lastActivity ?? 0) || null
  }
  const byName = (a: ProjectView, b: ProjectView) =>
    collator.compare(a.name, b.name) || collator.compare(a.shortCwd, b.shortCwd)
  const compare =
    order.projectOrder === 'name'
      ? byName
      : (a: ProjectView, b: ProjectView) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0) || byName(a, b)
  return [...byRef.values()].sort((a, b) => Number(b.pinned) - Number(a.pinned) || compare(a, b))
}

function emptyProject(ref: string, pinned: ReadonlySet<string>, around: AroundProjects): ProjectView {
  const cwd = around.cwdOf(ref)
  const { state, reason } = around.stateOf(cwd)
  return {
    ref,
    name: projectName(cwd),
    cwd,
    shortCwd: cwd === null ? '' : listText(shortFolder(around.home, cwd), limits.firstPromptChars),
    state,
    stateReason: reason === null ? null : listText(reason, limits.firstPromptChars),
    sessions: 0,
    bytes: 0,
    lastActivity: null,
    pinned: cwd !== null && pinned.has(cwd),
  }
}
