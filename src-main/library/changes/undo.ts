/** Recent changes as they are shown, and undoing one: by kind, through the handlers. */
import type { ChangeView } from '@shared/ipc/models/change-models'
import type { EditReport } from '@shared/ipc/models/manage-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import type { WorkContext } from '../../engine/environment'
import { attempt, attemptAsync } from '../../engine/storage/errors'
import { readHead } from '../reroot/journal-bytes'
import { type ChangeContext, type ChangeHandlers, handlerOf } from './change-handlers'
import { stringOr } from './json-guards'
import { listOperations } from './operation-journal'
import { type ChangeRecord, readChanges, updateChange } from './recent-changes'

/** Newest first; changes that were interrupted and not recovered yet stand before the others. */
export function listChanges(context: ChangeContext, handlers: ChangeHandlers): Result<ChangeView[]> {
  const records = readChanges(context.env, context.data)
  if (!records.ok) return records
  const operations = listOperations(context.env, context.data)
  if (!operations.ok) return operations
  const recorded = new Set(records.value.map(record => record.id))
  const unfinished = operations.value.operations
    .filter(operation => !recorded.has(operation.id))
    .map(
      (operation): ChangeView => ({
        id: operation.id,
        kind: operation.kind,
        text: UNFINISHED_TEXT[operation.kind],
        detail: 'It is running, or was interrupted and will be finished or rolled back.',
        time: operation.time,
        state: 'unfinished',
        canUndo: false,
        whyNot: 'It is not finished.',
      }),
    )
  return ok([...unfinished.reverse(), ...records.value.map(record => viewOf(record, context, handlers))])
}

const UNFINISHED_TEXT: Record<ChangeView['kind'], string> = {
  delete: 'Moving sessions to trash',
  restore: 'Restoring sessions from trash',
  empty: 'Emptying the trash',
  're-root': 'Re-rooting sessions',
  fork: 'Forking a session',
  rename: 'Renaming a session',
  label: 'Naming an entry',
  star: 'Starring sessions',
  continue: 'Continuing a branch',
  draft: 'Changing a draft',
}

function viewOf(record: ChangeRecord, context: ChangeContext, handlers: ChangeHandlers): ChangeView {
  const { id, kind, text, detail, time, state } = record
  const whyNot = whyNotUndo(record, context, handlers)
  return { id, kind, text, detail, time, state, canUndo: whyNot === null, whyNot }
}

function whyNotUndo(record: ChangeRecord, context: ChangeContext, handlers: ChangeHandlers): string | null {
  if (record.state === 'undone') return 'It was undone.'
  if (record.whyNot !== null) return record.whyNot
  const handler = handlerOf(handlers, record.kind)
  if (handler === undefined || record.undo === null) return 'This program does not know how to undo it.'
  return handler.whyNotUndo(record, context)
}

/** Changes of one session, which their Undo changes again. */
const OF_ONE_SESSION: ReadonlySet<ChangeRecord['kind']> = new Set(['rename', 'label', 'continue', 'draft'])

/** What is told instead of an Undo, where the one session of a change may be in use; null where nothing is to be asked. */
async function askedFirst(
  { env, deps }: ChangeContext,
  { kind, undo }: ChangeRecord,
  work: WorkContext,
): Promise<Result<EditReport | null>> {
  const journal = OF_ONE_SESSION.has(kind) && isJsonObject(undo) ? stringOr(undo.journal, null) : null
  if (journal === null || !isJsonObject(undo)) return ok(null)
  const head = attempt('read', journal, () => readHead(env.fs, journal))
  // The undo itself tells what is wrong with the file.
  if (!head.ok) return ok(null)
  const asked = await attemptAsync('look who uses', journal, () => deps.inUse(work))
  if (!asked.ok) return asked
  const use = asked.value.check(journal, stringOr(head.value.header?.fields.cwd, null))
  if (use.state !== 'maybe') return ok(null)
  const title = stringOr(undo.name, null) ?? stringOr(undo.title, journal)
  const maybe = [{ ref: null, title, text: use.text }]
  return ok({ changeId: null, done: 0, asked: 1, files: 0, bytes: 0, staying: [], notes: [], maybe })
}

/**
 * Undoes the change with that id, as far as it can be; what stays is in the report, with reasons. Where sessions may be in use
 * it is undone only with `includeMaybe`; without it nothing is done, and `maybe` names them.
 */
export async function undoChange(
  context: ChangeContext,
  handlers: ChangeHandlers,
  id: string,
  work: WorkContext,
  includeMaybe = false,
): Promise<Result<EditReport>> {
  const records = readChanges(context.env, context.data)
  if (!records.ok) return records
  const record = records.value.find(candidate => candidate.id === id)
  if (record === undefined) return err('not-found', 'That change is not in the list of recent changes.')
  const whyNot = whyNotUndo(record, context, handlers)
  const handler = handlerOf(handlers, record.kind)
  if (whyNot !== null || handler === undefined) {
    return err('conflict', `It cannot be undone: ${whyNot ?? 'its kind is not known.'}`)
  }
  const first = includeMaybe ? ok(null) : await askedFirst(context, record, work)
  if (!first.ok) return first
  if (first.value !== null) return ok(first.value)
  const outcome = await handler.undo(record, context, work, includeMaybe)
  if (!outcome.ok) return outcome
  const { remaining, maybe = [] } = outcome.value
  const report: EditReport = { ...outcome.value.report, maybe }
  if (maybe.length > 0) return ok(report)
  const updated = await updateChange(context.env, context.data, id, current => ({
    ...current,
    state: remaining === null ? 'undone' : 'done',
    undo: remaining === null ? current.undo : remaining,
  }))
  if (updated.ok) return ok(report)
  const note = `It was undone, but the list of recent changes could not be written: ${updated.error.message}`
  return ok({ ...report, notes: [...report.notes, note] })
}
