/** The keyboard of the session list: cursor, ranges, typing the start of a title. */
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { openSession } from '../../commands/flows/navigate'
import { cursorInList } from '../../stores/list-store'
import { extendTo, pickOnly, type Step, stepFrom, toggle } from '../../stores/selection'
import { type Stores, useStores } from '../../stores/stores-context'
import { typeAhead, useTypedWord } from '../../ui/roving'

/** Walking through the list opens what one stops at, after this pause (ms). */
const OPEN_PAUSE = 180

const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'page-up',
  PageDown: 'page-down',
  Home: 'home',
  End: 'end',
}

function move(stores: Stores, step: Step, page: number, event: KeyboardEvent): string | null {
  const { rows, selection, setSelection } = stores.list.getState()
  const order = rows.map(row => row.ref)
  const next = stepFrom(order, selection.cursor, step, page)
  if (next === null) return null
  if (event.shiftKey) setSelection(extendTo(selection, order, next))
  else if (event.ctrlKey || event.metaKey) setSelection({ ...selection, cursor: next })
  else {
    setSelection(pickOnly(next))
    return next
  }
  return null
}

/** `page`: rows on one screen. `follow`: whether walking opens sessions (not where they hide the list). */
export function useListKeys(options: { page(): number; follow: boolean; onEnter(): void }) {
  const stores = useStores()
  const typed = useTypedWord()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const openSoon = (ref: string) => {
    clearTimeout(timer.current)
    if (options.follow) timer.current = setTimeout(() => openSession(stores, ref), OPEN_PAUSE)
  }

  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey) return
    const { selection, rows, setSelection } = stores.list.getState()
    const step = STEPS[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const go = () => {
        const ref = move(stores, step, options.page(), event)
        if (ref !== null) openSoon(ref)
      }
      if (step === 'end') void stores.list.getState().loadAll().then(go)
      else go()
      return
    }
    const cursor = cursorInList({ rows, selection })
    if (event.key === 'Enter' && cursor !== null) {
      event.preventDefault()
      clearTimeout(timer.current)
      openSession(stores, cursor)
      options.onEnter()
      return
    }
    const word = typed(event)
    if (word === null) {
      if (event.key !== ' ' || cursor === null) return
      event.preventDefault()
      setSelection(toggle(selection, cursor))
      return
    }
    const titles = rows.map(row => row.title)
    const at = rows.findIndex(row => row.ref === selection.cursor)
    const found = rows[typeAhead(titles, at, word)]
    // A space of a word that no title begins with scrolls nothing.
    if (found || event.key === ' ') event.preventDefault()
    if (!found) return
    setSelection(pickOnly(found.ref))
    openSoon(found.ref)
  }
}
