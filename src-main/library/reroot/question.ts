/** "Where is it now?": what the re-root dialog asks, with the candidates and their evidence. Looks only. */
import type { RerootQuestion } from '@shared/ipc/models/change-models'
import type { Result } from '@shared/ipc/result'
import { listBreadcrumbs } from '../../engine/breadcrumbs/breadcrumb-files'
import type { Environment, WorkContext } from '../../engine/environment'
import { attemptAsync } from '../../engine/storage/errors'
import type { ChangeTarget } from '../changes/change-target'
import { countText } from '../changes/words'
import type { GroveData } from '../grove-data'
import { type CandidateSources, findCandidates } from '../projects/candidates'
import {
  foldersAbove,
  isFullPath,
  normalFolder,
  pathsOf,
  relativeBelow,
  shortFolder,
} from '../projects/folder-paths'
import { readProjectMemory } from '../projects/project-memory'
import { type ProjectStateAnswer, projectState } from '../projects/project-state'
import type { LibraryRoot } from '../roots'
import { countFolders, fromOf, type RerootScope, sessionsOf } from './subject'

/** `sessions` are all of the library: the folders of other projects are places to look in. */
export function rerootQuestion(
  env: Environment,
  data: GroveData,
  scope: RerootScope,
  sessions: readonly ChangeTarget[],
  roots: readonly LibraryRoot[],
  work: WorkContext,
): Promise<Result<RerootQuestion>> {
  return attemptAsync('look for the folder', undefined, async () => {
    const chosen = sessionsOf(scope, sessions)
    const from = fromOf(scope, chosen)
    const state = stateOf(env, from, chosen.length)
    return {
      title: titleOf(env, scope, from, chosen.length),
      from,
      state: state.state,
      stateReason: state.reason,
      sessions: chosen.length,
      projects: countFolders(chosen),
      candidates: from === null ? [] : await suggestFolders(env, data, from, sessions, roots, work),
      prefixes: from === null ? [] : prefixesOf(env, from, state, sessions),
    }
  })
}

/** Where the folder `from` may be now. */
export function suggestFolders(
  env: Environment,
  data: GroveData,
  from: string,
  sessions: readonly { cwd: string | null }[],
  roots: readonly LibraryRoot[],
  work: WorkContext,
): Promise<RerootQuestion['candidates']> {
  const folders = sessions.flatMap(({ cwd }) => (cwd !== null && isFullPath(cwd) ? [normalFolder(cwd)] : []))
  const breadcrumbs = roots.flatMap(({ layout }) => {
    const read = listBreadcrumbs(env.fs, layout.breadcrumbsDir)
    return read.ok ? read.value.map(({ breadcrumb }) => breadcrumb) : []
  })
  const sources: CandidateSources = {
    memory: readProjectMemory(env, data),
    breadcrumbs,
    otherFolders: [...new Set(folders)].filter(folder => folder !== normalFolder(from)),
  }
  return findCandidates(env, from, sources, work)
}

function stateOf(env: Environment, from: string | null, sessions: number): ProjectStateAnswer {
  if (from !== null) return projectState(env, from)
  const reason =
    sessions > 1 ? 'These sessions name several folders, or none.' : 'This session names no folder.'
  return { state: 'unknown', reason }
}

function titleOf(env: Environment, scope: RerootScope, from: string | null, sessions: number): string {
  if (scope.kind === 'sessions') return `Re-root ${countText(sessions, 'session')}`
  if (from === null) return 'Re-root sessions without a folder'
  if (scope.kind === 'prefix') return `Re-root everything below ${shortFolder(env.home, from)}`
  return `Re-root ${pathsOf(from).basename(from) || from}`
}

/**
 * Folders at or above the one that is gone which hold several projects and may have moved as a whole: they are gone
 * too. A folder that is still there has not moved, whatever is missing below it.
 */
function prefixesOf(
  env: Environment,
  from: string,
  { state }: ProjectStateAnswer,
  sessions: readonly { cwd: string | null }[],
): RerootQuestion['prefixes'] {
  const prefixes: RerootQuestion['prefixes'] = []
  for (const prefix of [normalFolder(from), ...foldersAbove(from)]) {
    if (foldersAbove(prefix).length === 0 || relativeBelow(prefix, env.home) !== undefined) continue
    if (state === 'missing' && projectState(env, prefix).state === 'present') break
    const below = sessions.filter(({ cwd }) => cwd !== null && relativeBelow(prefix, cwd) !== undefined)
    const projects = countFolders(below)
    if (projects < 2 || projects === prefixes[prefixes.length - 1]?.projects) continue
    prefixes.push({ prefix, projects, sessions: below.length })
  }
  return prefixes
}
