/**
 * The engine's operations on many files (many-file-operations.ts), by the means of the library: operation journal,
 * recovery, recent changes, trash. Which root a file belongs to is told by where it lies (session-home.ts).
 */
import path from 'node:path'
import type { StayingSession } from '@shared/ipc/models/change-models'
import { type ErrorCode, err, ok, type Result } from '@shared/ipc/result'
import { type Environment, silentWork, type WorkContext } from '../engine/environment'
import type { AgentLayout } from '../engine/layout/agent-directories'
import { isPathInside } from '../engine/layout/path-inside'
import type {
  DroppedSession,
  DropRequest,
  ForkedSession,
  ForkRequest,
  ManyFileOperations,
  MovedSession,
  MoveRequest,
  SessionInQuestion,
} from '../engine/session/many-file-operations'
import { attemptAsync } from '../engine/storage/errors'
import type { ChangeContext } from './changes/change-handlers'
import type { ChangeTarget } from './changes/change-target'
import { ownWrites } from './changes/own-writes'
import { type ForkRoots, forkSession } from './fork/fork-apply'
import { planSessionMove } from './move/plan-session-move'
import { applyReroot } from './reroot/apply'
import { sessionTarget } from './reroot/session-targets'
import type { LibraryRoot } from './roots'
import { rootAround } from './session-home'
import { applyDelete } from './trash/delete-apply'
import { planDelete } from './trash/delete-plan'

/** `only` is `--agent-dir`: the root that everything belongs to, but what is named as another. */
export function sessionOperations(context: ChangeContext, only: string | null = null): ManyFileOperations {
  const { env } = context
  return {
    fork: (request, work = silentWork) => fork(context, request, only, work),
    move: (request, work = silentWork) => move(ownWrites(context, leftBy(request)), request, only, work),
    drop: (request, work = silentWork) =>
      drop(ownWrites(context, leftBy(request)), request, rootAround(env, request.journal, only), work),
  }
}

function leftBy({ asLeft }: SessionInQuestion) {
  return asLeft === undefined ? [] : [asLeft]
}

/** The root of a place that was asked for: the sessions root around it, else `only`, else this user's own. */
function rootOfPlace(env: Environment, place: string, only: string | null): LibraryRoot {
  const around = rootAround(env, place, null)
  return only === null || isPathInside(around.layout.sessionsDir, place)
    ? around
    : rootAround(env, place, only)
}

async function fork(
  context: ChangeContext,
  request: ForkRequest,
  only: string | null,
  work: WorkContext,
): Promise<Result<ForkedSession>> {
  const roots = forkRoots(context.env, request, only)
  const forked = await forkSession(context, request, roots, work)
  return forked.ok ? ok({ ...forked.value, layout: roots.target }) : forked
}

/** The roots that a fork is made from and comes to. */
export function forkRoots(env: Environment, request: ForkRequest, only: string | null): ForkRoots {
  const source = rootAround(env, request.source, only).layout
  const target = rootOfPlace(env, path.join(request.directory, 'any.jsonl'), only)
  return { source, target: target.layout, readOnly: target.readOnly }
}

async function move(
  context: ChangeContext,
  request: MoveRequest,
  only: string | null,
  work: WorkContext,
): Promise<Result<MovedSession>> {
  const { env } = context
  const root = rootAround(env, request.journal, only)
  const session = sessionTarget(env, root, request.journal)
  const there = placeOf(request)
  const to = there === null ? root : rootOfPlace(env, there, only)
  const layout = withSessions(to.layout, request)
  const plan = await planSessionMove(
    context,
    {
      session,
      from: root.layout,
      to: layout,
      readOnly: to.readOnly,
      newCwd: request.newCwd,
      directory: request.directory ?? null,
    },
    work,
  )
  if (!plan.ok) return plan
  const done = await applyReroot(context, plan.value, { includeMaybe: request.includeMaybe === true }, work)
  if (!done.ok) return done
  const { changeId, staying, notes } = done.value
  const file = plan.value.moves[0]?.move.to
  if (changeId !== null && file !== undefined) return ok({ file, layout, notes, changeId })
  return stayed(request.journal, staying, work)
}

/** A path in the place that was asked for, by which its root is told; null for the session's own. */
function placeOf({ directory, sessionsDir }: MoveRequest): string | null {
  if (directory !== undefined) return path.join(directory, 'any.jsonl')
  return sessionsDir === undefined ? null : path.join(sessionsDir, 'any', 'any.jsonl')
}

/** A sessions root that was named is the one that is meant, also where it is spelled through a link. */
function withSessions(layout: AgentLayout, { directory, sessionsDir }: MoveRequest): AgentLayout {
  return directory !== undefined || sessionsDir === undefined ? layout : { ...layout, sessionsDir }
}

async function drop(
  context: ChangeContext,
  request: DropRequest,
  root: LibraryRoot,
  work: WorkContext,
): Promise<Result<DroppedSession>> {
  const target: ChangeTarget = sessionTarget(context.env, root, request.journal)
  const plan = await planDelete(context, [target], {}, work)
  if (!plan.ok) return plan
  const done = await applyDelete(context, plan.value, { includeMaybe: request.includeMaybe === true }, work)
  if (!done.ok) return done
  const { report, items } = done.value
  const [item] = items
  if (report.changeId === null || item === undefined) return stayed(request.journal, report.staying, work)
  const { id, sessionsDir, location } = item
  return ok({ notes: report.notes, trashItem: { id, sessionsDir, location }, changeId: report.changeId })
}

/** Why a session stayed, as an error; `cancelled` when that is why. */
async function stayed(
  journal: string,
  staying: readonly StayingSession[],
  work: WorkContext,
): Promise<Result<never>> {
  const going = await attemptAsync('go on', journal, () => work.breathe())
  if (!going.ok) return going
  const [reason] = staying
  if (reason === undefined) return err('internal', `Nothing tells why ${journal} was not changed.`, journal)
  return err(codeOf(reason.reason), reason.text, journal)
}

function codeOf(reason: StayingSession['reason']): ErrorCode {
  switch (reason) {
    case 'in-use':
    case 'changed-on-disk':
    case 'damaged':
    case 'unsupported-version':
    case 'permission':
      return reason
    case 'clash':
      return 'conflict'
    case 'read-only':
      return 'permission'
    case 'missing':
      return 'not-found'
    case 'failed':
      return 'io'
    default:
      return reason satisfies never
  }
}
