/** Gives the keyboard to what the window shows first, unless the user was there before. Once: it is never taken away again. */
import type { PagePorts } from '../commands/context'
import { readyValue } from '../stores/async'
import type { Stores } from '../stores/stores-context'

/** What the user did that says where the keyboard is to be, or that something has it. */
const TAKEN = ['focusin', 'keydown', 'pointerdown'] as const

/** Waits for the first screen to be whole; the answer ends it. */
export function placeFirstFocus(stores: Stores, page: PagePorts): () => void {
  let ended = false
  const tryNow = () => {
    if (!isWhole(stores)) return
    // What the stores say is on the screen after the next render.
    setTimeout(() => {
      if (ended || document.activeElement !== document.body) return
      const { pane } = stores.navigation.getState()
      page.focusRegion(page.onePane() ? pane : 'list')
    }, 0)
  }
  const ends = [stores.list, stores.library, stores.settings].map(store => store.subscribe(tryNow))
  const end = () => {
    ended = true
    for (const stop of ends) stop()
    for (const name of TAKEN) document.removeEventListener(name, end)
  }
  for (const name of TAKEN) document.addEventListener(name, end)
  tryNow()
  return end
}

/** While the library is read for the first time, rows still move: a list that has the keyboard follows its cursor. */
function isWhole({ list, library, settings }: Stores): boolean {
  const snapshot = readyValue(library.getState().snapshot)
  const { phase } = list.getState()
  return settings.getState().loaded && phase === 'ready' && snapshot !== null && snapshot.scanning === null
}
