/** The keyboard of the list of drafts: cursor, ranges, typing the start of a title, opening, copying, discarding. */
import type { DraftItem } from '@shared/ipc/models/manage-models'
import type { KeyboardEvent } from 'react'
import type { DraftsStore } from '../../stores/drafts-store'
import { extendTo, pickAll, pickCursor, pickOnly, type Step, stepFrom, toggle } from '../../stores/selection'
import { typeAhead, useTypedWord } from '../../ui/roving'
import { draftTitle } from './draft-facts'

const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'page-up',
  PageDown: 'page-down',
  Home: 'home',
  End: 'end',
}

export function useDraftKeys(options: {
  store: DraftsStore
  items: readonly DraftItem[]
  page(): number
  open(item: DraftItem): void
  discard(items: readonly DraftItem[]): void
}) {
  const typed = useTypedWord()
  const { store, items } = options
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey) return
    const { selection, setSelection } = store.getState()
    const order = items.map(item => item.ref)
    const at = items.findIndex(item => item.ref === selection.cursor)
    const current = items[at]
    const step = STEPS[event.key]
    const used = (() => {
      if (step !== undefined) {
        const next = stepFrom(order, selection.cursor, step, options.page())
        if (next === null) return false
        if (event.shiftKey) setSelection(extendTo(selection, order, next))
        else if (event.ctrlKey || event.metaKey) setSelection({ ...selection, cursor: next })
        else setSelection(pickOnly(next))
        return true
      }
      if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
        setSelection(pickAll(selection, order))
        return true
      }
      if (event.key === 'Escape' && selection.picked.size > 1) {
        setSelection(pickCursor(selection))
        return true
      }
      if (event.key === 'Enter' && current) {
        options.open(current)
        return true
      }
      if (event.key === 'Delete') {
        options.discard(items.filter(item => selection.picked.has(item.ref)))
        return true
      }
      const word = typed(event)
      if (word === null) {
        if (event.key !== ' ' || !current) return false
        setSelection(toggle(selection, current.ref))
        return true
      }
      const found = items[typeAhead(items.map(draftTitle), at, word)]
      if (found) setSelection(pickOnly(found.ref))
      return found !== undefined || event.key === ' '
    })()
    if (!used) return
    event.preventDefault()
    event.stopPropagation()
  }
}
