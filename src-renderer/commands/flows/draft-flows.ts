/** Drafts across stores: opened, copied and discarded from anywhere; nothing typed is lost when the window closes. */
import type { AppError } from '@shared/ipc/result'
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
  await drafts.getState().show(session)
  const result = await drafts.getState().discard(session)
  if (!result.ok) tellError(stores, result.error)
  else if (result.value !== null) tellReport(stores, { kind: 'draft' }, result.value)
  else stores.toasts.getState().push({ tone: 'done', text: 'There is no draft any more.', undo: null })
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
    await drafts.getState().show(session)
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

/**
 * The window is asked to close. True when it may: all that was typed is saved. Else what is typed is saved first, and
 * `close` is called when it is, or when only what the user was told of before asking again cannot be.
 */
export function mayClose(stores: Stores, close: () => void): boolean {
  const drafts = draftStoreOf(stores.client)
  const before = drafts.getState().unsaved()
  if (before.size === 0 || sameTexts(before, agreed.get(stores))) return true
  if (closing.has(stores)) return false
  const known = told.get(stores)
  closing.add(stores)
  void drafts
    .getState()
    .flushAll()
    .finally(() => closing.delete(stores))
    .then(() => {
      const left = drafts.getState().unsaved()
      if (left.size === 0) return close()
      if (sameTexts(left, known)) {
        agreed.set(stores, left)
        return close()
      }
      told.set(stores, left)
      const text =
        left.size === 1
          ? 'A draft is not saved. Close again to lose what was typed in it.'
          : `${left.size} drafts are not saved. Close again to lose what was typed in them.`
      stores.toasts.getState().push({ tone: 'error', text, undo: null })
      const [session] = left.keys()
      if (session !== undefined) openDraft(stores, session)
    })
  return false
}

type Texts = ReadonlyMap<string, string>

/** What each window's user was told of that it is not saved; forgotten as soon as all is. */
const told = new WeakMap<Stores, Texts>()
/** What the user has agreed to lose; nothing that is typed since is part of it. */
const agreed = new WeakMap<Stores, Texts>()
/** Windows that are being closed: what is typed is on its way to the disk. */
const closing = new WeakSet<Stores>()

function sameTexts(now: Texts, then: Texts | undefined): boolean {
  return (
    then !== undefined && now.size === then.size && [...now].every(([ref, text]) => then.get(ref) === text)
  )
}

/** Lets Undo take back a round of editing; the answer ends it. */
export function followDrafts(stores: Stores): () => void {
  const drafts = draftStoreOf(stores.client)
  return drafts.subscribe((now, before) => {
    if (now.round !== null && now.round !== before.round)
      stores.undo.getState().made({ id: now.round, kind: 'draft' })
    if (now.drafts !== before.drafts && now.unsaved().size === 0) {
      told.delete(stores)
      agreed.delete(stores)
    }
  })
}
