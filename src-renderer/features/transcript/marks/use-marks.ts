/**
 * Brings a match into view and marks what is found, in the rows that are drawn. The marks are no elements: texts stay as they
 * are. A wish waits until its row is there, unfolded, and its text whole as far as it is needed; each step is taken when
 * something changed, in the store or on the page.
 */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect } from 'react'
import { findStoreOf, type Mark, type Wanted } from '../../../stores/find-store'
import { useStores } from '../../../stores/stores-context'
import { type TranscriptState, textKey } from '../../../stores/transcript-store'
import { canFold, isUnfolded } from '../row-facts'
import { markedText, needsWhole, nthOf, rowOfMark } from './mark-rows'
import { rangesIn, scrollInside } from './text-in-page'

const ALL = 'grove-found'
const CURRENT = 'grove-current'
/** Frames in which heights may still change under a place that was scrolled to. */
const SETTLING = 4
/** Pixels at the edges in which a match does not count as seen. */
const EDGE = 40

type List = Virtualizer<HTMLDivElement, HTMLElement>

function articleOf(scroller: Element, row: number): HTMLElement | null {
  return scroller.querySelector<HTMLElement>(`article[data-index="${row}"]`)
}

function textElement(article: Element, mark: Mark): Element | null {
  const key = textKey(mark.ordinal, mark.part)
  return (
    [...article.querySelectorAll<HTMLElement>('[data-text]')].find(one => one.dataset.text === key) ?? null
  )
}

/** The whole of a text, or what the row shows of it. */
function sourceOf(state: TranscriptState, row: TranscriptRow, mark: Mark): string | null {
  const whole = state.whole.get(textKey(mark.ordinal, mark.part))
  return whole?.state === 'ready' ? whole.value : (markedText(row, mark)?.text ?? null)
}

export function useMarks(scroller: RefObject<HTMLDivElement | null>, list: List): void {
  const { client, transcript } = useStores()
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const find = findStoreOf(client)
    let frame = 0
    let jumped = -1

    const jumpOnce = (row: number, { nonce }: Mark) => {
      if (jumped === nonce) return
      jumped = nonce
      transcript.getState().jumpTo(row)
    }

    /** One step towards the match; true when it is there. */
    const advance = (mark: Mark): boolean => {
      const state = transcript.getState()
      if (state.session !== mark.session || state.state !== 'ready') return false
      const at = rowOfMark(state.rows, mark)
      if (at === null) return false
      const row = state.rows.get(at)
      const article = articleOf(element, at)
      if (row === undefined || article === null) {
        jumpOnce(at, mark)
        return false
      }
      if (canFold(row) && !isUnfolded(row, state)) {
        state.setFold(row.key, true)
        return false
      }
      const text = markedText(row, mark)
      if (text !== null && needsWhole(mark, text)) {
        const whole = state.whole.get(textKey(mark.ordinal, mark.part))
        if (whole === undefined) void state.loadWhole(mark.ordinal, mark.part)
        if (whole === undefined || whole.state === 'loading') return false
      }
      const details = textElement(article, mark)?.closest('details')
      if (details) details.open = true
      state.setCurrent(at)
      if (mark.focus) article.focus({ preventScroll: true })
      return true
    }

    /** The match itself; null when the page does not show it as it stands in the file. */
    const rangeOf = (mark: Mark): Range | null => {
      const state = transcript.getState()
      const at = rowOfMark(state.rows, mark)
      const row = at === null ? undefined : state.rows.get(at)
      const article = at === null ? null : articleOf(element, at)
      if (row === undefined || article === null) return null
      const ranges = rangesIn(textElement(article, mark) ?? article, mark.wanted, true)
      const nth = nthOf(mark, sourceOf(state, row, mark))
      return ranges[Math.min(nth, ranges.length - 1)] ?? null
    }

    const paint = (wanted: Wanted | null, mark: Mark | null) => {
      if (wanted === null) {
        CSS.highlights.delete(ALL)
        CSS.highlights.delete(CURRENT)
        return
      }
      const texts = [...element.querySelectorAll('[data-text]')]
      const shown = find.getState().open
        ? texts
        : texts.filter(one => mark !== null && one === textElement(one.closest('article') ?? one, mark))
      const ranges = shown.flatMap(one => rangesIn(one, wanted, false))
      CSS.highlights.set(ALL, new Highlight(...ranges))
      const current = mark === null ? null : rangeOf(mark)
      const highlight = new Highlight(...(current === null ? [] : [current]))
      highlight.priority = 1
      CSS.highlights.set(CURRENT, highlight)
    }

    const scrollTo = (mark: Mark, frames: number) => {
      if (find.getState().mark !== mark) return
      const range = rangeOf(mark)
      if (range !== null) {
        scrollInside(range, element)
        const place = range.getBoundingClientRect()
        const view = element.getBoundingClientRect()
        if (place.top < view.top + EDGE || place.bottom > view.bottom - EDGE) {
          list.scrollBy(place.top - view.top - view.height / 3)
        }
      }
      if (frames > 0) requestAnimationFrame(() => scrollTo(mark, frames - 1))
    }

    const look = () => {
      frame = 0
      const { mark, open, text, exact, brought } = find.getState()
      const wanted = open ? (text === '' ? null : { texts: [text], exact }) : (mark?.wanted ?? null)
      if (mark !== null && mark.nonce !== brought && advance(mark)) {
        find.getState().setBrought(mark.nonce)
        paint(wanted, mark)
        const at = rowOfMark(transcript.getState().rows, mark)
        // What the page does not show as it stands is at least on its row.
        if (at !== null && rangeOf(mark) === null) list.scrollToIndex(at, { align: 'auto' })
        scrollTo(mark, SETTLING)
      } else paint(wanted, mark)
    }
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(look)
    }
    const observer = new MutationObserver(soon)
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    const stops = [find.subscribe(soon), transcript.subscribe(soon)]
    soon()
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      for (const stop of stops) stop()
      CSS.highlights.delete(ALL)
      CSS.highlights.delete(CURRENT)
    }
  }, [client, transcript, scroller, list])
}
