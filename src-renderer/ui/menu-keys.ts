/** Opens a context menu from the keyboard, where its row is rather than where the list begins. */
import type { KeyboardEvent } from 'react'

/** True for the menu key, and for Shift+F10 where there is none. */
export function isMenuKey(event: KeyboardEvent | globalThis.KeyboardEvent): boolean {
  return event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)
}

/** Distance from the row's left edge (px): inside it, and clear of its border. */
const INDENT = 24

/** Asks `element` for its menu, as a press of the right button on it does. */
export function openMenuAt(element: Element): void {
  const { left, top, height } = element.getBoundingClientRect()
  element.dispatchEvent(
    new MouseEvent('contextmenu', {
      bubbles: true,
      cancelable: true,
      button: 2,
      clientX: left + INDENT,
      clientY: top + Math.min(height / 2, INDENT),
    }),
  )
}
