/**
 * DELETE: moves planned sessions to the trash, each as one unit.
 *
 * Guarantees
 *   A session is whole at its place or whole in the trash; what it was is checked right before and right after it moves,
 *   under omp's lock. A link named like a session, or an artifact directory that is a link, moves as the link.
 *   Each item can be put back with nothing but itself: its note is on the disk before anything moves into it.
 *   Sessions in use stay; sessions maybe in use go only with `includeMaybe`.
 *   No byte is removed by a delete (between file systems: only what was copied and read back).
 *
 * Order of calls
 *   look who uses what; operation journal; for each session: lock, verify, item with note, move, verify, sync,
 *   unlock; then recent changes; then the end of the operation journal.
 *
 * Failures
 *   of one session      it is rolled back to whole and reported with the reason; the others go on
 *   of the way back     the operation is abandoned to recovery, which finishes it or rolls it back
 *   of the records      the sessions are in the trash, a note says so; recovery records it later
 *   a kill              recovery: journal in the trash: finished; else: rolled back (delete-recovery.ts)
 */
import path from 'node:path'
import type { ChangeReport, StayingSession } from '@shared/ipc/models/change-models'
import { type AppError, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { WorkContext } from '../../engine/environment'
import type { InUseCheck } from '../../engine/in-use/in-use'
import { attemptAsync } from '../../engine/storage/errors'
import { withPublishLock } from '../../engine/storage/publish-lock'
import { type ChangeContext, lockProbeOf } from '../changes/change-handlers'
import { beginOperation, currentOwner, type OperationJournal } from '../changes/operation-journal'
import { type ChangeRecord, recordChange } from '../changes/recent-changes'
import { staying, stayingBecause } from '../changes/staying'
import { amountOf, amountText, sessionsText } from '../changes/words'
import type { DeletePlanData, PlannedUnit } from './delete-plan'
import { containerOf, type Manifest, originOf } from './manifest'
import { verifyUnit } from './session-unit'
import { createItem, discardEmptyItem } from './trash-item'
import { itemDirectoryOf, type TrashItemRef } from './trash-places'
import { moveUnit } from './unit-move'

export type DeleteOptions = {
  /** The user was told of sessions that may be in use and wants them moved too. */
  includeMaybe: boolean
  /** False when the delete undoes another change, which is recorded already. Default true. */
  record?: boolean
}

export type DeletedSession = TrashItemRef & {
  journal: string
  location: string
  files: number
  bytes: number
}

export type DeleteOutcome = { report: ChangeReport; items: DeletedSession[] }

export async function applyDelete(
  context: ChangeContext,
  plan: DeletePlanData,
  options: DeleteOptions,
  work: WorkContext,
): Promise<Result<DeleteOutcome>> {
  const run: Run = {
    context,
    changeId: context.env.uuid(),
    stuck: false,
    staying: [...plan.staying],
    notes: [],
  }
  const units = plan.units.filter(unit => {
    if (unit.maybe === null || options.includeMaybe) return true
    run.staying.push(staying(unit.target, 'in-use', unit.maybe))
    return false
  })
  if (units.length === 0) return ok({ report: reportOf(run, plan, []), items: [] })
  const { env, data, deps } = context
  const looked = await attemptAsync('look who uses the sessions', undefined, () => deps.inUse(work))
  if (!looked.ok) return looked
  const journal = beginOperation(env, data, {
    id: run.changeId,
    kind: 'delete',
    plan: { units, record: options.record ?? true },
    owner: currentOwner(env, deps.processes, deps.instance),
  })
  if (!journal.ok) return journal
  const moved = await moveUnits(run, units, looked.value, journal.value, options, work)
  if (moved.length > 0 && options.record !== false) {
    const recorded = await recordChange(env, data, deleteRecord(run.changeId, env.now(), moved))
    if (!recorded.ok) {
      run.stuck = true
      run.notes.push(`The change could not be noted among the recent changes: ${recorded.error.message}`)
    }
  }
  close(run, journal.value)
  return ok({ report: reportOf(run, plan, moved), items: moved.map(unit => itemOf(unit)) })
}

type Run = {
  context: ChangeContext
  changeId: string
  /** Something is left to recovery. */
  stuck: boolean
  staying: StayingSession[]
  notes: string[]
}

async function moveUnits(
  run: Run,
  units: readonly PlannedUnit[],
  firstLook: InUseCheck,
  journal: OperationJournal,
  options: DeleteOptions,
  work: WorkContext,
): Promise<PlannedUnit[]> {
  const { env, deps } = run.context
  const moved: PlannedUnit[] = []
  let inUse = firstLook
  for (const [at, unit] of units.entries()) {
    const turn = await attemptAsync('go on', undefined, async () => {
      await work.breathe()
      work.progress(at, units.length, unit.target.title)
      if (env.now() - inUse.taken > limits.claimMs) inUse = await deps.inUse(work)
    })
    const outcome = turn.ok ? await deleteOne(run, unit, inUse, journal, options, work) : turn
    if (outcome.ok) moved.push(unit)
    else run.staying.push(stayingBecause(unit.target, outcome.error))
  }
  work.progress(units.length, units.length, '')
  return moved
}

async function deleteOne(
  run: Run,
  unit: PlannedUnit,
  inUse: InUseCheck,
  journal: OperationJournal,
  options: DeleteOptions,
  work: WorkContext,
): Promise<Result<void>> {
  const { target } = unit
  const use = inUse.check(target.journal, target.cwd)
  if (use.state === 'in-use' || (use.state === 'maybe' && !options.includeMaybe)) {
    return { ok: false, error: { code: 'in-use', message: use.text, path: target.journal } }
  }
  if (use.state === 'unknown' && !run.notes.includes(use.text)) run.notes.push(use.text)
  const probe = lockProbeOf(run.context.deps)
  return withPublishLock(run.context.env, target.journal, () => moveLocked(run, unit, journal, work), probe)
}

async function moveLocked(
  run: Run,
  unit: PlannedUnit,
  journal: OperationJournal,
  work: WorkContext,
): Promise<Result<void>> {
  const { env } = run.context
  const { target } = unit
  const unchanged = await verifyUnit(env, target.journal, unit.parts, work)
  if (!unchanged.ok) return unchanged
  const ref: TrashItemRef = { id: unit.itemId, sessionsDir: target.sessionsDir }
  const manifest = manifestFor(unit, run.changeId, env.now())
  const made = createItem(env, ref, manifest)
  if (!made.ok) return made
  const outcome = await moveUnit(
    env,
    {
      from: path.dirname(target.journal),
      to: containerOf(ref, manifest),
      parts: unit.parts,
      contested: false,
      noteCopied: () => journal.note({ copied: unit.itemId }),
    },
    work,
  )
  switch (outcome.state) {
    case 'moved':
      run.notes.push(...outcome.left)
      return ok(undefined)
    case 'back':
      if (!discardEmptyItem(env, ref, manifest.container)) run.stuck = true
      return failed(outcome.error)
    case 'stuck':
      run.stuck = true
      return failed(outcome.error)
    default:
      return outcome satisfies never
  }
}

function failed(error: AppError): Result<never> {
  return { ok: false, error }
}

/** The note of the item that a unit becomes. */
export function manifestFor(unit: PlannedUnit, changeId: string, now: number): Manifest {
  const { target, files, bytes, artifactFiles, subagents } = unit
  const directory = path.dirname(target.journal)
  return {
    version: 1,
    id: unit.itemId,
    changeId,
    deleted: now,
    origin: originOf(target.sessionsDir, directory),
    container: path.basename(directory) || 'session',
    parts: unit.parts.map(({ role, name, kind }) => ({ role, name, kind })),
    session: { id: target.id, title: target.title, cwd: target.cwd },
    files,
    bytes,
    artifactFiles,
    subagents,
    hasDraft: unit.hasDraft,
  }
}

function close(run: Run, journal: OperationJournal): void {
  if (run.stuck || !journal.finish().ok) journal.abandon()
}

function itemOf({ itemId, target, files, bytes }: PlannedUnit): DeletedSession {
  const ref: TrashItemRef = { id: itemId, sessionsDir: target.sessionsDir }
  return { ...ref, journal: target.journal, location: itemDirectoryOf(ref), files, bytes }
}

function reportOf(run: Run, plan: DeletePlanData, moved: readonly PlannedUnit[]): ChangeReport {
  return {
    changeId: moved.length > 0 ? run.changeId : null,
    done: moved.length,
    asked: plan.asked,
    ...amountOf(moved),
    staying: run.staying,
    notes: run.notes,
  }
}

/** What recent changes keep of a delete. */
export function deleteRecord(id: string, time: number, moved: readonly PlannedUnit[]): ChangeRecord {
  return {
    id,
    kind: 'delete',
    text: `Moved ${sessionsText(moved.map(({ target }) => target.title))} to trash`,
    detail: amountText(amountOf(moved)),
    time,
    state: 'done',
    undo: {
      items: moved.map(({ itemId, target }) => ({
        id: itemId,
        sessionsDir: target.sessionsDir,
        journal: target.journal,
      })),
    },
    whyNot: null,
  }
}
