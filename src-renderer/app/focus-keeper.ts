/**
 * Keeps the keyboard somewhere: when what has the focus is taken away or disabled, and nothing else takes it, the region
 * that it was in does. Dialogs, menus and toasts see to theirs themselves.
 */
import type { PagePorts, Region } from '../commands/context'

/** Frames in which whoever took it away may place the focus. */
const PATIENCE = 2

/** Begins; the answer ends it. */
export function keepFocus(page: PagePorts): () => void {
  let last: { element: Element; region: Region } | null = null
  let waiting = false

  const isLost = () => {
    const { activeElement } = document
    if (last === null || (activeElement !== null && activeElement !== document.body)) return false
    // Still there: a click beside it took the focus away, as it may.
    return !last.element.isConnected || last.element.matches(':disabled')
  }
  const rescue = (frames: number) => {
    if (!isLost()) waiting = false
    else if (frames > 0) requestAnimationFrame(() => rescue(frames - 1))
    else {
      waiting = false
      if (last === null || document.querySelector('[role="dialog"]') !== null) return
      // Its region may be gone as well, with one pane at a time, or hold nothing more, as an empty trash.
      for (const region of [last.region, 'list', 'sidebar', 'top'] as const) {
        page.focusRegion(region)
        if (!isLost()) return
      }
    }
  }
  const observer = new MutationObserver(() => {
    if (waiting || last === null || (last.element.isConnected && !last.element.matches(':disabled'))) return
    waiting = true
    requestAnimationFrame(() => rescue(PATIENCE))
  })
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target.closest('[role="menu"]') !== null) return
    const region = page.currentRegion()
    last = region === null ? null : { element: target, region }
  }
  document.addEventListener('focusin', onFocus)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    document.removeEventListener('focusin', onFocus)
    observer.disconnect()
  }
}
