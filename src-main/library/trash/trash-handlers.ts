/** What delete, restore and empty know to do after a crash and for Undo. */
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import type { WorkContext } from '../../engine/environment'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import type { ChangeContext, ChangeHandler, RecoveryOutcome, UndoOutcome } from '../changes/change-handlers'
import type { ChangeTarget } from '../changes/change-target'
import { stringOr } from '../changes/json-guards'
import type { OpenOperation } from '../changes/operation-journal'
import { type ChangeRecord, readChanges, recordChange } from '../changes/recent-changes'
import { applyDelete } from './delete-apply'
import { planDelete } from './delete-plan'
import { recoverDelete } from './delete-recovery'
import { type EmptyTotal, type EmptyUnit, emptyRecord, removeUnit } from './empty'
import { itemsOf } from './known-items'
import { restoreFromTrash } from './restore'
import { recoverRestore } from './restore-recovery'
import { isPlainName, itemDirectoryOf } from './trash-places'

const deleteHandler: ChangeHandler = {
  kind: 'delete',
  recover: recoverDelete,
  whyNotUndo(record, context) {
    const there = itemsOf(record).some(item => isThere(context, itemDirectoryOf(item)))
    return there ? null : 'Its sessions are no longer in the trash.'
  },
  async undo(record, context, work) {
    const items = itemsOf(record)
    const outcome = await restoreFromTrash(context, items, { record: false }, work)
    if (!outcome.ok) return outcome
    const kept = new Set(outcome.value.kept.map(item => item.id))
    const remaining = items.filter(item => kept.has(item.id))
    return ok({
      report: outcome.value.report,
      remaining: remaining.length === 0 ? null : { items: remaining },
    })
  },
}

const restoreHandler: ChangeHandler = {
  kind: 'restore',
  recover: recoverRestore,
  whyNotUndo(record, context) {
    const there = targetsOf(record).some(target => isThere(context, target.journal))
    return there ? null : 'Its sessions are no longer where they were put.'
  },
  async undo(record, context, work) {
    const targets = targetsOf(record)
    const plan = await planDelete(context, targets, {}, work)
    if (!plan.ok) return plan
    const outcome = await applyDelete(context, plan.value, { includeMaybe: false, record: false }, work)
    if (!outcome.ok) return outcome
    const moved = new Set(outcome.value.items.map(item => item.journal))
    const remaining = targets.filter(target => !moved.has(target.journal))
    return ok({
      report: outcome.value.report,
      remaining: remaining.length === 0 ? null : { sessions: remaining },
    })
  },
}

const emptyHandler: ChangeHandler = {
  kind: 'empty',
  recover: recoverEmpty,
  whyNotUndo: () => 'What was removed from the trash is gone for good.',
  undo: async (): Promise<Result<UndoOutcome>> =>
    err('conflict', 'What was removed from the trash is gone for good.'),
}

export const trashHandlers: readonly ChangeHandler[] = [deleteHandler, restoreHandler, emptyHandler]

/** The sessions that a recorded restore put back. */
function targetsOf(record: Pick<ChangeRecord, 'undo'>): ChangeTarget[] {
  if (!isJsonObject(record.undo) || !Array.isArray(record.undo.sessions)) return []
  return record.undo.sessions.filter(isJsonObject).flatMap((value): ChangeTarget[] => {
    const { journal, sessionsDir } = value
    if (typeof journal !== 'string' || typeof sessionsDir !== 'string') return []
    const [id, cwd, title] = [stringOr(value.id, null), stringOr(value.cwd, null), stringOr(value.title, '')]
    return [{ ref: null, journal, sessionsDir, agentDir: null, cwd, id, title, readOnly: false }]
  })
}

function isThere({ env }: ChangeContext, place: string): boolean {
  const stat = attempt('look at', place, () => lstatOrUndefined(env.fs, place))
  return stat.ok && stat.value !== undefined
}

/** Removes the rest of what was listed; the user wanted it gone. */
async function recoverEmpty(
  operation: OpenOperation,
  context: ChangeContext,
  _work: WorkContext,
): Promise<Result<RecoveryOutcome>> {
  const { env, data } = context
  const plan = operation.plan
  if (!isJsonObject(plan) || !Array.isArray(plan.units) || !plan.units.every(isEmptyUnit)) {
    return err('damaged', `${operation.path} holds no plan of emptying the trash.`, operation.path)
  }
  const total: EmptyTotal = { items: 0, files: 0, bytes: 0 }
  const notes: string[] = []
  for (const unit of plan.units) {
    if (!isThere(context, itemDirectoryOf(unit.ref))) {
      total.items++
      continue
    }
    const removed = await removeUnit(context, unit, total)
    if (!removed.ok) notes.push(removed.error.message)
  }
  // What the interrupted process removed before it ended is not known any more; its listing is.
  const listed = plan.units.flatMap(unit => unit.entries)
  const whole: EmptyTotal = {
    items: total.items,
    files: listed.filter(entry => entry.kind !== 'directory').length,
    bytes: listed.reduce((sum, entry) => sum + entry.size, 0),
  }
  const known = readChanges(env, data)
  if (known.ok && known.value.some(record => record.id === operation.id)) return ok({ notes })
  const complete = notes.length === 0
  const recorded = await recordChange(
    env,
    data,
    emptyRecord(operation.id, operation.time, complete ? whole : total),
  )
  return recorded.ok ? ok({ notes }) : recorded
}

/** Checked as far as recovery depends on it; the file lies in our own directory and was written by us. */
function isEmptyUnit(value: unknown): value is EmptyUnit {
  if (!isJsonObject(value) || !isJsonObject(value.ref) || !Array.isArray(value.entries)) return false
  const { id, sessionsDir } = value.ref
  return typeof id === 'string' && isPlainName(id) && typeof sessionsDir === 'string'
}
