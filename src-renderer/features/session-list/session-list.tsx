/** The session list: a virtual listbox with one row per session, its bar above, its states in its place. */
import type { SessionRow as Row } from '@shared/ipc/models/library-models'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useId, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { openSession } from '../../commands/flows/navigate'
import { sessionItems } from '../../commands/menu-items'
import { readyValue } from '../../stores/async'
import { cursorInList, pickedInList } from '../../stores/list-store'
import { enter, extendTo, pickOnly, toggle } from '../../stores/selection'
import { useStores } from '../../stores/stores-context'
import { ContextMenu } from '../../ui/menu'
import { Bone } from '../../ui/states'
import { useMinute } from '../../ui/use-minute'
import { ListFilter } from './list-filter'
import { FolderNotice, ListHeader, SelectionBar } from './list-header'
import { listItems, rowUpTo } from './list-items'
import { ListBones, ListEmpty, ListError } from './list-states'
import { RenameInList } from './rename-in-list'
import { SessionRow } from './session-row'
import { useListKeys } from './use-list-keys'
import './session-list.css'

const DAY_HEIGHT = 28
const ROW_HEIGHT = 66
/** Rows fetched beyond the last one on screen. */
const AHEAD = 100

export type SessionListProps = {
  /** Whether walking through the list opens sessions; not where a session takes the list's place. */
  follow: boolean
  /** A session was opened with Enter: the keyboard goes there. */
  onEnter(): void
}

const SCOPE_TITLES = { all: 'All sessions', starred: 'Starred', archived: 'Archived' } as const

export function SessionList({ follow, onEnter }: SessionListProps) {
  const stores = useStores()
  const scope = useStore(stores.list, state => state.scope)
  const phase = useStore(stores.list, state => state.phase)
  const rows = useStore(stores.list, state => state.rows)
  const picked = useStore(stores.list, state => pickedInList(state).length)
  const snapshot = readyValue(useStore(stores.library, state => state.snapshot))
  const project =
    scope.kind === 'project'
      ? snapshot?.projects.find(candidate => candidate.ref === scope.project)
      : undefined
  const title = scope.kind === 'project' ? (project?.name ?? 'Project') : SCOPE_TITLES[scope.kind]
  return (
    <div className="list">
      {picked > 1 ? <SelectionBar count={picked} /> : <ListHeader title={title} />}
      <ListFilter />
      {project ? <FolderNotice project={project} /> : null}
      <div className={phase === 'refreshing' ? 'list-progress list-busy' : 'list-progress'} />
      {phase === 'loading' ? (
        <ListBones />
      ) : phase === 'error' && rows.length === 0 ? (
        <ListError />
      ) : rows.length === 0 ? (
        <ListEmpty />
      ) : (
        <Rows rows={rows} name={title} follow={follow} onEnter={onEnter} />
      )}
    </div>
  )
}

