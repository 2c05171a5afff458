/**
 * Rows of equal height in a virtual list that takes the keyboard: arrows, Home, End, Enter. The container
 * has the focus and names its chosen row.
 */
// biome-ignore-all lint/a11y/useSemanticElements: a virtual list of absolutely placed rows cannot be a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
} from 'react'
import { ContextMenu, type MenuItem } from '../../ui/menu'

const ROW_HEIGHT = 34

export function VirtualRows(props: {
  label: string
  count: number
  chosen: number
  /** Depth of a row in a tree, from 1; absent for a plain table, whose rows are all of the first level. */
  level?: (row: number) => number
  rowKey: (row: number) => string
  cells: (row: number) => ReactNode
  onChoose: (row: number) => void
  onEnter: (row: number) => void
  /** Items for the chosen row, made when the menu opens. */
  menu: () => readonly MenuItem[]
}) {
  const { count, chosen, level, onChoose, onEnter } = props
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const rangeExtractor = useCallback(
    (range: Range) => {
      const rows = defaultRangeExtractor(range)
      if (chosen < 0 || chosen >= range.count || rows.includes(chosen)) return rows
      return chosen < (rows[0] ?? 0) ? [chosen, ...rows] : [...rows, chosen]
    },
    [chosen],
  )
  const list = useVirtualizer<HTMLDivElement, HTMLElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    rangeExtractor,
  })
  useEffect(() => {
    if (chosen >= 0) list.scrollToIndex(chosen, { align: 'auto' })
  }, [chosen, list])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1)
    const to = targetRow(event.key, chosen, count, page)
    if (to !== null) onChoose(to)
    else if (event.key === 'Enter' && chosen >= 0) onEnter(chosen)
    else return
    event.preventDefault()
  }
  const onContextMenu = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[aria-rowindex]') : null
    if (row === null) event.preventDefault()
    else onChoose(Number(row.getAttribute('aria-rowindex')) - 1)
  }
  return (
    <ContextMenu items={props.menu}>
      <div
        ref={scroller}
        className="ar-rows"
        role="treegrid"
        aria-label={props.label}
        aria-rowcount={count}
        aria-activedescendant={chosen >= 0 && chosen < count ? `${id}-${chosen}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <div role="presentation" className="ar-rows-inner" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(item => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the grid
            <div
              key={props.rowKey(item.index)}
              id={`${id}-${item.index}`}
              role="row"
              tabIndex={-1}
              aria-rowindex={item.index + 1}
              aria-selected={item.index === chosen}
              aria-level={level?.(item.index) ?? 1}
              className={item.index === chosen ? 'ar-row ar-on' : 'ar-row'}
              style={{ transform: `translateY(${item.start}px)` }}
              onClick={() => onChoose(item.index)}
              onDoubleClick={() => onEnter(item.index)}
            >
              {props.cells(item.index)}
            </div>
          ))}
        </div>
      </div>
    </ContextMenu>
  )
}

/** Row a key leads to, or null when it leads nowhere. */
export function targetRow(key: string, at: number, count: number, page: number): number | null {
  const clamp = (row: number) => Math.max(0, Math.min(row, count - 1))
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return clamp(at + 1)
    case 'ArrowUp':
      return clamp(at - 1)
    case 'PageDown':
      return clamp(at + page)
    case 'PageUp':
      return clamp(at - page)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
