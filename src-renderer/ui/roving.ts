/**
 * Arrow keys in a column of buttons: one of them is in the tab order, the others are reached with arrows,
 * Home, End and by typing the start of their text.
 */
import { type FocusEvent, type KeyboardEvent, useState } from 'react'

const ITEM = '[data-roving]'
/** Letters typed within this time (ms) belong to one word. */
const WORD_PAUSE = 700

/** Index of the next text after `from` that starts with `typed`, or -1. Repeating one letter steps on. */
export function typeAhead(texts: readonly string[], from: number, typed: string): number {
  const query = typed.toLocaleLowerCase()
  const letters = [...query]
  const same = letters.length > 1 && letters.every(letter => letter === letters[0])
  const wanted = same ? (letters[0] ?? '') : query
  // A growing word may stay where it is; the first letter, or the same again, moves on.
  const start = letters.length > 1 && !same ? Math.max(from, 0) : from + 1
  for (let n = 0; n < texts.length; n++) {
    const at = (start + n) % texts.length
    if (texts[at]?.toLocaleLowerCase().startsWith(wanted)) return at
  }
  return -1
}

/** What of a key press says whether it types a character. */
type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'>

/**
 * Collects presses to a word until a pause. The answer is the word with this press, or null when it types nothing: a space
 * does only within a word, since it means something else to a list.
 */
export function typedWord(): (press: Press) => string | null {
  let word = { text: '', time: Number.NEGATIVE_INFINITY }
  return press => {
    // When it was pressed: a window that is busy answers later.
    const time = press.timeStamp
    const before = time - word.time < WORD_PAUSE ? word.text : ''
    if (!isLetter(press) && !(before !== '' && isSpace(press))) return null
    word = { text: before + press.key, time }
    return word.text
  }
}

export function useTypedWord(): (press: Press) => string | null {
  const [typed] = useState(typedWord)
  return typed
}

/** True for a press that types a character into nothing. */
function isLetter({ key, ctrlKey, metaKey, altKey }: Press): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey && key !== ' ' && key !== '?'
}

function isSpace({ key, ctrlKey, metaKey, altKey }: Press): boolean {
  return key === ' ' && !ctrlKey && !metaKey && !altKey
}

/** Handlers for the container; its buttons carry `data-roving` and `tabIndex={-1}` but for the current. */
export function useRoving(): {
  onKeyDown(event: KeyboardEvent<HTMLElement>): void
  onFocus(event: FocusEvent<HTMLElement>): void
} {
  const typed = useTypedWord()
  return {
    onKeyDown(event) {
      const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEM)]
      const here = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(ITEM) : null
      if (!here) return
      const at = items.indexOf(here)
      const to = (() => {
        if (event.key === 'ArrowDown') return at + 1
        if (event.key === 'ArrowUp') return at - 1
        if (event.key === 'Home') return 0
        if (event.key === 'End') return items.length - 1
        const word = typed(event)
        if (word === null) return at
        // Of a word, and no press of the button.
        if (event.key === ' ') event.preventDefault()
        const texts = items.map(item => item.dataset.roving ?? '')
        return typeAhead(texts, at, word)
      })()
      const next = items[to]
      if (!next || to === at) return
      event.preventDefault()
      next.focus()
    },
    onFocus(event) {
      const here = event.target.closest<HTMLElement>(ITEM)
      if (!here) return
      for (const item of event.currentTarget.querySelectorAll<HTMLElement>(ITEM)) {
        item.tabIndex = item === here ? 0 : -1
      }
    },
  }
}
