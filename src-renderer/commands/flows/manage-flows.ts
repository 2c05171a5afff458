/** Everyday changes of sessions: rename, star, label, continue a branch. Each can be undone. */
import type { EditReport } from '@shared/ipc/models/manage-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { readyValue } from '../../stores/async'
import { treeStoreOf } from '../../stores/session-views-stores'
import type { Stores } from '../../stores/stores-context'
import type { ToldChange } from '../../stores/toasts-store'
import { refreshAll, tellError, tellReport } from './change-flows'

/** Opens the field for a session's title: in its row, or in the head where no row is on screen. */
export function beginRename(stores: Stores, session: string, at: 'list' | 'header'): void {
  const open = stores.session.getState().ref === session
  const { listHidden, pane } = stores.navigation.getState()
  const listed = stores.list.getState().rows.some(row => row.ref === session) && !listHidden
  const inHeader = open && (at === 'header' || !listed)
  if (!inHeader && !listed) return
  if (!inHeader && pane === 'sidebar') stores.navigation.getState().setPane('list')
  stores.rename.getState().begin(session, inHeader ? 'header' : 'list')
}

/** Gives a session another title; one that is empty or the same changes nothing. */
export async function renameSession(
  stores: Stores,
  session: string,
  before: string,
  text: string,
): Promise<void> {
  const title = text.trim()
  if (title === '' || title === before) return
  await edit(stores, { kind: 'rename', title }, 'Rename', includeMaybe =>
    stores.client.call('session.rename', { session, title, includeMaybe }),
  )
}

/** Stars sessions, or takes their stars away. */
export async function starSessions(
  stores: Stores,
  sessions: readonly string[],
  starred: boolean,
): Promise<void> {
  if (sessions.length === 0) return
  const call = stores.client.call('session.star', { sessions: [...sessions], starred })
  const result = await stores.undo.getState().during(call)
  if (result.ok) tellReport(stores, { kind: 'star', starred }, result.value)
  else tellError(stores, result.error)
  refreshAll(stores)
}

/**
 * The id of an entry that is on screen. A change is asked for by it: what stands at a place of the file is another entry once
 * the file is written anew, and a dialog can be open for long.
 */
async function entryIdOf(stores: Stores, session: string, ordinal: number): Promise<Result<string>> {
  const shown = stores.transcript.getState()
  const row =
    shown.session === session ? [...shown.rows.values()].find(one => one.ordinal === ordinal) : undefined
  let id = row?.entryId ?? null
  if (row === undefined) {
    const seen = await stores.client.call('session.previews', { session, ordinals: [ordinal] })
    if (!seen.ok) return seen
    id = seen.value[0]?.id ?? null
  }
  return id === null ? err('not-found', 'That entry has no id by which it could be named.') : ok(id)
}

/** Opens the question for a fork that ends at an entry. */
export async function askFork(stores: Stores, session: string, ordinal: number): Promise<void> {
  const entry = await entryIdOf(stores, session, ordinal)
  if (!entry.ok) return tellError(stores, entry.error)
  stores.dialogs.getState().show({ kind: 'fork', session, entry: entry.value })
}

/** Opens the question for an entry's label, with the present one. */
export async function askLabel(stores: Stores, session: string, entry: number): Promise<void> {
  const id = await entryIdOf(stores, session, entry)
  if (!id.ok) return tellError(stores, id.error)
  const shown = stores.transcript.getState()
  const row =
    shown.session === session ? [...shown.rows.values()].find(one => one.ordinal === entry) : undefined
  let label = row?.labels.at(-1)
  if (row === undefined) {
    const store = treeStoreOf(stores.client).getState()
    const known = store.session === session ? readyValue(store.data) : null
    const tree = known
      ? { ok: true as const, value: known }
      : await stores.client.call('session.tree', { session })
    if (!tree.ok) return tellError(stores, tree.error)
    label = tree.value.labels.filter(one => one.ordinal === entry).at(-1)?.label
  }
  stores.dialogs.getState().show({ kind: 'label', session, entry: id.value, label: label ?? null })
}

/** Names an entry that is on screen; null clears its name. */
export async function setLabel(
  stores: Stores,
  session: string,
  ordinal: number,
  label: string | null,
): Promise<void> {
  const entry = await entryIdOf(stores, session, ordinal)
  if (entry.ok) await labelEntry(stores, session, entry.value, label)
  else tellError(stores, entry.error)
}

/** Names an entry by its id; null clears its name. */
export async function labelEntry(
  stores: Stores,
  session: string,
  entry: string,
  label: string | null,
): Promise<void> {
  await edit(
    stores,
    { kind: 'label', label },
    label === null ? 'Clear the label' : 'Set the label',
    includeMaybe => stores.client.call('session.label', { session, entry, label, includeMaybe }),
  )
}

/** Makes the branch that ends at an entry the one that omp will resume, and shows it. */
export async function continueBranch(stores: Stores, session: string, ordinal: number): Promise<void> {
  const id = await entryIdOf(stores, session, ordinal)
  if (!id.ok) return tellError(stores, id.error)
  const entry = id.value
  await edit(
    stores,
    { kind: 'continue' },
    'Continue this branch',
    includeMaybe => stores.client.call('session.continueBranch', { session, entry, includeMaybe }),
    () => showLeaf(stores, session),
  )
}

/** Shows the branch that omp resumes, with the reader's place kept. */
async function showLeaf(stores: Stores, session: string): Promise<void> {
  if (stores.session.getState().ref !== session) return
  await stores.session.getState().refresh()
  const now = stores.session.getState()
  if (now.ref !== session || now.view.state !== 'ready') return
  const { current, keepRow } = stores.transcript.getState()
  if (current >= 0) keepRow(current)
  now.showTip(now.view.value.leaf)
}

/**
 * Makes an edit of one session and tells of it; `after` follows when it was made. Where an omp that nothing ties to a session
 * runs in its folder, the user is asked first.
 */
async function edit(
  stores: Stores,
  change: ToldChange,
  act: string,
  call: (includeMaybe: boolean) => Promise<Result<EditReport>>,
  after: () => Promise<void> = async () => undefined,
): Promise<void> {
  const finish = async (result: Result<EditReport>) => {
    if (result.ok) tellReport(stores, change, result.value)
    else tellError(stores, result.error)
    refreshAll(stores)
    if (result.ok && result.value.done > 0) await after()
  }
  const result = await stores.undo.getState().during(call(false))
  if (!result.ok || result.value.maybe.length === 0) return await finish(result)
  const { maybe } = result.value
  const apply = async () => finish(await call(true))
  stores.dialogs.getState().show({ kind: 'maybe-in-use', maybe, act, apply })
}
