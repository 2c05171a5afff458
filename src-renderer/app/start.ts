/** What happens when the window opens: settings, then library and list, then keys and menu. */
import { isCommandId } from '@shared/commands'
import type { Commands } from '../commands/context'
import { followDrafts, mayClose } from '../commands/flows/draft-flows'
import { rememberShown, restoreShown } from '../commands/flows/shown-place'
import { coverageStoreOf } from '../stores/search-coverage-store'
import type { Stores } from '../stores/stores-context'
import { isMenuKey, menuElement, openMenuAt } from '../ui/menu-keys'

/** Loads what the first screen shows. The list waits for its remembered order. */
export async function loadFirstScreen(stores: Stores): Promise<void> {
  const library = stores.library.getState().refresh()
  // For the bar at the foot. Main tells of it only as it changes, and an index that is up to date does not.
  void coverageStoreOf(stores.client).getState().load()
  await stores.settings.getState().load()
  const { sort, sortReverse } = stores.settings.getState().settings
  stores.list.getState().setSort(sort, sortReverse)
  await restoreShown(stores)
  rememberShown(stores)
  await library
}

/** Keeps the window open until what is typed in drafts is saved, and lets Undo take back a round of editing. */
export function guardDrafts(stores: Stores): () => void {
  const onClose = (event: BeforeUnloadEvent) => {
    if (!mayClose(stores, () => window.close())) event.preventDefault()
  }
  window.addEventListener('beforeunload', onClose)
  const stop = followDrafts(stores)
  return () => {
    window.removeEventListener('beforeunload', onClose)
    stop()
  }
}

/** Connects keys and native menu to the commands; the answer ends it. */
export function connectCommands(stores: Stores, commands: Commands): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    if (commands.press(event)) event.preventDefault()
    else if (isMenuKey(event)) {
      const element = menuElement()
      if (element === null) return
      event.preventDefault()
      openMenuAt(element)
    }
  }
  window.addEventListener('keydown', onKey)
  // The buttons at the side of a mouse; the page's own history is not what one goes back in.
  const onButton = (event: MouseEvent) => {
    const id = event.button === 3 ? 'go.back' : event.button === 4 ? 'go.forward' : null
    if (id === null) return
    event.preventDefault()
    if (stores.dialogs.getState().open === null) commands.run(id)
  }
  window.addEventListener('mouseup', onButton)
  const stopMenu = stores.client.on('menu.command', ({ command }) => {
    if (isCommandId(command) && stores.dialogs.getState().open === null) commands.run(command)
  })
  return () => {
    window.removeEventListener('keydown', onKey)
    window.removeEventListener('mouseup', onButton)
    stopMenu()
  }
}
