/** Deleting, restoring and undoing: the calls, and the toasts that tell of them. */
import type { ChangeReport, ChangeView } from '@shared/ipc/models/change-models'
import type { EditReport } from '@shared/ipc/models/manage-models'
import type { AppError, Result } from '@shared/ipc/result'
import type { Progress } from '../../api/client'
import { readyValue } from '../../stores/async'
import { pickOnly } from '../../stores/selection'
import type { Stores } from '../../stores/stores-context'
import type { ToldChange } from '../../stores/toasts-store'
import { deleteAsks } from './delete-question'
import { openSession } from './navigate'
import { saveDraftsOf } from './unsaved-drafts'

export type LongWork = { signal?: AbortSignal; onProgress?: (progress: Progress) => void }

/** Tells of an error in a toast; a call that the user cancelled needs no telling. */
export function tellError(stores: Stores, error: AppError): void {
  if (error.code === 'cancelled') return
  stores.toasts.getState().tell({ kind: 'error', error })
}

/** Tells of a finished change, with Undo where there is something to undo. */
export function tellReport(stores: Stores, change: ToldChange, report: ChangeReport): void {
  const undo = change.kind === 'empty' || change.kind === 'undo' ? null : report.changeId
  if (undo !== null && change.kind !== 'undo') stores.undo.getState().made({ id: undo, kind: change.kind })
  stores.toasts.getState().tell({ kind: 'report', change, report }, undo)
}

/** What is shown is asked for again: a change is seen at once even if the watcher is slow. */
export function refreshAll(stores: Stores): void {
  void stores.library.getState().refresh()
  void stores.list.getState().refresh()
  void stores.session.getState().refresh()
  if (stores.trash.getState().view.state !== 'loading') void stores.trash.getState().refresh()
  if (stores.changes.getState().changes.state !== 'loading') void stores.changes.getState().refresh()
}

/** Moves sessions to the trash: at once with Undo, or after a question when one is needed. */
export function askDelete(stores: Stores, sessions: readonly string[]): Promise<void> {
  // The key pressed again before the list has changed means the same sessions.
  return stores.undo.getState().deleting(sessions, named => planAndDelete(stores, named))
}

async function planAndDelete(stores: Stores, sessions: readonly string[]): Promise<void> {
  const saved = await saveDraftsOf(stores.client, sessions)
  if (!saved.ok) return tellError(stores, saved.error)
  const plan = await stores.client.call('delete.plan', { sessions: [...sessions] })
  if (!plan.ok) return tellError(stores, plan.error)
  if (deleteAsks(plan.value)) stores.dialogs.getState().show({ kind: 'delete', plan: plan.value })
  else {
    const result = await applyDelete(stores, plan.value.planId, false)
    if (!result.ok) tellError(stores, result.error)
  }
}

/** Carries out a delete plan and tells of it; an error is left to the caller. */
export async function applyDelete(
  stores: Stores,
  planId: string,
  includeMaybeInUse: boolean,
  work: LongWork = {},
): Promise<Result<ChangeReport>> {
  const open = stores.session.getState().ref
  const result = await stores.client.call('delete.apply', { planId, includeMaybeInUse }, work)
  if (!result.ok) return result
  await stores.list.getState().refresh()
  if (stores.session.getState().ref === open) await closeIfGone(stores)
  // Told last, when the dialog closes with it: an Undo that is offered while a dialog takes the keys is none.
  tellReport(stores, { kind: 'delete' }, result.value)
  refreshAll(stores)
  return result
}

/** Closes the open session when its file is no longer there: nothing is left to read. */
async function closeIfGone(stores: Stores): Promise<void> {
  const { ref } = stores.session.getState()
  if (ref === null) return
  const still = await stores.client.call('session.open', { session: ref })
  if (still.ok || still.error.code !== 'not-found' || stores.session.getState().ref !== ref) return
  stores.session.getState().close()
  // With one pane at a time, the list is what there is to go on with.
  stores.navigation.getState().setPane('list')
}

/** Opens a session that was just made. */
export async function showFork(stores: Stores, session: string): Promise<void> {
  void stores.library.getState().refresh()
  openSession(stores, session)
  await stores.list.getState().refresh()
  stores.list.getState().setSelection(pickOnly(session))
}

/** After a dialog moved sessions: what is behind it is asked for again at once, and Undo means the move. */
export function followMove(stores: Stores, report: ChangeReport): void {
  refreshAll(stores)
  void stores.session.getState().reload()
  if (report.changeId !== null) stores.undo.getState().made({ id: report.changeId, kind: 're-root' })
}

/** Takes a move back from the dialog that tells of it. */
export function undoMove(stores: Stores, id: string): void {
  stores.dialogs.getState().close()
  void undoChange(stores, id)
}

/** Brings sessions back from the trash. */
export async function restore(stores: Stores, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const result = await stores.undo.getState().during(stores.client.call('trash.restore', { ids: [...ids] }))
  if (result.ok) tellReport(stores, { kind: 'restore' }, result.value)
  else tellError(stores, result.error)
  refreshAll(stores)
}

/** Deletes trash items for good; the caller has asked. */
export async function emptyTrash(
  stores: Stores,
  ids: readonly string[],
  work: LongWork = {},
): Promise<Result<ChangeReport>> {
  const result = await stores.client.call('trash.empty', { ids: [...ids] }, work)
  if (result.ok) tellReport(stores, { kind: 'empty' }, result.value)
  refreshAll(stores)
  return result
}

/** Takes a change back; `what` it is need only be said of one that was not told of yet. */
export async function undoChange(stores: Stores, id: string, what?: ChangeView['kind']): Promise<void> {
  const kind = what ?? kindOf(stores, id)
  stores.toasts.getState().dismissUndo(id)
  const known = stores.undo.getState().changes.find(change => change.id === id)
  const finish = async (result: Result<EditReport>) => {
    if (result.ok) tellReport(stores, { kind: 'undo', of: kind }, result.value)
    else tellError(stores, result.error)
    // A fork that is open goes when it is undone.
    if (result.ok) await closeIfGone(stores)
    refreshAll(stores)
  }
  const call = async (includeMaybe: boolean) => {
    // Forgotten while it runs: the key pressed again means the change before it.
    stores.undo.getState().forget(id)
    const result = await stores.client.call('changes.undo', { id, includeMaybe })
    // What stays as it was can be taken back later.
    if (known && result.ok && result.value.done === 0) stores.undo.getState().made(known)
    return result
  }
  const result = await call(false)
  if (!result.ok || result.value.maybe.length === 0) return await finish(result)
  const { maybe } = result.value
  const apply = async () => finish(await call(true))
  stores.dialogs.getState().show({ kind: 'maybe-in-use', maybe, act: 'Undo', apply })
}

/** What kind of change it was, as far as this window knows. */
function kindOf(stores: Stores, id: string): ChangeView['kind'] | null {
  const made = stores.undo.getState().changes.find(change => change.id === id)
  if (made) return made.kind
  const listed = readyValue(stores.changes.getState().changes)
  return listed?.find(change => change.id === id)?.kind ?? null
}

/**
 * Undoes the newest change made from this window that was not undone yet, once those that are being made are done; false when
 * there is none.
 */
export function undoLast(stores: Stores): Promise<boolean> {
  return stores.undo.getState().inTurn(async () => {
    const last = stores.undo.getState().changes.at(-1)
    if (last) await undoChange(stores, last.id)
    return last !== undefined
  })
}
