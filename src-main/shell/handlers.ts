/** All handlers of the contract. One file per area in `handlers/`. */

import type { HandlerDeps } from './handler-deps'
import { appHandlers } from './handlers/app-handlers'
import { artifactHandlers } from './handlers/artifact-handlers'
import { changeHandlers } from './handlers/change-handlers'
import { copyHandlers } from './handlers/copy-handlers'
import { draftHandlers } from './handlers/draft-handlers'
import { editHandlers } from './handlers/edit-handlers'
import { familyHandlers } from './handlers/family-handlers'
import { libraryHandlers } from './handlers/library-handlers'
import { moveHandlers } from './handlers/move-handlers'
import { openHandlers } from './handlers/open-handlers'
import { placeHandlers } from './handlers/place-handlers'
import { searchHandlers } from './handlers/search-handlers'
import { sessionHandlers } from './handlers/session-handlers'
import type { Handlers } from './ipc-binding'

export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    ...appHandlers(deps),
    ...libraryHandlers(deps),
    ...sessionHandlers(deps),
    ...artifactHandlers(deps),
    ...changeHandlers(deps),
    ...copyHandlers(deps),
    ...draftHandlers(deps),
    ...editHandlers(deps),
    ...familyHandlers(deps),
    ...moveHandlers(deps),
    ...openHandlers(deps),
    ...placeHandlers(deps),
    ...searchHandlers(deps),
  }
}
