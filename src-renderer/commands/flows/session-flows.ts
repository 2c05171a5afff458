/** Small acts on one session or project: copy, show in the file manager, pin. */
import type { Result } from '@shared/ipc/result'
import type { Stores } from '../../stores/stores-context'
import { tellError } from './change-flows'

/** Copies a text and says so; `what` names it. */
export async function copyText(stores: Stores, text: string, what: string): Promise<void> {
  const result = await stores.client.call('app.copyText', { text })
  if (result.ok) stores.toasts.getState().push({ tone: 'done', text: `${what} copied.`, undo: null })
  else tellError(stores, result.error)
}

/** Copies the command that resumes a session in omp; a note of main's goes into the toast. */
export async function copyResume(stores: Stores, session: string): Promise<void> {
  const command = await stores.client.call('session.resumeCommand', { session })
  if (!command.ok) return tellError(stores, command.error)
  const { note } = command.value
  await copyText(stores, command.value.command, 'Resume command')
  if (note !== null) stores.toasts.getState().push({ tone: 'done', text: note, undo: null })
}

export async function copyId(stores: Stores, session: string): Promise<void> {
  const details = await stores.client.call('session.details', { session })
  if (!details.ok) return tellError(stores, details.error)
  if (details.value.id === null) {
    stores.toasts.getState().push({ tone: 'error', text: 'This session has no id.', undo: null })
  } else await copyText(stores, details.value.id, 'Session id')
}

export async function copyPath(stores: Stores, session: string): Promise<void> {
  const details = await stores.client.call('session.details', { session })
  if (details.ok) await copyText(stores, details.value.file, 'File path')
  else tellError(stores, details.error)
}

/** Makes a call whose only outcome of interest is an error. */
export async function tellFailure(stores: Stores, call: Promise<Result<unknown>>): Promise<void> {
  const result = await call
  if (!result.ok) tellError(stores, result.error)
}

export function togglePin(stores: Stores, project: string): void {
  const { settings, set } = stores.settings.getState()
  const pinned = settings.pinnedProjects.includes(project)
    ? settings.pinnedProjects.filter(other => other !== project)
    : [...settings.pinnedProjects, project]
  void set({ pinnedProjects: pinned }).then(() => stores.library.getState().refresh())
}

/** Lets the user add a folder with sessions, in the native dialog. */
export async function addRoot(stores: Stores): Promise<void> {
  const result = await stores.client.call('settings.addRoot', {})
  if (!result.ok) return tellError(stores, result.error)
  if (result.value.added === null) return
  stores.toasts.getState().push({ tone: 'done', text: `Added ${result.value.added}.`, undo: null })
  void stores.library.getState().refresh()
  void stores.list.getState().refresh()
}
