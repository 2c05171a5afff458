/** The rows of the graph in a virtual list that takes the keyboard. */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { branchesStoreOf } from '../../stores/branches-store'
import { previewsStoreOf } from '../../stores/previews-store'
import { useStores } from '../../stores/stores-context'
import { ContextMenu } from '../../ui/menu'
import { GraphRow } from './graph-row'
import { laneColumn, ROW_HEIGHT } from './row-drawing'
import type { Graph } from './use-graph'
import { useGraphMenu } from './use-graph-menu'

const PAGE = 12

export function GraphList(props: {
  graph: Graph
  hits: ReadonlySet<number>
  onShowPath: (ordinal: number) => void
  onKey: (event: KeyboardEvent<HTMLElement>) => boolean
}) {
  const { client } = useStores()
  const branches = branchesStoreOf(client)
  const { graph, hits, onShowPath, onKey } = props
  const { layout, tree } = graph
  const chosen = useStore(branches, state => state.chosen)
  const scroller = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(700)
  const chosenRow = layout.rowOf[chosen ?? tree.leaf ?? -1] ?? -1

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const rangeExtractor = useCallback(
    (range: Range) => {
      const rows = defaultRangeExtractor(range)
      // The chosen row is named by the grid, so it has to be in the document.
      if (chosenRow < 0 || chosenRow >= range.count || rows.includes(chosenRow)) return rows
      return chosenRow < (rows[0] ?? 0) ? [chosenRow, ...rows] : [...rows, chosenRow]
    },
    [chosenRow],
  )
  const list = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: layout.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    paddingStart: 8,
    paddingEnd: 8,
    rangeExtractor,
  })

  const items = list.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items[items.length - 1]?.index ?? -1
  useEffect(() => {
    const wanted: number[] = []
    for (let row = first; row <= last && row < first + 200; row++) {
      if ((layout.folded[row] ?? 0) === 0) wanted.push(layout.ordinal[row] ?? 0)
    }
    previewsStoreOf(client).getState().need(wanted)
  }, [client, layout, first, last])

  useEffect(() => {
    if (chosenRow >= 0) list.scrollToIndex(chosenRow, { align: 'auto' })
  }, [chosenRow, list])

  const choose = useCallback(
    (row: number) => {
      const ordinal = layout.ordinal[row]
      if (ordinal !== undefined) branches.getState().choose(ordinal)
    },
    [branches, layout],
  )
  const show = useCallback(
    (row: number) => {
      const ordinal = layout.ordinal[row]
      if (ordinal !== undefined) onShowPath(ordinal)
    },
    [layout, onShowPath],
  )
  const toggle = useCallback(
    (row: number) => {
      const state = branches.getState()
      const open = layout.openRun[row] ?? -1
      const run = open >= 0 ? open : (layout.oldest[row] ?? -1)
      if (open < 0 && (layout.folded[row] ?? 0) === 0) return
      state.choose(layout.ordinal[row] ?? run)
      state.toggleRun(run)
    },
    [branches, layout],
  )

  const move = (row: number) => choose(Math.max(0, Math.min(row, layout.count - 1)))
  /** True when the key was used. */
  const press = (key: string): boolean => {
    const folded = (layout.folded[chosenRow] ?? 0) > 0
    switch (key) {
      case 'ArrowDown':
      case 'j':
        move(chosenRow + 1)
        return true
      case 'ArrowUp':
      case 'k':
        move(chosenRow - 1)
        return true
      case 'PageDown':
        move(chosenRow + PAGE)
        return true
      case 'PageUp':
        move(chosenRow - PAGE)
        return true
      case 'Home':
        move(0)
        return true
      case 'End':
        move(layout.count - 1)
        return true
      case 'ArrowRight':
        if (folded) toggle(chosenRow)
        return true
      case 'ArrowLeft':
        if ((layout.openRun[chosenRow] ?? -1) >= 0) toggle(chosenRow)
        return true
      case 'Enter':
      case ' ':
        if (folded) toggle(chosenRow)
        else if (key === 'Enter') show(chosenRow)
        return true
      default:
        return false
    }
  }
  const rowMenu = useGraphMenu(graph, { toggle, show })
  const onContextMenu = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[aria-rowindex]') : null
    if (row === null) event.preventDefault()
    else choose(Number(row.getAttribute('aria-rowindex')) - 1)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (press(event.key) || onKey(event)) event.preventDefault()
  }

  const column = laneColumn(layout.maxLane, width)
  return (
    <ContextMenu items={rowMenu}>
      <div
        ref={scroller}
        className="br-graph"
        role="treegrid"
        aria-label="Branches"
        aria-rowcount={layout.count}
        aria-activedescendant={chosenRow >= 0 ? `br-row-${chosenRow}` : undefined}
        // The grid takes the focus; its rows are named through aria-activedescendant.
        tabIndex={0}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <div className="br-rows" role="presentation" style={{ height: list.getTotalSize() }}>
          {items.map(item => (
            <GraphRow
              key={item.index}
              graph={graph}
              row={item.index}
              lanes={column.lanes}
              laneWidth={column.width}
              start={item.start}
              chosen={item.index === chosenRow}
              hit={hits.has(item.index)}
              leaf={layout.ordinal[item.index] === tree.leaf}
              onChoose={choose}
              onShow={show}
              onToggle={toggle}
            />
          ))}
        </div>
      </div>
    </ContextMenu>
  )
}
