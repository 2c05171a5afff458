/** All handlers of the contract. One file per area in `handlers/`. */

import type { HandlerDeps } from './handler-deps'
import { appHandlers } from './handlers/app-handlers'
import { artifactHandlers } from './handlers/artifact-handlers'
import { changeHandlers } from './handlers/change-handlers'
import { libraryHandlers } from './handlers/library-handlers'
import { sessionHandlers } from './handlers/session-handlers'
import type { Handlers } from './ipc-binding'

export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    ...appHandlers(deps),
    ...libraryHandlers(deps),
    ...sessionHandlers(deps),
    ...artifactHandlers(deps),
    ...changeHandlers(deps),
  }
}
