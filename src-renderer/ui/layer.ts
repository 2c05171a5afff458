/** Where menus and tooltips are drawn: an element inside a landmark, above everything else. */
import { createContext, useContext } from 'react'

export const LayerContext = createContext<HTMLElement | null>(null)

/** The container for portals; undefined until it is there (the page's body then). */
export function useLayer(): HTMLElement | undefined {
  return useContext(LayerContext) ?? undefined
}
