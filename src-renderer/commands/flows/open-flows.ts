/** Sessions that are opened by their file: chosen, dropped on the window, or given to the program. */
import type { SessionScope } from '@shared/ipc/models/library-models'
import { sameScope } from '../../stores/navigation-store'
import { pickOnly } from '../../stores/selection'
import type { Stores } from '../../stores/stores-context'
import { openSession } from './navigate'

/** Rows per call while a session is looked for. */
const PAGE = 500

/** What went wrong names the reason and what can be done; one of several files is known by its name above that. */
function tellProblem(stores: Stores, text: string, path: string | null = null): void {
  if (path === null) stores.toasts.getState().push({ tone: 'error', text, undo: null })
  else stores.toasts.getState().tell({ kind: 'file', path, text })
}

/** Opens a session, and selects it in the list when it is one of the library's. */
async function openGiven(stores: Stores, session: string): Promise<void> {
  const { list } = stores
  const isShown = () => list.getState().rows.some(({ ref }) => ref === session)
  if (isScanning(stores)) {
    // It is read at once; where it stands among the others is known when they are all read.
    openSession(stores, session)
    await scanEnd(stores)
    if (stores.session.getState().ref !== session) return
  }
  const scope = isShown() ? null : await scopeWith(stores, session)
  if (scope === null) openSession(stores, session)
  else await openIn(stores, scope, session)
  if (isShown()) list.getState().setSelection(pickOnly(session))
}

function isScanning({ library }: Stores): boolean {
  const { snapshot } = library.getState()
  return snapshot.state === 'loading' || (snapshot.state === 'ready' && snapshot.value.scanning !== null)
}

function scanEnd(stores: Stores): Promise<void> {
  return new Promise(resolve => {
    const stop = stores.library.subscribe(() => {
      if (isScanning(stores)) return
      stop()
      resolve()
    })
  })
}

/** The project in which a session is listed; null for one that is not in the library. */
async function scopeWith({ client, list }: Stores, session: string): Promise<SessionScope | null> {
  const opened = await client.call('session.open', { session })
  if (!opened.ok) return null
  const scope = { kind: 'project' as const, project: opened.value.row.project }
  const { sort, reverse } = list.getState()
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const query = { scope, sort, reverse, filter: '', offset, limit: PAGE }
    const page = await client.call('library.sessions', query)
    if (!page.ok) return null
    if (page.value.rows.some(({ ref }) => ref === session)) return scope
    total = page.value.total
  }
  return null
}

/** Opens a session in a list that has it. */
async function openIn(stores: Stores, scope: SessionScope, session: string): Promise<void> {
  const { list, navigation } = stores
  navigation.getState().goTo({ view: 'sessions', scope, session })
  navigation.getState().setPane('session')
  if (list.getState().filter !== '') list.getState().setFilter('')
  if (!sameScope(list.getState().scope, scope)) list.getState().setScope(scope)
  void stores.session.getState().open(session)
  await list.getState().refresh()
  await list.getState().loadAll()
}

/** Opens the session in a file that lies at this path. */
async function openPath(stores: Stores, path: string): Promise<void> {
  const opened = await stores.client.call('library.openPath', { path })
  if (opened.ok) await openGiven(stores, opened.value.session)
  else tellProblem(stores, opened.error.message, path)
}

/** Lets the user choose a file in the native dialog. */
export async function chooseFile(stores: Stores): Promise<void> {
  const opened = await stores.client.call('library.openFile', {})
  if (!opened.ok) return tellProblem(stores, opened.error.message, opened.error.path)
  if (opened.value.session !== null) await openGiven(stores, opened.value.session)
}

/** What was dropped on the window. `project`: one whose folder is not there, under the pointer. */
export type Dropped = { files: readonly File[]; isFolder: boolean | null; project: string | null }

/** A folder on a project without its own is where that is now; everything else is opened, or told why not. */
export function takeDrop(stores: Stores, { files, isFolder, project }: Dropped): void {
  const [first] = files
  const path = first === undefined ? '' : stores.client.pathOf(first)
  if (path === '') {
    tellProblem(stores, 'What was dropped is no file of this computer.')
    return
  }
  if (project !== null && (isFolder ?? !path.endsWith('.jsonl'))) {
    const subject = { kind: 'project' as const, project }
    stores.dialogs.getState().show({ kind: 'reroot', subject, to: path })
    return
  }
  if (files.length > 1) tellProblem(stores, `${files.length} files were dropped; the first one is opened.`)
  void openPath(stores, path)
}

/** Takes what is asked for from outside the window; the answer ends it. */
export function followRequests(stores: Stores): () => void {
  const stopOpening = stores.client.on('app.openSession', ({ session }) => void openGiven(stores, session))
  const stopProblems = stores.client.on('app.problem', ({ text, path }) => tellProblem(stores, text, path))
  return () => {
    stopOpening()
    stopProblems()
  }
}
