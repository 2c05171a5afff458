/** The window's entry: client, stores and commands are made here, once, and given to the frame. */
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '../ui/tokens.css'
import '../ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { windowBridge } from '../api/bridge'
import { createCheckedClient } from '../api/checked-client'
import { followRequests } from '../commands/flows/open-flows'
import { stopReadingLeft } from '../commands/flows/stop-reading'
import { createCommands } from '../commands/registry'
import { createStores } from '../stores/stores-context'
import { ErrorState } from '../ui/states'
import { placeFirstFocus } from './first-focus'
import { keepFocus } from './focus-keeper'
import { App } from './frame'
import { createPagePorts } from './page-ports'
import { connectCommands, guardDrafts, loadFirstScreen } from './start'
import { followTheme } from './theme'

function start(): void {
  const element = document.getElementById('root')
  if (!element) return
  const root = createRoot(element)
  const bridge = windowBridge()
  if (!bridge) {
    root.render(<ErrorState title="Grove runs in its own window" text="Start it with: npm start" />)
    return
  }
  const stores = createStores(createCheckedClient(bridge, window.location.search))
  const page = createPagePorts()
  const commands = createCommands(stores, page)
  followTheme(
    () => stores.settings.getState().settings.theme,
    changed => stores.settings.subscribe(changed),
  )
  connectCommands(stores, commands)
  keepFocus(page)
  placeFirstFocus(stores, page)
  guardDrafts(stores)
  followRequests(stores)
  stopReadingLeft(stores)
  root.render(
    <StrictMode>
      <App stores={stores} commands={commands} page={page} />
    </StrictMode>,
  )
  void loadFirstScreen(stores)
}

start()
