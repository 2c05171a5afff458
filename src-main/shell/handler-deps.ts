/** What handlers are given. */
import type { Environment } from '../engine/environment'
import type { WorkerClient } from '../workers/worker-client'
import type { EventSender } from './event-sender'
import type { LibraryService } from './library-service'
import type { MainWindow } from './main-window'
import type { ReadingPlaces } from './reading-places'
import type { SearchService } from './search-service'
import type { SettingsStore } from './settings-store'
import type { StartOptions } from './start-options'

export type HandlerDeps = {
  env: Environment
  worker: WorkerClient
  library: LibraryService
  search: SearchService
  settings: SettingsStore
  events: EventSender
  window: MainWindow
  options: StartOptions
  /** Where reading was left. */
  places: ReadingPlaces
}
