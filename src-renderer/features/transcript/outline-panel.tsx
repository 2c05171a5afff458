/** The prompts of the shown path at the side: where one is, and a way to any of them. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { PanelRightClose } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { useStores } from '../../stores/stores-context'
import { formatCount, formatExact } from '../../ui/format'
import { outlineAt } from './row-facts'

/** `top` is the first row in view. */
export function OutlinePanel(props: {
  top: number
  onHide: () => void
  /** Called when a prompt was chosen, where the panel stands over the text. */
  onGone: (() => void) | undefined
}) {
  const { top, onHide, onGone } = props
  const { transcript } = useStores()
  const items = useStore(transcript, state => state.outline)
  const current = useStore(transcript, state => state.current)
  const scroller = useRef<HTMLDivElement>(null)
  const here = outlineAt(items, Math.max(top, current))
  const list = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 44,
    overscan: 6,
  })
  useEffect(() => {
    if (here >= 0) list.scrollToIndex(here, { align: 'auto' })
  }, [here, list])
  return (
    <aside
      className="tr-outline"
      aria-label="Prompts"
      onKeyDown={event => {
        if (event.key !== 'Escape' || onGone === undefined) return
        event.stopPropagation()
        onGone()
      }}
    >
      <div className="tr-outline-head">
        <h2>Prompts</h2>
        <span className="u-faint u-num">{formatCount(items.length)}</span>
        <span className="u-grow" />
        <button
          type="button"
          className="tr-icon"
          aria-label="Hide prompts"
          title="Hide prompts"
          onClick={onHide}
        >
          <PanelRightClose aria-hidden size={15} />
        </button>
      </div>
      <div className="tr-outline-list" ref={scroller}>
        {items.length === 0 && <p className="u-faint tr-outline-none">No prompts on this path.</p>}
        <ul style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(virtual => {
            const item = items[virtual.index]
            if (!item) return null
            return (
              <li
                key={virtual.index}
                ref={list.measureElement}
                data-index={virtual.index}
                style={{ transform: `translateY(${virtual.start}px)` }}
              >
                <button
                  type="button"
                  className={virtual.index === here ? 'tr-outline-item tr-on' : 'tr-outline-item'}
                  aria-current={virtual.index === here ? 'location' : undefined}
                  title={formatExact(item.time)}
                  onClick={() => {
                    transcript.getState().setCurrent(item.row)
                    transcript.getState().jumpTo(item.row)
                    onGone?.()
                  }}
                >
                  <span>{item.text === '' ? 'Prompt without text' : item.text}</span>
                </button>
              </li>
            )
          })}
        </ul>
      </div>
    </aside>
  )
}