function Rows({ rows, name, follow, onEnter }: SessionListProps & { rows: readonly Row[]; name: string }) {
  const stores = useStores()
  const id = useId()
  const now = useMinute()
  const total = useStore(stores.list, state => state.total)
  const sort = useStore(stores.list, state => state.sort)
  const scope = useStore(stores.list, state => state.scope)
  const selection = useStore(stores.list, state => state.selection)
  const scroller = useRef<HTMLDivElement>(null)
  const commands = useCommands()
  const renaming = useStore(stores.rename, state => (state.at === 'list' ? state.session : null))

  const items = useMemo(() => listItems(rows, total, sort, now), [rows, total, sort, now])
  const itemOf = useMemo(() => new Map(items.map((item, at) => [item.key, at])), [items])
  const cursorItem = selection.cursor === null ? undefined : itemOf.get(selection.cursor)
  const renamedItem = renaming === null ? undefined : itemOf.get(renaming)

  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: at => (items[at]?.kind === 'day' ? DAY_HEIGHT : ROW_HEIGHT),
    getItemKey: at => items[at]?.key ?? at,
    overscan: 6,
    // The cursor's row stays in the page even when scrolled away: `aria-activedescendant` names it.
    rangeExtractor: range => {
      const shown = new Set(defaultRangeExtractor(range))
      for (const item of [cursorItem, renamedItem]) {
        if (item !== undefined && item < items.length) shown.add(item)
      }
      return [...shown].sort((a, b) => a - b)
    },
  })

  // Sizes depend on what stands at an index, so they are taken anew when the lines change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `items` is the reason to measure
  useEffect(() => virtual.measure(), [items, virtual])

  const shown = virtual.getVirtualItems()
  const last = shown[shown.length - 1]?.index ?? 0
  const lastRow = rowUpTo(items, last)
  useEffect(() => {
    if (rows.length > 0) void stores.list.getState().loadTo(lastRow + AHEAD)
  }, [lastRow, rows.length, stores])

  useEffect(() => {
    if (cursorItem === undefined) return
    // The first row is shown with its day.
    virtual.scrollToIndex(cursorItem === 1 ? 0 : cursorItem, { align: 'auto' })
  }, [cursorItem, virtual])

  useEffect(() => {
    if (renaming === null) return
    if (renamedItem === undefined) stores.rename.getState().end()
    else virtual.scrollToIndex(renamedItem, { align: 'auto' })
  }, [renaming, renamedItem, virtual, stores])

  // Until the rows answer what was typed, they may still move under a click.
  const busy = useStore(stores.list, state => state.phase === 'refreshing')

  const onKeyDown = useListKeys({
    page: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? ROW_HEIGHT) / ROW_HEIGHT) - 1),
    follow,
    onEnter,
  })

  const refAt = (event: MouseEvent): string | null =>
    event.target instanceof Element
      ? (event.target.closest<HTMLElement>('[data-ref]')?.dataset.ref ?? null)
      : null

  const rowId = (ref: string) => `${id}-${ref}`
  const onClick = (event: MouseEvent) => {
    const ref = refAt(event)
    if (ref === null) return
    // Drawn only, for the mouse: by keyboard and for those who hear the row it is a command.
    if (event.target instanceof Element && event.target.closest('[data-star]')) {
      commands.run('session.star', { kind: 'sessions', sessions: [ref], at: 'list' })
      return
    }
    const list = stores.list.getState()
    const order = list.rows.map(row => row.ref)
    const add = event.ctrlKey || event.metaKey
    if (event.shiftKey) list.setSelection(extendTo(list.selection, order, ref, add))
    else if (add) list.setSelection(toggle(list.selection, ref))
    else {
      list.setSelection(pickOnly(ref))
      openSession(stores, ref)
    }
  }

  const enterRows = (pointed: boolean) => {
    const list = stores.list.getState()
    const order = list.rows.map(row => row.ref)
    const entered = enter(list.selection, order, pointed)
    if (entered !== list.selection) list.setSelection(entered)
  }

  const onContextMenu = (event: MouseEvent) => {
    const list = stores.list.getState()
    const ref = refAt(event) ?? cursorInList(list)
    if (ref === null) event.preventDefault()
    else if (!list.selection.picked.has(ref)) list.setSelection(pickOnly(ref))
  }
  const menu = () => sessionItems(stores, commands, pickedInList(stores.list.getState()), 'list')

  const renamed = shown.find(item => item.index === renamedItem)
  const renamedRow = renaming === null ? undefined : rows.find(row => row.ref === renaming)
  return (
    <div className="list-frame">
      <ContextMenu items={menu}>
        <div
          ref={scroller}
          className="list-rows"
          role="listbox"
          tabIndex={0}
          aria-multiselectable
          aria-busy={busy}
          aria-label={name}
          aria-activedescendant={
            selection.cursor !== null && cursorItem !== undefined ? rowId(selection.cursor) : undefined
          }
          data-region-focus=""
          onKeyDown={onKeyDown}
          onClick={onClick}
          onContextMenu={onContextMenu}
          onMouseDown={() => enterRows(true)}
          onFocus={() => enterRows(false)}
        >
          <div className="list-inner" role="presentation" style={{ height: virtual.getTotalSize() }}>
            {shown.map(({ index, key, start }) => {
              const item = items[index]
              if (!item) return null
              if (item.kind === 'day') {
                return (
                  <div
                    key={key}
                    aria-hidden
                    className="list-day"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    {item.text}
                  </div>
                )
              }
              const row = rows[item.index]
              if (!row) {
                return (
                  <div
                    key={key}
                    aria-hidden
                    className="srow list-bone"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <Bone width="58%" height={11} />
                    <Bone width="84%" />
                  </div>
                )
              }
              return (
                <SessionRow
                  key={key}
                  row={row}
                  id={rowId(row.ref)}
                  now={now}
                  position={item.index}
                  total={total}
                  withProject={scope.kind !== 'project'}
                  selected={selection.picked.has(row.ref)}
                  cursor={selection.cursor === row.ref}
                  top={start}
                />
              )
            })}
          </div>
        </div>
      </ContextMenu>
      {renamed && renamedRow ? (
        <RenameInList key={renamedRow.ref} row={renamedRow} top={renamed.start} scroller={scroller} />
      ) : null}
    </div>
  )
}
