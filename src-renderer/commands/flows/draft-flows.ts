/** Drafts across stores: opened, copied and discarded from anywhere; nothing typed is lost when the window closes. */
import type { AppError } from '@shared/ipc/result'
import { readyValue } from '../../stores/async'
import { draftStoreOf } from '../../stores/draft-store'
import type { Stores } from '../../stores/stores-context'
import { refreshAll, tellError, tellReport } from './change-flows'
import { openSession } from './navigate'
import { copyText } from './session-flows'

/** Opens a session at its draft; the keyboard goes into the text. */
export function openDraft(stores: Stores, session: string): void {
  draftStoreOf(stores.client).getState().wantFocus(session)
  openSession(stores, session)
  stores.session.getState().setTab('draft')
}

/** Copies the whole of a draft among those of all sessions. */
export async function copyListedDraft(stores: Stores, draft: string): Promise<void> {
  const text = await stores.client.call('drafts.text', { draft })
  if (text.ok) await copyText(stores, text.value.text, 'Draft')
  else tellError(stores, text.error)
}

/** Discards the draft of one session, with Undo. */
export async function discardDraft(stores: Stores, session: string): Promise<void> {
  const drafts = draftStoreOf(stores.client)
  await ready(stores, session)
  const state = drafts.getState().drafts.get(session)
  if (state?.state === 'error') return tellError(stores, state.error)
  const result = await drafts.getState().discard(session)
  if (!result.ok) tellError(stores, result.error)
  else if (result.value !== null) tellReport(stores, { kind: 'draft' }, result.value)
  refreshAll(stores)
}

/** Discards several, one change each; says how many, and why one could not be. */
export async function discardDrafts(stores: Stores, sessions: readonly string[]): Promise<void> {
  const [first, ...others] = sessions
  if (first === undefined) return
  if (others.length === 0) return await discardDraft(stores, first)
  const drafts = draftStoreOf(stores.client)
  let done = 0
  let error: AppError | null = null
  for (const session of sessions) {
    await ready(stores, session)
    const result = await drafts.getState().discard(session)
    if (!result.ok) error ??= result.error
    else if (result.value !== null && result.value.changeId !== null) {
      stores.undo.getState().made({ id: result.value.changeId, kind: 'draft' })
      done++
    }
  }
  if (done > 0) {
    const text = `${done} drafts discarded. Each can be undone in Recent changes.`
    stores.toasts.getState().push({ tone: 'done', text, undo: null })
  }
  if (error) tellError(stores, error)
  refreshAll(stores)
}

async function ready(stores: Stores, session: string): Promise<void> {
  const drafts = draftStoreOf(stores.client).getState()
  if (drafts.drafts.get(session)?.state !== 'ready') await drafts.show(session)
}

/** Sessions with text that is typed and not on the disk. */
function unsaved(stores: Stores): string[] {
  const { drafts } = draftStoreOf(stores.client).getState()
  return [...drafts].flatMap(([session, state]) => {
    const draft = readyValue(state)
    return draft && draft.save.state !== 'saved' ? [session] : []
  })
}

/**
 * The window is asked to close. True when it may: all that was typed is saved, or the user was told that it is not and
 * asks again. Else everything is saved first, and `close` is called when it is.
 */
export function mayClose(stores: Stores, close: () => void): boolean {
  if (unsaved(stores).length === 0 || told.has(stores)) return true
  void draftStoreOf(stores.client)
    .getState()
    .flushAll()
    .then(saved => {
      if (saved) close()
      else {
        told.add(stores)
        const text = 'A draft is not saved. Close again to lose what was typed in it.'
        stores.toasts.getState().push({ tone: 'error', text, undo: null })
        const [session] = unsaved(stores)
        if (session !== undefined) openDraft(stores, session)
      }
    })
  return false
}

/** Windows whose user was told; forgotten as soon as something else is saved. */
const told = new WeakSet<Stores>()

/** Lets Undo take back a round of editing; the answer ends it. */
export function followDrafts(stores: Stores): () => void {
  const drafts = draftStoreOf(stores.client)
  return drafts.subscribe((now, before) => {
    if (now.round !== null && now.round !== before.round)
      stores.undo.getState().made({ id: now.round, kind: 'draft' })
    if (unsaved(stores).length === 0) told.delete(stores)
  })
}
