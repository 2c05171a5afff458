/** All sessions of the samples, project by project. */
import { addClientSessions } from './client-sessions.mjs'
import { addDamagedSessions } from './damaged-sessions.mjs'
import { addFlakyUpload } from './flaky-upload.mjs'
import { addGroveApiSessions } from './grove-api-sessions.mjs'
import { addMovedSessions } from './moved-sessions.mjs'

export function addAllSessions(library) {
  addFlakyUpload(library)
  addGroveApiSessions(library)
  addMovedSessions(library)
  addClientSessions(library)
  addDamagedSessions(library)
}
