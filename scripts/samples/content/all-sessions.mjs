/** All sessions of the samples, project by project. */
import { addCacheSessions } from './cache-sessions.mjs'
import { addClientSessions } from './client-sessions.mjs'
import { addConfigSession } from './config-session.mjs'
import { addDamagedSessions } from './damaged-sessions.mjs'
import { addEntryKindsSession } from './entry-kinds-session.mjs'
import { addFlakyUpload } from './flaky-upload.mjs'
import { addLockSession } from './lock-session.mjs'
import { addLongSession } from './long-session.mjs'
import { addMovedSessions } from './moved-sessions.mjs'
import { addOlderFormats } from './older-formats.mjs'
import { addRetrySession } from './retry-session.mjs'
import { addStatusSessions } from './status-sessions.mjs'

export function addAllSessions(library) {
  addFlakyUpload(library)
  addRetrySession(library)
  addCacheSessions(library)
  addConfigSession(library)
  addLockSession(library)
  addStatusSessions(library)
  addLongSession(library)
  addEntryKindsSession(library)
  addOlderFormats(library)
  addMovedSessions(library)
  addClientSessions(library)
  addDamagedSessions(library)
}
