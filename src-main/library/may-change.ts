/**
 * WHETHER A SESSION MAY BE CHANGED at all, asked before every edit, every save of a draft, and what takes them back.
 *
 * Refused
 *   in a root that Grove only reads  `permission`, also through a link and whatever roots are shown
 *   archived by omp                  `permission`
 *   in the trash                     `invalid-argument`; restoring brings back what was deleted, and no more
 *   a file that holds nothing        `damaged`; a change would make a session of it
 */
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../engine/environment'
import type { AgentLayout } from '../engine/layout/agent-directories'
import { isArchive } from '../engine/layout/session-paths'
import { isBlank } from '../engine/session/document-marks'
import type { ManagerSettings } from '../engine/session/manager-settings'
import { SessionManager } from '../engine/session/session-manager'
import { archivedRefusal } from '../engine/storage/archived-session-storage'
import { liesIn } from './real-place'
import { isOnlyRead } from './session-home'
import { trashRootOf } from './trash/trash-places'

/** Where a session lies that is to be changed. */
export type SessionAt = {
  /** Absolute path of the journal. */
  journal: string
  layout: AgentLayout
  /** Its root may not be changed. */
  readOnly: boolean
}

/** Whether the place of a session lets it be changed. Looks only. */
export function mayChangeAt(env: Environment, session: SessionAt): Result<true> {
  const { journal, layout } = session
  if (isArchive(journal)) return archivedRefusal(journal)
  if (isReadOnlyPlace(env, session))
    return err('permission', `${journal} lies in a root that Grove only reads; fork it elsewhere.`, journal)
  return liesIn(env, trashRootOf(layout.sessionsDir), journal)
    ? err('invalid-argument', `${journal} is in the trash; restore it first.`, journal)
    : ok(true)
}

/** Whether the root of a session is one that Grove only reads. */
export function isReadOnlyPlace(env: Environment, { journal, readOnly }: SessionAt): boolean {
  return readOnly || isOnlyRead(env, journal)
}

/** Opens a session that may be changed. */
export function openToChange(
  env: Environment,
  settings: ManagerSettings,
  session: SessionAt,
): Result<SessionManager> {
  const place = mayChangeAt(env, session)
  if (!place.ok) return place
  const manager = SessionManager.open(env, settings, session.journal)
  if (!manager.ok) return manager
  const holds = holdsSession(manager.value)
  return holds.ok ? manager : holds
}

/** Whether there is a session in the file of one that is open. */
export function holdsSession({ isOnDisk, document, file }: SessionManager): Result<true> {
  return isOnDisk && !isBlank(document)
    ? ok(true)
    : err('damaged', `${file} holds nothing yet that could be changed.`, file)
}
