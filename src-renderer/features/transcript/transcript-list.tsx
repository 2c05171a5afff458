/**
 * The rows of the shown path in a virtual list: measured heights, anchored when rows above change, at the
 * newest end or where reading was left, following growth while the reader is at the end.
 */
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useStores } from '../../stores/stores-context'
import { countOf } from '../../ui/format'
import { ContextMenu } from '../../ui/menu'
import { useMarks } from './marks/use-marks'
import { estimateHeight } from './row-facts'
import { RowView } from './rows/row-view'
import { useRowMenu } from './use-row-menu'
import { useTranscriptKeys } from './use-transcript-keys'

/** Rows drawn beyond each edge of the window. */
const OVERSCAN = 4
/** Rows fetched ahead on each side. */
const AHEAD = 24
/** Pixels from the end that still count as being at it. */
const END_SLACK = 48
/** Pixels kept above a row that is jumped to. */
const JUMP_MARGIN = 12

type List = Virtualizer<HTMLDivElement, HTMLElement>

/** Mounted anew for each load of a path, so that nothing measured is carried over. */
export function TranscriptList({ onTop }: { onTop: (row: number) => void }) {
  const { transcript } = useStores()
  const total = useStore(transcript, state => state.total)
  const rows = useStore(transcript, state => state.rows)
  const jump = useStore(transcript, state => state.jump)
  const current = useStore(transcript, state => state.current)
  const unseen = useStore(transcript, state => state.unseen)
  const scroller = useRef<HTMLDivElement>(null)
  const settled = useRef(false)
  const [atEnd, setAtEnd] = useState(true)

  // The keyboard's row stays in the document wherever one scrolls, so that the focus is never lost.
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      if (current < 0 || current >= range.count || indexes.includes(current)) return indexes
      return current < (indexes[0] ?? 0) ? [current, ...indexes] : [...indexes, current]
    },
    [current],
  )

  const onChange = useCallback(
    (list: List) => {
      if (!settled.current) return
      const end = list.isAtEnd(END_SLACK)
      setAtEnd(end)
      const state = transcript.getState()
      if (end) state.seenEnd()
      const offset = list.scrollOffset ?? 0
      const top = list.getVirtualItemForOffset(offset + JUMP_MARGIN + 2)
      if (!top) return
      onTop(top.index)
      state.leave({ row: top.index, offset: offset - top.start, atEnd: end })
    },
    [transcript, onTop],
  )

  const list = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: index => estimateHeight(rows.get(index)),
    overscan: OVERSCAN,
    paddingStart: 16,
    paddingEnd: 28,
    scrollPaddingStart: JUMP_MARGIN,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: END_SLACK,
    rangeExtractor,
    onChange,
  })

  // Where reading begins: a row that was asked for, the last-read place, else the newest end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, when the list appears
  useLayoutEffect(() => {
    const state = transcript.getState()
    const place = state.jump ? null : state.place()
    const left = place?.atEnd === false ? place : null
    if (state.jump) list.scrollToIndex(state.jump.row, { align: 'start' })
    else if (left) list.scrollToIndex(left.row, { align: 'start' })
    else list.scrollToEnd()
    // The rows there are drawn and measured in the next frame; only then is a place within one where it was.
    // Places are noted from there on, too: before, one is still at the top.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (left) list.scrollBy(left.offset + JUMP_MARGIN)
        settled.current = true
        onChange(list)
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [])

  const jumped = useRef(jump?.nonce)
  useEffect(() => {
    if (!jump || jumped.current === jump.nonce) return
    jumped.current = jump.nonce
    list.scrollToIndex(jump.row, { align: 'start' })
  }, [jump, list])

  const items = list.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items[items.length - 1]?.index ?? 0
  const visible = list.range
  // biome-ignore lint/correctness/useExhaustiveDependencies: `rows` too, for pages that went stale meanwhile
  useEffect(() => {
    const from = visible?.startIndex ?? first
    const to = visible?.endIndex ?? last
    transcript.getState().need(Math.max(0, from - AHEAD), to + AHEAD)
  }, [transcript, visible?.startIndex, visible?.endIndex, first, last, total, rows])

  useTranscriptKeys(scroller, list)
  useMarks(scroller, list)
  const menu = useRowMenu()

  return (
    <div className="tr-pane">
      <ContextMenu items={menu.items}>
        <div
          ref={scroller}
          className="tr-scroll"
          role="feed"
          aria-label="Transcript"
          onContextMenu={menu.onContextMenu}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the feed scrolls and takes the keyboard
          tabIndex={0}
        >
          <div className="tr-rows" style={{ height: list.getTotalSize() }}>
            {items.map(item => (
              <RowView
                key={item.index}
                row={rows.get(item.index)}
                index={item.index}
                total={total}
                start={item.start}
                measure={list.measureElement}
              />
            ))}
          </div>
        </div>
      </ContextMenu>
      {!atEnd && (
        <button type="button" className="tr-pill" onClick={() => list.scrollToEnd()}>
          <ArrowDown aria-hidden size={14} />
          {pillText(unseen)}
        </button>
      )}
      <p className="u-hidden" aria-live="polite">
        {atEnd || unseen.rows === 0 ? '' : pillText(unseen)}
      </p>
    </div>
  )
}

function pillText(unseen: { rows: number; messages: number; more: boolean }): string {
  if (unseen.messages > 0 && unseen.more) return `More than ${countOf(unseen.messages, 'new message')}`
  if (unseen.messages > 0) return countOf(unseen.messages, 'new message')
  return unseen.rows > 0 ? 'New output' : 'To the end'
}
