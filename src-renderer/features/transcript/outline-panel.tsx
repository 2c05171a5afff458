/** The prompts of the shown path at the side: where one is, and a way to any of them. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { PanelRightClose } from 'lucide-react'
import { type MouseEvent, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { showInGraph } from '../../commands/flows/navigate'
import { entryItems } from '../../commands/menu-items'
import { useStores } from '../../stores/stores-context'
import { formatCount, formatExact } from '../../ui/format'
import { ContextMenu } from '../../ui/menu'
import { outlineAt } from './row-facts'

/** `top` is the first row in view. */
export function OutlinePanel(props: {
  top: number
  onHide: () => void
  /** Called when a prompt was chosen, where the panel stands over the text. */
  onGone: (() => void) | undefined
}) {
  const { top, onHide, onGone } = props
  const stores = useStores()
  const commands = useCommands()
  const { transcript } = stores
  const items = useStore(transcript, state => state.outline)
  const known = useStore(transcript, state => state.outlined)
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
  const goTo = (row: number) => {
    transcript.getState().setCurrent(row)
    transcript.getState().jumpTo(row)
    onGone?.()
  }
  const meant = useRef(-1)
  const onContextMenu = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-prompt]') : null
    meant.current = Number(button?.dataset.prompt ?? -1)
    if (button === null) event.preventDefault()
  }
  const menu = () => {
    const item = items[meant.current]
    const { session, rows } = transcript.getState()
    if (item === undefined || session === null) return []
    const { ordinal, row } = item
    return entryItems(stores, commands, { session, ordinal, label: rows.get(row)?.labels.at(-1) ?? null }, [
      { key: 'entry.read', text: 'Show in transcript', onSelect: () => goTo(row) },
      { key: 'entry.graph', text: 'Show in graph', onSelect: () => showInGraph(stores, session, ordinal) },
    ])
  }
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
        <span className="u-faint u-num">{known ? formatCount(items.length) : null}</span>
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
      <ContextMenu items={menu}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons take focus and keys */}
        <div className="tr-outline-list" ref={scroller} onContextMenu={onContextMenu}>
          {known && items.length === 0 && <p className="u-faint tr-outline-none">No prompts on this path.</p>}
          {!known && (
            <p className="u-faint tr-outline-none tr-outline-soon">Listed once the session is read.</p>
          )}
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
                    data-prompt={virtual.index}
                    className={virtual.index === here ? 'tr-outline-item tr-on' : 'tr-outline-item'}
                    aria-current={virtual.index === here ? 'location' : undefined}
                    title={formatExact(item.time)}
                    onClick={() => goTo(item.row)}
                  >
                    <span>{item.text === '' ? 'Prompt without text' : item.text}</span>
                  </button>
                </li>
              )
            })}
          </ul>
        </div>
      </ContextMenu>
    </aside>
  )
}
