/**
 * Planning to move sessions: to another folder, into another sessions root, or into a directory of one's choice. The
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
import {
  type Destination,
  type DirectoryNames,
  isSameDirectory,
  planMove,
  targetOf,
} from '../reroot/plan-move'
import { countFolders } from '../reroot/subject'
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

/** A move whose place is known. */
export type PlacedMove = { move: SessionMove; destination: Destination }

/** Plans the move; what keeps the session is in the plan's `staying`. */
export function planSessionMove(
  context: ChangeContext,
  move: SessionMove,
  work: WorkContext,
): Promise<Result<RerootPlanData>> {
  return attemptAsync('plan the move of', move.session.journal, async () => {
    const { env } = context
    const { journal, cwd } = move.session
    const destination = orThrow(destinationOf(env, move))
    const { newCwd } = destination
    if (destination.isThere)
      throw new EngineError(
        'invalid-argument',
        `${journal} lies there already, and names ${newCwd}.`,
        journal,
      )
    const plan = emptyPlan(env, [move], { from: cwd, to: newCwd })
    await planPlaced(context, plan, [{ move, destination }], work)
    return plan
  })
}

/** A plan that moves nothing yet; `moves` are all that it is asked about. */
export function emptyPlan(
  env: Environment,
  moves: readonly SessionMove[],
  { from, to }: Pick<RerootPlanData, 'from' | 'to'>,
): RerootPlanData {
  const elsewhere = moves.find(move => !isSameDirectory(env, move.from.sessionsDir, move.to.sessionsDir))
  return {
    version: 1,
    planId: env.uuid(),
    from,
    to,
    prefix: null,
    root: elsewhere?.to.sessionsDir ?? null,
    asked: moves.length,
    projects: countFolders(moves.map(({ session }) => session)),
    moves: [],
    staying: [],
    breadcrumbDirs: [...new Set(moves.flatMap(move => [move.from.breadcrumbsDir, move.to.breadcrumbsDir]))],
    breadcrumbs: 0,
    notes: [],
  }
}

/** Adds to `plan` what becomes of each session: its move, or why it stays. Throws only `cancelled`. */
export async function planPlaced(
  context: ChangeContext,
  plan: RerootPlanData,
  moves: readonly PlacedMove[],
  work: WorkContext,
): Promise<void> {
  const { env } = context
  const inUse = await context.deps.inUse(work)
  const unknown = new Set<string>()
  const names: DirectoryNames = new Map()
  // Two sessions of different folders may have one file name: the second would meet the first.
  const taken = new Set<string>()
  for (const [done, { move, destination }] of moves.entries()) {
    const { session } = move
    await work.breathe()
    work.progress(done, moves.length, session.title)
    const planned =
      refusal(move, destination) ?? (await planMove(env, plan, session, destination, names, work))
    const free = 'reason' in planned ? planned : withUse(planned, session, inUse, unknown)
    if ('reason' in free) plan.staying.push(free)
    else if (taken.has(destination.to))
      plan.staying.push(staying(session, 'clash', `Another of these sessions becomes ${destination.to}.`))
    else {
      taken.add(destination.to)
      plan.moves.push(free)
    }
  }
  const planned = plan.moves.map(({ move }) => move)
  plan.breadcrumbs = breadcrumbsNaming(env, plan.breadcrumbDirs, planned).length
  plan.notes.push(...unknown)
}

/** The value, or the error thrown, as inside of an `attempt`. */
export function orThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value
  const { code, message, path: file } = result.error
  throw new EngineError(code, message, file)
}

/** Where the session would go, and whether it is there already. */
export function destinationOf(
  env: Environment,
  move: SessionMove,
): Result<Destination & { isThere: boolean }> {
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
  const isThere = to === journal && session.cwd !== null && isSameFolder(session.cwd, cwd.value)
  const blobs = differentStores(env, move.from.blobsDir, move.to.blobsDir)
  return ok({ newCwd: cwd.value, to, blobs, isThere })
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
