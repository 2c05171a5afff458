/** What was found, as a virtual list: the field has the keyboard and names the line that is active. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { searchStoreOf } from '../../stores/search-store'
import { useStores } from '../../stores/stores-context'
import { useMinute } from '../../ui/use-minute'
import { estimateItem, type ResultItem } from './result-items'
import { ResultRow } from './result-row'

export function ResultList(props: {
  id: string
  items: readonly ResultItem[]
  at: number
  onChoose(item: ResultItem): void
}) {
  const { id, items, at, onChoose } = props
  const { client } = useStores()
  const search = searchStoreOf(client)
  const stale = useStore(search, state => state.stale)
  const cursor = useStore(search, state => state.cursor)
  const loadingMore = useStore(search, state => state.loadingMore)
  const now = useMinute()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => estimateItem(items[index]),
    getItemKey: index => items[index]?.key ?? index,
    overscan: 6,
    paddingEnd: 24,
    // The active line stays in the page even when scrolled away: the field names it.
    rangeExtractor: range => {
      const shown = defaultRangeExtractor(range)
      if (at >= range.count || shown.includes(at)) return shown
      return [...shown, at].sort((a, b) => a - b)
    },
  })
  // Back to where one was.
  useLayoutEffect(() => {
    const { scroll } = search.getState()
    if (scroll > 0) virtual.scrollToOffset(scroll)
    const element = scroller.current
    return () => search.getState().setScroll(element?.scrollTop ?? 0)
  }, [search, virtual])
  const moved = useRef(cursor)
  useEffect(() => {
    if (moved.current === cursor) return
    moved.current = cursor
    virtual.scrollToIndex(at <= 1 ? 0 : at, { align: 'auto' })
  }, [cursor, at, virtual])
  return (
    <div
      ref={scroller}
      id={`${id}-list`}
      className={stale ? 'sv-results sv-stale' : 'sv-results'}
      role="listbox"
      aria-label="Results"
      aria-busy={stale}
      tabIndex={-1}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: pressing a line leaves the keyboard in the field */}
      <div
        className="sv-inner"
        role="presentation"
        style={{ height: virtual.getTotalSize() }}
        onMouseDown={event => event.preventDefault()}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = items[index]
          return item === undefined ? null : (
            <ResultRow
              key={item.key}
              id={`${id}-${index}`}
              index={index}
              count={items.length}
              item={item}
              now={now}
              active={index === at}
              busy={item.kind === 'more' && loadingMore}
              top={start}
              measure={virtual.measureElement}
              onChoose={() => onChoose(item)}
            />
          )
        })}
      </div>
    </div>
  )
}
