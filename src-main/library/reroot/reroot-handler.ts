/** What recovery and undo know of re-roots. */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { silentWork } from '../../engine/environment'
import { attempt, attemptAsync } from '../../engine/storage/errors'
import {
  type ChangeContext,
  type ChangeHandler,
  lockProbeOf,
  type RecoveryOutcome,
} from '../changes/change-handlers'
import type { OpenOperation } from '../changes/operation-journal'
import { countText } from '../changes/words'
import { blobNotes, carryBlobs, sweepBlobLeftovers } from '../move/carry-blobs'
import { sweepBackupLeftovers } from './backups'
import { breadcrumbsNaming, mappedCwd, moveBreadcrumbs, sweepBreadcrumbLeftovers } from './breadcrumb-moves'
import { finishRelocation, takeBackLocked } from './relocate'
import type { Relocation } from './relocation'
import { parseOperation, type RerootOperation, recordReroot } from './reroot-record'
import { needsTakingOver, publication, recoveryDirection, syncPlaces } from './settle'
import { undoReroot, whyNotUndoReroot } from './undo'

export const rerootHandler: ChangeHandler = {
  kind: 're-root',
  recover: recoverReroot,
  whyNotUndo: (record, context) => whyNotUndoReroot(context, record),
  undo: (record, context, work, includeMaybe) => undoReroot(context, record, work, includeMaybe),
}

/**
 * Settles each session of an interrupted re-root from what the disk shows: finished where the new place is whole, else
 * put back. An error leaves the journal for the next time; what is settled by then is found settled.
 */
async function recoverReroot(
  operation: OpenOperation,
  context: ChangeContext,
): Promise<Result<RecoveryOutcome>> {
  const plan = parseOperation(operation.plan)
  if (plan === null) return err('damaged', `${operation.path} holds no re-root that can be read.`)
  const inUse = await attemptAsync('look who uses the sessions', undefined, () =>
    context.deps.inUse(silentWork),
  )
  if (!inUse.ok) return inUse
  const moved: Relocation[] = []
  const notes: string[] = []
  for (const move of plan.moves) {
    const settled = await attemptAsync('settle', move.from, () => settleOne(context, move, inUse.value))
    if (!settled.ok) return settled
    if (!settled.value.ok) return settled.value
    notes.push(...settled.value.value.notes)
    if (settled.value.value.moved) moved.push(move)
  }
  const synced = attempt('sync', undefined, () => syncPlaces(context.env, plan.moves))
  if (!synced.ok) return synced
  const done: RerootOperation = { ...plan, moves: moved }
  sweepBreadcrumbLeftovers(context.env, plan.breadcrumbDirs)
  for (const move of plan.moves) {
    sweepBackupLeftovers(context.env, move)
    if (move.blobs !== null) sweepBlobLeftovers(context.env, move.blobs.to)
  }
  done.breadcrumbs.push(...leadBreadcrumbs(context, done, notes))
  // Where the move emptied it; one that holds anything stays by itself.
  for (const { from, to } of moved)
    if (path.dirname(from) !== path.dirname(to))
      attempt('remove', from, () => context.env.fs.removeDirectory(path.dirname(from)))
  if (moved.length > 0) {
    const recorded = await recordReroot(context, operation.id, done)
    if (!recorded.ok) return recorded
  }
  const back = plan.moves.length - moved.length
  const what = plan.direction === 'undo' ? 'undo of a re-root' : 're-root'
  notes.unshift(
    `An interrupted ${what} was settled: ${countText(moved.length, 'session')} moved, ${back} left in place.`,
  )
  return ok({ notes })
}

type Settled = { moved: boolean; notes: string[] }

async function settleOne(
  context: ChangeContext,
  move: Relocation,
  inUse: Awaited<ReturnType<ChangeContext['deps']['inUse']>>,
): Promise<Result<Settled>> {
  const { env, deps } = context
  const published = publication(env, move) !== 'none'
  const use = published ? inUse.check(move.to, null) : undefined
  const used = use?.state === 'in-use'
  // Who works in the new place already has made it the right one.
  const direction = used ? 'forward' : recoveryDirection(env, move)
  if (used && needsTakingOver(env, move)) return err('in-use', use.text, move.to)
  switch (direction) {
    case 'forward': {
      const finished = await finishRelocation(env, move, lockProbeOf(deps), silentWork)
      if (!finished.ok) return finished
      if (move.blobs === null) return ok({ moved: true, notes: finished.value })
      const carried = await carryBlobs(env, move.to, move.blobs, silentWork)
      if (!carried.ok) return carried
      return ok({ moved: true, notes: [...finished.value, ...blobNotes(carried.value, move.blobs)] })
    }
    case 'back': {
      const back = await takeBackLocked(env, move, lockProbeOf(deps), published, silentWork)
      return back.ok ? ok({ moved: false, notes: [] }) : back
    }
    case 'keep':
      return ok({
        moved: false,
        notes: [`${move.from} and ${move.to} both hold the session "${move.title}"; neither was touched.`],
      })
    default:
      return direction satisfies never
  }
}

function leadBreadcrumbs({ env }: ChangeContext, done: RerootOperation, notes: string[]) {
  const found = breadcrumbsNaming(env, done.breadcrumbDirs, done.moves)
  const led = moveBreadcrumbs(env, found, (cwd, move) => mappedCwd(done.prefix, cwd, move), [])
  notes.push(...led.notes)
  return led.changes
}
