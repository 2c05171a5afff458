/**
 * CONTINUING A BRANCH, recorded and undone: a marker becomes the last entry (docs/format.md, Writing). Undo takes it away
 * while it is the last one.
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import type { Environment, WorkContext } from '../../engine/environment'
import { isMarker } from '../../engine/session/document-marks'
import { attempt } from '../../engine/storage/errors'
import type { ChangeContext, ChangeHandler, UndoOutcome } from '../changes/change-handlers'
import { stringOr } from '../changes/json-guards'
import { type ChangeRecord, readChanges, updateChange } from '../changes/recent-changes'
import { UNREADABLE } from '../changes/words'
import { openToChange } from '../may-change'
import { readBytes } from '../reroot/journal-bytes'
import {
  bytesBetween,
  type EditDone,
  nameOf,
  noRecovery,
  nothingDone,
  quoted,
  recordEdit,
  type SessionEdit,
  undoOutcome,
  undoWork,
  unreadable,
  whyUnseen,
} from './edit-work'

export type ContinueDone = EditDone & {
  /** Of the marker; null when none was needed. */
  id: string | null
}

type ContinueUndo = { journal: string; name: string; markerId: string }

/** More than a marker is long: it names one entry. */
const MARKER_BYTES = 64 * 1024

export const continueHandler: ChangeHandler = {
  kind: 'continue',
  recover: noRecovery,
  whyNotUndo: (record, context) => whyNotUndoContinue(record, context),
  undo: undoContinue,
}

/** Every program goes on at the entry from now on. */
export async function continueBranch(
  { context, manager }: SessionEdit,
  entryId: string,
): Promise<Result<ContinueDone>> {
  const name = nameOf(manager.document)
  const { stat } = manager.document
  const marked = await manager.continueBranch(entryId)
  if (!marked.ok) return marked
  const markerId = marked.value
  if (markerId === null) return ok({ ...nothingDone('It goes on there already.'), id: null })
  const undo: ContinueUndo = { journal: manager.file, name, markerId }
  const recorded = await recordEdit(context, 'continue', {
    text: `Continued a branch of ${quoted(name)}`,
    detail: 'omp goes on there',
    undo,
  })
  return ok({
    changed: true,
    id: markerId,
    changeId: recorded.changeId,
    bytes: bytesBetween(stat, manager.document.stat),
    notes: recorded.notes,
  })
}

/** The marker was taken away by its id: among the recent changes the one that made it counts as undone. */
export async function noteBranchUndone(
  { env, data }: ChangeContext,
  journal: string,
  markerId: string,
): Promise<string[]> {
  const records = readChanges(env, data)
  const record = (records.ok ? records.value : []).find(({ kind, undo }) => {
    const noted = kind === 'continue' ? parseUndo(undo) : null
    return noted?.markerId === markerId && noted.journal === journal
  })
  if (record === undefined) return []
  const updated = await updateChange(env, data, record.id, current => ({ ...current, state: 'undone' }))
  return updated.ok ? [] : [`The list of recent changes could not be written: ${updated.error.message}`]
}

const WENT_ON = 'The session went on since.'

function whyNotUndoContinue(record: ChangeRecord, { env }: Pick<ChangeContext, 'env'>): string | null {
  const undo = parseUndo(record.undo)
  if (undo === null) return UNREADABLE
  const { journal, markerId } = undo
  const last = attempt('read', journal, () => lastLine(env, journal))
  if (!last.ok) return whyUnseen(journal, last.error)
  return isMarker(last.value, markerId) ? null : WENT_ON
}

/** The last line of a file, as much of it as a marker can be. */
function lastLine({ fs }: Environment, file: string): Uint8Array {
  const { size } = fs.stat(file)
  const tail = readBytes(fs, file, Math.max(0, size - MARKER_BYTES), size)
  return tail.subarray(tail.lastIndexOf(0x0a, tail.length - 2) + 1)
}

async function undoContinue(
  record: ChangeRecord,
  context: ChangeContext,
  _work: WorkContext,
  includeMaybe: boolean,
): Promise<Result<UndoOutcome>> {
  const undo = parseUndo(record.undo)
  if (undo === null) return unreadable()
  const { journal, name, markerId } = undo
  const { session, settings, notes } = undoWork(context, journal, includeMaybe)
  const opened = openToChange(context.env, settings, session)
  if (!opened.ok) return undoOutcome(record, name, opened)
  const back = await opened.value.undoContinueBranch(markerId)
  const more = notes()
  if (back.ok) return undoOutcome(record, name, ok({ bytes: 0, notes: more }))
  const { code } = back.error
  const since = err('conflict', `${journal}: ${WENT_ON}`, journal)
  return undoOutcome(record, name, code === 'conflict' || code === 'not-found' ? since : back)
}

function parseUndo(value: unknown): ContinueUndo | null {
  if (!isJsonObject(value)) return null
  const { journal, markerId } = value
  if (typeof journal !== 'string' || typeof markerId !== 'string') return null
  return { journal, markerId, name: stringOr(value.name, journal) }
}
