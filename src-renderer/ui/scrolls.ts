/** Whether an element holds more than it shows, so that the keyboard must be able to scroll it. */
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Follows the element's size, its children's, and what is drawn again around it. */
export function useScrolls(element: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false)
  // After every render: children may have come or gone.
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const look = () => setScrolls(current.scrollHeight > current.clientHeight)
    const observer = new ResizeObserver(look)
    observer.observe(current)
    for (const child of current.children) observer.observe(child)
    look()
    return () => observer.disconnect()
  })
  return scrolls
}
