/** Opens a context menu from the keyboard, where its row is rather than where the list begins. */

/** True for the menu key, and for Shift+F10 where there is none. */
export function isMenuKey(event: KeyboardEvent): boolean {
  return event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)
}

/**
 * What the menu key is about: the row that the focused list names, else what has the focus. Null where the list has rows of
 * its own to ask.
 */
export function menuElement(): Element | null {
  const focused = document.activeElement
  if (focused === null || focused === document.body || focused.getAttribute('role') === 'feed') return null
  // A row that was clicked has the focus itself, wherever the list's own mark has gone since.
  const named = focused.closest('[aria-activedescendant]')?.getAttribute('aria-activedescendant')
  return document.getElementById(named ?? '') ?? focused
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
