/**
 * Keys of the transcript: j/k row to row, Shift+J/K prompt to prompt, Enter and Space fold the row, c copies
 * it as text and Shift+C as Markdown, the menu key opens its menu, Home and End, Ctrl+T all thinking, Ctrl+O all tool output (omp's own keys).
 */
import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect } from 'react'
import { copyBlock } from '../../commands/flows/copy-flows'
import { useStores } from '../../stores/stores-context'
import { isMenuKey, openMenuAt } from '../../ui/menu-keys'
import { canFold, isUnfolded } from './row-facts'

/** Frames to wait for a row that has to be fetched and drawn before it can take the focus. */
const FOCUS_TRIES = 40

/** Listens while the transcript is on screen: when the focus is in it or nowhere. */
export function useTranscriptKeys(
  scroller: RefObject<HTMLDivElement | null>,
  list: Virtualizer<HTMLDivElement, HTMLElement>,
): void {
  const stores = useStores()
  const { transcript } = stores
  useEffect(() => {
    const goTo = (row: number) => {
      const { total, setCurrent } = transcript.getState()
      if (total === 0) return
      const target = Math.max(0, Math.min(row, total - 1))
      setCurrent(target)
      list.scrollToIndex(target, { align: target === total - 1 ? 'end' : 'auto' })
      focusRow(scroller.current, target, FOCUS_TRIES)
    }
    /** The row of the keyboard; the first one in view when there is none yet. */
    const here = () => {
      const { current } = transcript.getState()
      return current >= 0 ? current : (list.range?.startIndex ?? 0)
    }
    const toPrompt = (step: 1 | -1) => {
      const { outline } = transcript.getState()
      const at = here()
      const target =
        step === 1 ? outline.find(item => item.row > at) : [...outline].reverse().find(item => item.row < at)
      if (!target) return
      goTo(target.row)
      list.scrollToIndex(target.row, { align: 'start' })
    }
    const letter = (key: string, target: HTMLElement): boolean => {
      const state = transcript.getState()
      const row = state.rows.get(here())
      switch (key) {
        case 'j':
          goTo(state.current < 0 ? here() : here() + 1)
          return true
        case 'k':
          goTo(here() - 1)
          return true
        case 'J':
          toPrompt(1)
          return true
        case 'K':
          toPrompt(-1)
          return true
        case 'c':
        case 'C':
          if (!row || state.current < 0 || state.session === null) return false
          void copyBlock(stores, state.session, row.key, key === 'c' ? 'text' : 'markdown')
          return true
        case 'Home':
          goTo(0)
          state.toStart()
          return true
        case 'End':
          goTo(state.total - 1)
          return true
        case 'Enter':
        case ' ':
          // A button inside a row does its own work.
          if (!row || state.current < 0 || !target.matches('article') || !canFold(row)) return false
          state.setFold(row.key, !isUnfolded(row, state))
          return true
        default:
          return false
      }
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      const target = event.target instanceof HTMLElement ? event.target : document.body
      const inside = scroller.current?.contains(target) ?? false
      if (!inside && target !== document.body) return
      if (isMenuKey(event)) {
        goTo(here())
        // The row may have to be drawn first.
        focusRow(scroller.current, here(), FOCUS_TRIES, openMenuAt)
        event.preventDefault()
        return
      }
      if (event.ctrlKey || event.metaKey) {
        const state = transcript.getState()
        const kind = event.key === 't' ? 'thinking' : event.key === 'o' ? 'tool' : null
        if (kind === null || event.shiftKey) return
        state.setAll(kind, !state.unfoldAll[kind])
        event.preventDefault()
        return
      }
      if (target.matches('input, textarea, select, [contenteditable=true]')) return
      if (letter(event.key, target)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [stores, transcript, list, scroller])
}

function focusRow(
  scroller: HTMLElement | null,
  row: number,
  tries: number,
  then?: (row: HTMLElement) => void,
): void {
  const element = scroller?.querySelector<HTMLElement>(`article[data-index="${row}"]`)
  if (element) {
    element.focus({ preventScroll: true })
    then?.(element)
  } else if (tries > 0) requestAnimationFrame(() => focusRow(scroller, row, tries - 1, then))
}
