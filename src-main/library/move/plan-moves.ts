/** Planning to move several sessions at once, as the window asks for it: one plan, one change. Looks only. */
import { err, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../../engine/environment'
import { attemptAsync, EngineError } from '../../engine/storage/errors'
import type { ChangeContext } from '../changes/change-handlers'
import type { ChangeTarget } from '../changes/change-target'
import { staying } from '../changes/staying'
import { countText } from '../changes/words'
import { isFullPath, isSameFolder } from '../projects/folder-paths'
import { type RerootPlanData, targetFolder } from '../reroot/plan'
import { fromOf } from '../reroot/subject'
import type { LibraryRoot } from '../roots'
import {
  destinationOf,
  emptyPlan,
  orThrow,
  type PlacedMove,
  planPlaced,
  type SessionMove,
} from './plan-session-move'

/** Where sessions go. Null keeps what each of them has. */
export type MoveWish = { folder: string | null; root: LibraryRoot | null }

/**
 * Plans to move `sessions`, which lie in `roots`. What keeps a session is in the plan's `staying`; sessions that are where they
 * are to be are told in a note. An error means that none of them can be moved there.
 */
export function planMoves(
  context: ChangeContext,
  sessions: readonly ChangeTarget[],
  wish: MoveWish,
  roots: readonly LibraryRoot[],
  work: WorkContext,
): Promise<Result<RerootPlanData>> {
  return attemptAsync('plan the move', undefined, async () => {
    const { env } = context
    orThrow(possible(env, sessions, wish))
    const stays: RerootPlanData['staying'] = []
    const placed: PlacedMove[] = []
    let there = 0
    for (const session of sessions) {
      await work.breathe()
      const move = moveOf(session, wish, roots)
      const destination = move.ok ? destinationOf(env, move.value) : move
      if (!destination.ok) stays.push(staying(session, 'failed', destination.error.message))
      else if (destination.value.isThere) there++
      else if (move.ok) placed.push({ move: move.value, destination: destination.value })
    }
    if (there === sessions.length)
      throw new EngineError(
        'invalid-argument',
        `${there === 1 ? 'This session is' : 'These sessions are'} there already.`,
      )
    const chosen = placed.map(({ move }) => move)
    const from = fromOf(
      { kind: 'sessions', journals: [] },
      chosen.map(({ session }) => session),
    )
    const plan = emptyPlan(env, chosen, { from, to: placeOf(placed, wish) })
    plan.asked += stays.length
    plan.staying.push(...stays)
    if (there > 0)
      plan.notes.push(`${countText(there, 'session')} ${there === 1 ? 'is' : 'are'} there already.`)
    await planPlaced(context, plan, placed, work)
    return plan
  })
}

/** Whether sessions can be moved there at all. The folder must be there, unless a session names it already. */
function possible(
  env: Environment,
  sessions: readonly ChangeTarget[],
  { folder, root }: MoveWish,
): Result<unknown> {
  if (folder === null && root === null)
    return err('invalid-argument', 'Say to which folder or to which agent directory the sessions are to go.')
  if (root?.readOnly === true) {
    const { agentDir } = root.layout
    return err('permission', `${agentDir} is a root that Grove only reads.`, agentDir)
  }
  if (folder === null) return { ok: true, value: null }
  const isNamed = sessions.some(({ cwd }) => cwd !== null && isFullPath(folder) && isSameFolder(cwd, folder))
  return isNamed ? { ok: true, value: null } : targetFolder(env, folder)
}

function moveOf(
  session: ChangeTarget,
  { folder, root }: MoveWish,
  roots: readonly LibraryRoot[],
): Result<SessionMove> {
  const { journal, sessionsDir } = session
  const from = roots.find(({ layout }) => layout.sessionsDir === sessionsDir)
  if (from === undefined) return err('not-found', `${journal} lies in no root that Grove reads (any more).`)
  const newCwd = folder ?? session.cwd
  if (newCwd === null)
    return err('invalid-argument', `${journal} names no folder; choose the one that it belongs to.`)
  const to = root ?? from
  return {
    ok: true,
    value: { session, from: from.layout, to: to.layout, readOnly: to.readOnly, newCwd, directory: null },
  }
}

/** The one folder that all of them name afterwards, else the root that they come to. */
function placeOf(placed: readonly PlacedMove[], { folder, root }: MoveWish): string {
  const [first, ...others] = placed.map(({ destination }) => destination.newCwd)
  if (first !== undefined && others.every(newCwd => isSameFolder(newCwd, first))) return first
  return root?.layout.sessionsDir ?? folder ?? ''
}
