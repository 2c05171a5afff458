/**
 * What a killed or stuck delete left, finished or rolled back: told from the files, repeatable.
 *
 *   journal not in the trash           rolled back: the item is taken away, parts in it go back
 *   journal in the trash (renamed)     finished: the other parts follow
 *   journal in the trash (a copy)      its source is gone: finished. Copies noted as complete and the source unchanged:
 *                                      finished. Else rolled back: the copies are removed, the source was never touched
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import type { Environment, WorkContext } from '../../engine/environment'
import { isTemporaryName } from '../../engine/storage/atomic-replace'
import { lstatOrUndefined, syncDirectory } from '../../engine/storage/directory-sync'
import { attempt, attemptAsync, EngineError, failure } from '../../engine/storage/errors'
import { verifyIdentity } from '../../engine/storage/file-identity'
import { isSameEntry, moveNoReplace } from '../../engine/storage/move-entry'
import { withPublishLock } from '../../engine/storage/publish-lock'
import { type ChangeContext, lockProbeOf, type RecoveryOutcome } from '../changes/change-handlers'
import type { OpenOperation } from '../changes/operation-journal'
import { recordChange } from '../changes/recent-changes'
import { countText } from '../changes/words'
import { deleteRecord, manifestFor } from './delete-apply'
import type { PlannedUnit } from './delete-plan'
import { containerOf } from './manifest'
import type { UnitPart } from './session-unit'
import { discardEmptyItem } from './trash-item'
import { itemDirectoryOf, type TrashItemRef } from './trash-places'
import { keptSentences, removeCopies, removeSources } from './unit-move'

export async function recoverDelete(
  operation: OpenOperation,
  context: ChangeContext,
  work: WorkContext,
): Promise<Result<RecoveryOutcome>> {
  const { env, data } = context
  const plan = operation.plan
  if (!isJsonObject(plan) || !Array.isArray(plan.units) || !plan.units.every(isPlannedUnit)) {
    return err('damaged', `${operation.path} holds no plan of a delete.`, operation.path)
  }
  const noted = new Set(operation.notes.map(note => (isJsonObject(note) ? note.copied : undefined)))
  const moved: PlannedUnit[] = []
  const notes: string[] = []
  let back = 0
  for (const unit of plan.units) {
    const turn = await attemptAsync('recover', unit.target.journal, work.breathe)
    if (!turn.ok) return turn
    const outcome = await underLock(context, unit.target.journal, () =>
      recoverUnit(env, unit, noted.has(unit.itemId)),
    )
    if (!outcome.ok) return outcome
    if (outcome.value.moved) moved.push(unit)
    else if (outcome.value.found) back++
    notes.push(...outcome.value.left)
  }
  if (moved.length > 0 && plan.record !== false) {
    const recorded = await recordChange(env, data, deleteRecord(operation.id, operation.time, moved))
    if (!recorded.ok) return recorded
  }
  if (moved.length > 0)
    notes.unshift(`An interrupted delete was finished: ${countText(moved.length, 'session')}.`)
  if (back > 0) notes.unshift(`An interrupted delete was rolled back: ${countText(back, 'session')}.`)
  return ok({ notes })
}

/** Checked as far as recovery depends on it; the file lies in our own directory and was written by us. */
function isPlannedUnit(value: unknown): value is PlannedUnit {
  if (!isJsonObject(value) || typeof value.itemId !== 'string' || !isJsonObject(value.target)) return false
  return (
    typeof value.target.journal === 'string' && Array.isArray(value.parts) && value.parts.every(isUnitPart)
  )
}

/** As above. */
export function isUnitPart(value: unknown): value is UnitPart {
  return isJsonObject(value) && typeof value.name === 'string' && Array.isArray(value.entries)
}

/** As `withPublishLock`, also where the directory that would hold the lock is gone (then nobody can lock there). */
export async function underLock<T>(
  { env, deps }: ChangeContext,
  journal: string,
  step: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const directory = attempt('look at', journal, () => lstatOrUndefined(env.fs, path.dirname(journal)))
  if (directory.ok && directory.value === undefined) {
    return attemptAsync('recover', journal, step).then(done => (done.ok ? done.value : done))
  }
  return withPublishLock(env, journal, step, lockProbeOf(deps))
}

