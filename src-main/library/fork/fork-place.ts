/** Where a fork that stays in its project comes to. Looks only. */
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../../engine/environment'
import type { AgentLayout } from '../../engine/layout/agent-directories'
import { sessionDirectoryFor } from '../../engine/layout/session-directory'
import { isArchive, parentJournalOf } from '../../engine/layout/session-paths'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import { projectState } from '../projects/project-state'

/**
 * The directory beside the source; the one of `cwd` in the sessions root for a subagent's session, beside which the fork would be a
 * subagent too, and for an archived one, beside which omp would not find it.
 */
export function forkDirectory(
  env: Environment,
  source: string,
  layout: AgentLayout,
  cwd: string,
): Result<string> {
  if (isArchive(source)) return ok(sessionDirectoryFor(env, layout, cwd))
  const parent = parentJournalOf(source)
  const owned = attempt('look at', parent, () => lstatOrUndefined(env.fs, parent) !== undefined)
  if (!owned.ok) return owned
  return ok(owned.value ? sessionDirectoryFor(env, layout, cwd) : path.dirname(source))
}

/** A session may name a folder that is not there; whoever forks it should know. */
export function folderNotes(env: Environment, cwd: string): string[] {
  const { state, reason } = projectState(env, cwd)
  return state === 'present' ? [] : [`${reason ?? `${cwd} is not there.`} The fork names it all the same.`]
}
