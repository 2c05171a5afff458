/** Composition root of the app: one instance, its schemes, its library, its window. */
import '../node-globals'
import path from 'node:path'
import { app } from 'electron'
import { nodeEnvironment } from '../engine/node-environment'
import { WorkerClient } from '../workers/worker-client'
import { EventSender } from './event-sender'
import { createHandlers } from './handlers'
import { bindIpc } from './ipc-binding'
import { LibraryService } from './library-service'
import { MainWindow } from './main-window'
import { installMenu } from './menu'
import { registerSchemes, serveSchemes } from './protocols'
import { hardenApp, hardenSession } from './security'
import { SettingsStore } from './settings-store'
import { startOptions } from './start-options'

registerSchemes()
hardenApp()

if (app.requestSingleInstanceLock()) void start()
else app.quit()

async function start(): Promise<void> {
  const env = nodeEnvironment()
  const options = startOptions(process.argv, env)
  await app.whenReady()
  hardenSession()
  const window = new MainWindow(options)
  const events = new EventSender(() => window.contents())
  const worker = new WorkerClient(path.join(__dirname, 'worker.cjs'))
  const settings = new SettingsStore(env, next => events.send('settings.changed', next))
  const library = new LibraryService(env, worker, settings, events, options.onlyAgentDir)
  serveSchemes(worker, library)
  bindIpc(createHandlers({ env, worker, library, settings, events, window, options }), events, () =>
    window.contents(),
  )
  installMenu(command => events.send('menu.command', { command }))
  app.on('second-instance', () => window.show())
  app.on('activate', () => window.open(settings.current))
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('will-quit', () => {
    library.stop()
    void worker.close()
  })
  window.open(settings.current)
  void library.start()
}