type UnitRecovery = { moved: boolean; found: boolean; left: string[] }

async function recoverUnit(
  env: Environment,
  unit: PlannedUnit,
  copied: boolean,
): Promise<Result<UnitRecovery>> {
  const ref: TrashItemRef = { id: unit.itemId, sessionsDir: unit.target.sessionsDir }
  const from = path.dirname(unit.target.journal)
  const to = containerOf(ref, manifestFor(unit, '', 0))
  const journal = unit.parts[0]
  if (journal === undefined) return ok({ moved: false, found: false, left: [] })
  try {
    if (lstatOrUndefined(env.fs, itemDirectoryOf(ref)) === undefined)
      return ok({ moved: false, found: false, left: [] })
    removeTemporaries(env, itemDirectoryOf(ref))
    removeTemporaries(env, to)
    const [there, here] = [path.join(to, journal.name), path.join(from, journal.name)]
    if (isSameEntry(env.fs, there, here)) env.fs.unlink(there)
    const trashed = lstatOrUndefined(env.fs, there)
    if (trashed === undefined) return await rollBack(env, unit, ref, from, to)
    const renamed =
      trashed.ino.toString() === journal.identity?.ino && trashed.dev.toString() === journal.identity.dev
    if (renamed) return finishRename(env, unit, from, to)
    const source = lstatOrUndefined(env.fs, here)
    const unchanged = journal.identity !== null && verifyIdentity(env.fs, here, journal.identity).ok
    if (source !== undefined && !(copied && unchanged)) return await rollBack(env, unit, ref, from, to)
    const removed = await removeSources(env, from, unit.parts)
    if (removed.kept.has(journal.name)) return await rollBack(env, unit, ref, from, to)
    return ok({ moved: true, found: true, left: keptSentences(from, removed) })
  } catch (thrown) {
    return failure(thrown, 'recover', unit.target.journal)
  }
}

function finishRename(env: Environment, unit: PlannedUnit, from: string, to: string): Result<UnitRecovery> {
  for (const part of unit.parts) {
    const [there, here] = [path.join(to, part.name), path.join(from, part.name)]
    // Both: what lies at the old place was made meanwhile and is not part of this.
    if (lstatOrUndefined(env.fs, there) !== undefined || lstatOrUndefined(env.fs, here) === undefined)
      continue
    env.fs.rename(here, there)
  }
  syncDirectory(env, to)
  syncDirectory(env, from)
  return ok({ moved: true, found: true, left: [] })
}

async function rollBack(
  env: Environment,
  unit: PlannedUnit,
  ref: TrashItemRef,
  from: string,
  to: string,
): Promise<Result<UnitRecovery>> {
  for (const part of unit.parts) {
    const [there, here] = [path.join(to, part.name), path.join(from, part.name)]
    if (lstatOrUndefined(env.fs, there) === undefined) continue
    if (isSameEntry(env.fs, there, here)) env.fs.unlink(there)
    else if (lstatOrUndefined(env.fs, here) === undefined) moveNoReplace(env.fs, there, here)
    else if (!(await removeCopies(env, to, [part]))) {
      throw new EngineError('io', `The copy ${there} could not be removed.`, there)
    }
  }
  if (!discardEmptyItem(env, ref, path.basename(to))) {
    throw new EngineError('io', `${itemDirectoryOf(ref)} could not be removed.`, itemDirectoryOf(ref))
  }
  return ok({ moved: false, found: true, left: [] })
}

/**
 * Takes away what a killed write left in a directory. Without `of` the directory is all ours; with it, others write
 * there too, and only temporary files of those names are ours.
 */
export function removeTemporaries(env: Environment, directory: string, of?: readonly string[]): void {
  if (lstatOrUndefined(env.fs, directory)?.kind !== 'directory') return
  for (const { name } of env.fs.readDirectory(directory)) {
    const isOurs = of === undefined || of.some(target => name.startsWith(`.${target}.`))
    if (isTemporaryName(name) && isOurs) env.fs.unlink(path.join(directory, name))
  }
}
