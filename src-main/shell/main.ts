/** Composition root of the app: one instance, its schemes, its library, its window. */
import '../node-globals'
import path from 'node:path'
import { app, type BrowserWindow } from 'electron'
import { nodeEnvironment } from '../engine/node-environment'
import type { ScanHandlers } from '../workers/scan-jobs'
import { WorkerClient } from '../workers/worker-client'
import { EventSender } from './event-sender'
import { FileRequests, filesAmong } from './file-requests'
import { createHandlers } from './handlers'
import { bindIpc } from './ipc-binding'
import { LibraryService } from './library-service'
import { MainWindow } from './main-window'
import { installMenu } from './menu'
import { registerSchemes, serveSchemes } from './protocols'
import { ReadingPlaces } from './reading-places'
import { SearchService } from './search-service'
import { hardenApp } from './security'
import { SettingsStore } from './settings-store'
import { startOptions } from './start-options'

/** Milliseconds that a change gets to reach the end of its step when the app is quit. */
const QUIT_GRACE_MS = 5_000

/** Files that macOS hands over, which it may do before the app is ready. */
const givenEarly: string[] = []
let takeGivenFiles = (files: readonly string[]): void => {
  givenEarly.push(...files)
}

registerSchemes()
hardenApp()
app.on('open-file', (event, file) => {
  event.preventDefault()
  takeGivenFiles([file])
})

if (app.requestSingleInstanceLock()) void start()
else app.quit()

async function start(): Promise<void> {
  const env = nodeEnvironment()
  const options = startOptions(process.argv, env)
  await app.whenReady()
  const window = new MainWindow(env, options, () => {
    calls.endAll()
    library.openSessions.stop()
  })
  const events = new EventSender(() => window.contents())
  const worker: WorkerClient = new WorkerClient(
    path.join(__dirname, 'worker.cjs'),
    () => void library.recoverAgain(),
  )
  // When it dies, the next look at the roots starts it again.
  const scanner = new WorkerClient<ScanHandlers>(path.join(__dirname, 'scan.cjs'))
  const settings = new SettingsStore(env, next => events.send('settings.changed', next))
  const library: LibraryService = new LibraryService(
    env,
    { worker, scanner },
    settings,
    events,
    options.onlyAgentDir,
    () => isSeen(window.browserWindow()),
  )
  const search = new SearchService(
    library,
    settings,
    events,
    {
      index: new WorkerClient(path.join(__dirname, 'index-worker.cjs')),
      newSearcher: () => new WorkerClient(path.join(__dirname, 'search-worker.cjs')),
    },
    env.now,
  )
  const places = new ReadingPlaces(env, worker)
  const files = new FileRequests(library, events)
  app.on('browser-window-created', (_event, created) => {
    const { webContents } = created
    // Each event has a signature of its own in Electron's types, and the same listener.
    const seenAgain = () => library.watch.seenAgain()
    created.on('show', seenAgain)
    created.on('restore', seenAgain)
    created.on('focus', seenAgain)
    webContents.on('did-finish-load', () => files.pageReady())
    webContents.on('did-start-loading', () => files.pageGone())
    webContents.on('destroyed', () => files.pageGone())
  })
  takeGivenFiles = given => {
    window.open(settings.current)
    files.take(given)
  }
  files.take([...filesAmong(process.argv, process.cwd()), ...givenEarly])
  serveSchemes(worker, library)
  const calls = bindIpc(
    createHandlers({ env, worker, library, search, settings, events, window, options, places }),
    events,
    () => window.contents(),
  )
  installMenu(command => events.send('menu.command', { command }))
  // On macOS the app outlives its window.
  app.on('second-instance', (_event, argv, directory) => {
    window.open(settings.current)
    files.take(filesAmong(argv, directory))
  })
  app.on('activate', () => window.open(settings.current))
  app.on('browser-window-focus', () => void library.uses.look())
  const end = endGently(window, async () => {
    await Promise.all([library.stop(), places.flush()])
    await Promise.all([worker.close(QUIT_GRACE_MS), scanner.close(QUIT_GRACE_MS), search.stop(QUIT_GRACE_MS)])
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !end.begun()) app.quit()
  })
  window.open(settings.current)
  void library.start()
  search.start()
}

/**
 * Lets the page save what is typed, and then what runs come to a stop, before the process ends; a second quit does not
 * wait for either. A page that keeps its window open keeps the process.
 */
function endGently(window: MainWindow, stop: () => Promise<void>): { begun(): boolean } {
  let begun = false
  app.on('before-quit', event => {
    if (begun) return
    begun = true
    event.preventDefault()
    void window.close(QUIT_GRACE_MS).then(async closed => {
      begun = closed
      if (closed) await stop().finally(() => app.quit())
    })
  })
  return { begun: () => begun }
}

function isSeen(window: BrowserWindow | null): boolean {
  return window !== null && !window.isDestroyed() && window.isVisible() && !window.isMinimized()
}
