/** What is known of a session by its ref: from the list, or from the open session. */
import type { SessionRow } from '@shared/ipc/models/library-models'
import type { Stores } from '../stores/stores-context'

/** Its row; undefined when it is neither listed nor open. The open session's is the newer one. */
export function sessionRow(stores: Stores, session: string): SessionRow | undefined {
  const { view } = stores.session.getState()
  if (view.state === 'ready' && view.value.row.ref === session) return view.value.row
  return stores.list.getState().rows.find(row => row.ref === session)
}

export function isReadOnly(stores: Stores, session: string): boolean {
  return sessionRow(stores, session)?.readOnly ?? false
}

/** Whether omp archived it. */
export function isArchived(stores: Stores, session: string): boolean {
  return sessionRow(stores, session)?.archived ?? false
}

/** Whether it may have a star: these are omp's own list, beside the sessions, so that an archived one may. */
export function mayStar({ readOnly, archived }: Pick<SessionRow, 'readOnly' | 'archived'>): boolean {
  return !readOnly || archived
}

/** Whether this one is listed and known to have come from no other. What is not listed may be a subagent of one. */
export function isWithoutParent(stores: Stores, [session]: readonly string[]): boolean {
  return stores.list.getState().rows.some(row => row.ref === session && row.origin === null)
}

/** Whether each of these has a star; then the command takes the stars away. */
export function allStarred(stores: Stores, sessions: readonly string[]): boolean {
  // One pass over the list, since both may be thousands.
  const starred = new Set(stores.list.getState().rows.flatMap(row => (row.starred ? [row.ref] : [])))
  return sessions.every(session =>
    sessions.length === 1 ? (sessionRow(stores, session)?.starred ?? false) : starred.has(session),
  )
}
