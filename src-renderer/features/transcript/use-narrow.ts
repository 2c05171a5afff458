/** Whether an element is narrower than a width, followed as it changes. */
import { type RefCallback, useCallback, useState } from 'react'

/** A ref for the element, and the answer: false until it is measured. */
export function useNarrow(width: number): [RefCallback<HTMLElement>, boolean] {
  const [narrow, setNarrow] = useState(false)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return
      // Once at once, so that nothing is drawn in the wrong way first.
      setNarrow(element.clientWidth < width)
      const observer = new ResizeObserver(() => setNarrow(element.clientWidth < width))
      observer.observe(element)
      return () => observer.disconnect()
    },
    [width],
  )
  return [ref, narrow]
}
