/**
 * Planning to move one session: to another folder, into another sessions root, or into a directory of one's choice. The
 * plan is that of a re-root, and is applied, recovered and undone as one. Looks only. Rule: docs/format.md, Move.
 */
import path from 'node:path'
import type { StayingSession } from '@shared/ipc/models/change-models'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../../engine/environment'
import type { AgentLayout } from '../../engine/layout/agent-directories'
import { directoryNameOf } from '../../engine/layout/session-directory'
import { parentJournalOf } from '../../engine/layout/session-paths'
import { attempt, attemptAsync, EngineError } from '../../engine/storage/errors'
import type { ChangeContext } from '../changes/change-handlers'
import type { ChangeTarget } from '../changes/change-target'
import { staying } from '../changes/staying'
import { isFullPath, isSameFolder, normalFolder } from '../projects/folder-paths'
import { breadcrumbsNaming } from '../reroot/breadcrumb-moves'
import { type RerootPlanData, targetFolder, withUse } from '../reroot/plan'
import { type Destination, isSameDirectory, planMove, targetOf } from '../reroot/plan-move'
import { exists } from '../reroot/trees'
import { isInTrash } from '../trash/trash-places'
import { differentStores } from './carry-blobs'

export type SessionMove = {
  session: ChangeTarget
  /** The root that the session lies in, and the one it comes to. */
  from: AgentLayout
  to: AgentLayout
  /** The root that it comes to is only read. */
  readOnly: boolean
  newCwd: string
  /** Directory of the journal; null for the one that the folder has in the root. */
  directory: string | null
}

/** Plans the move; what keeps the session is in the plan's `staying`. */
export function planSessionMove(
  context: ChangeContext,
  move: SessionMove,
  work: WorkContext,
): Promise<Result<RerootPlanData>> {
  return attemptAsync('plan the move of', move.session.journal, async () => {
    const { env } = context
    const { session } = move
    const destination = destinationOf(env, move)
    if (!destination.ok) throw thrown(destination)
    const { newCwd } = destination.value
    const sameRoot = isSameDirectory(env, move.from.sessionsDir, move.to.sessionsDir)
    const plan: RerootPlanData = {
      version: 1,
      planId: env.uuid(),
      from: session.cwd,
      to: newCwd,
      prefix: null,
      root: sameRoot ? null : move.to.sessionsDir,
      asked: 1,
      projects: 1,
      moves: [],
      staying: [],
      breadcrumbDirs: [...new Set([move.from.breadcrumbsDir, move.to.breadcrumbsDir])],
      breadcrumbs: 0,
      notes: [],
    }
    const refused = refusal(move, destination.value)
    const planned = refused ?? (await planMove(env, plan, session, destination.value, new Map(), work))
    if ('reason' in planned) {
      plan.staying.push(planned)
      return plan
    }
    const unknown = new Set<string>()
    const free = withUse(planned, session, await context.deps.inUse(work), unknown)
    if ('reason' in free) plan.staying.push(free)
    else plan.moves.push(free)
    plan.breadcrumbs = breadcrumbsNaming(env, plan.breadcrumbDirs, [planned.move]).length
    plan.notes.push(...unknown)
    return plan
  })
}

function thrown({
  error,
}: {
  error: { code: EngineError['code']; message: string; path?: string | undefined }
}) {
  return new EngineError(error.code, error.message, error.path)
}

function destinationOf(env: Environment, move: SessionMove): Result<Destination> {
  const { session, directory } = move
  const { journal } = session
  const owner = parentJournalOf(journal)
  const owned = attempt('look at', owner, () => exists(env.fs, owner))
  if (!owned.ok) return owned
  if (owned.value)
    return err('invalid-argument', `${journal} is a subagent's session; it moves with ${owner}.`, journal)
  const cwd = folderOf(env, move)
  if (!cwd.ok) return cwd
  if (directory !== null && !path.isAbsolute(directory))
    return err('invalid-argument', `"${directory}" is not the full path of a directory.`, directory)
  const to = placeOf(env, move, cwd.value)
  if (to === journal && session.cwd !== null && isSameFolder(session.cwd, cwd.value))
    return err('invalid-argument', `${journal} lies there already, and names ${cwd.value}.`, journal)
  return ok({ newCwd: cwd.value, to, blobs: differentStores(env, move.from.blobsDir, move.to.blobsDir) })
}

/** A folder that the session names already need not be there; another must be. */
function folderOf(env: Environment, { session, newCwd }: SessionMove): Result<string> {
  if (session.cwd !== null && isFullPath(newCwd) && isSameFolder(session.cwd, newCwd)) return ok(session.cwd)
  return targetFolder(env, isFullPath(newCwd) ? normalFolder(newCwd) : newCwd)
}

function placeOf(env: Environment, move: SessionMove, cwd: string): string {
  const { session, from, to, directory } = move
  const name = path.basename(session.journal)
  if (directory !== null) return path.join(directory, name)
  if (isSameDirectory(env, from.sessionsDir, to.sessionsDir)) return targetOf(env, session, cwd)
  return path.join(to.sessionsDir, directoryNameOf(env, cwd), name)
}

function refusal(
  { session, to, readOnly }: SessionMove,
  destination: Destination,
): StayingSession | undefined {
  if (readOnly) return staying(session, 'read-only', `${to.sessionsDir} is a root that Grove only reads.`)
  if (isInTrash(to.sessionsDir, destination.to))
    return staying(session, 'failed', `${destination.to} would lie in the trash; delete the session instead.`)
  return undefined
}
