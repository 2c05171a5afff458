/** The drafts of all sessions: a list that opens, copies, discards and reveals them. */
import type { DraftItem, DraftsView as Drafts } from '@shared/ipc/models/manage-models'
import { Copy, FolderOpen, PencilLine, RefreshCw, Search, SquarePen, Trash2 } from 'lucide-react'
import { type MouseEvent, useEffect, useId, useRef } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { errorHeading } from '../../commands/error-text'
import { copyListedDraft, discardDrafts, openDraft } from '../../commands/flows/draft-flows'
import { tellFailure } from '../../commands/flows/session-flows'
import { type DraftsStore, draftsStoreOf } from '../../stores/drafts-store'
import { extendTo, pickOnly, toggle } from '../../stores/selection'
import { type Stores, useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { FilterField } from '../../ui/filter-field'
import { countOf, formatCount } from '../../ui/format'
import { ContextMenu, type MenuItem } from '../../ui/menu'
import { PlainBones } from '../../ui/plain-list'
import { EmptyState, ErrorState } from '../../ui/states'
import { useMinute } from '../../ui/use-minute'
import { canDiscard, filterDrafts } from './draft-facts'
import { DraftRow } from './draft-row'
import { useDraftKeys } from './use-draft-keys'
import './drafts.css'

/** Height of a row (px), near enough for a page of them. */
const ROW_HEIGHT = 84

export function DraftsView() {
  const { client } = useStores()
  const store = draftsStoreOf(client)
  const view = useStore(store, state => state.view)
  useEffect(() => store.getState().shown(), [store])
  return (
    <section className="plain" aria-label="Drafts">
      {view.state === 'loading' ? (
        <PlainBones label="Loading the drafts" />
      ) : view.state === 'error' ? (
        <ErrorState
          icon={<PencilLine aria-hidden />}
          title="The drafts could not be read"
          text={`${errorHeading(view.error.code)} ${view.error.message}`}
          actions={
            <Button onClick={() => void store.getState().refresh()}>
              <RefreshCw aria-hidden />
              Try again
            </Button>
          }
        />
      ) : view.value.items.length === 0 ? (
        <EmptyState icon={<PencilLine aria-hidden />} title="No drafts">
          Text that was typed in omp but not sent appears here, and what you write in a session’s Draft tab.
        </EmptyState>
      ) : (
        <Items store={store} drafts={view.value} />
      )}
    </section>
  )
}

const open = (stores: Stores, { session }: DraftItem) => {
  if (session !== null) openDraft(stores, session)
}

const discard = (stores: Stores, items: readonly DraftItem[]) =>
  void discardDrafts(
    stores,
    items.filter(canDiscard).flatMap(({ session }) => (session === null ? [] : [session])),
  )

const reveal = (stores: Stores, { ref }: DraftItem) =>
  void tellFailure(stores, stores.client.call('drafts.reveal', { draft: ref }))

function Items({ store, drafts }: { store: DraftsStore; drafts: Drafts }) {
  const stores = useStores()
  const filter = useStore(store, state => state.filter)
  const selection = useStore(store, state => state.selection)
  const items = filterDrafts(drafts.items, filter)
  const chosen = items.filter(item => selection.picked.has(item.ref))
  const [first] = chosen
  const going = chosen.filter(canDiscard)
  const count =
    chosen.length > 1
      ? `${formatCount(chosen.length)} of ${countOf(items.length, 'draft')} selected`
      : items.length === drafts.items.length
        ? countOf(items.length, 'draft')
        : `${formatCount(items.length)} of ${countOf(drafts.items.length, 'draft')}`
  return (
    <>
      <header className="plain-head">
        <div className="drafts-count u-grow">
          <h2 className="plain-heading">Drafts</h2>
          <p className="u-muted u-num" aria-live="polite">
            {count}
          </p>
        </div>
        <FilterBox store={store} />
        <div className="plain-actions" role="toolbar" aria-label="Chosen draft">
          <Button
            disabled={chosen.length !== 1 || first?.session === null}
            onClick={() => first && open(stores, first)}
          >
            <SquarePen aria-hidden />
            Open
          </Button>
          <Button
            disabled={chosen.length !== 1 || first?.problem !== null}
            onClick={() => first && void copyListedDraft(stores, first.ref)}
          >
            <Copy aria-hidden />
            Copy
          </Button>
          <Button disabled={going.length === 0} onClick={() => discard(stores, going)}>
            <Trash2 aria-hidden />
            {going.length > 1 ? `Discard ${formatCount(going.length)}` : 'Discard'}
          </Button>
        </div>
      </header>
      {items.length === 0 ? (
        <EmptyState
          icon={<Search aria-hidden />}
          title={`No draft matches “${filter.trim()}”`}
          actions={<Button onClick={() => store.getState().setFilter('')}>Clear filter</Button>}
        >
          The filter looks at how drafts begin, at session titles and projects.
        </EmptyState>
      ) : (
        <Rows store={store} items={items} />
      )}
    </>
  )
}

function FilterBox({ store }: { store: DraftsStore }) {
  const commands = useCommands()
  const filter = useStore(store, state => state.filter)
  const { setFilter } = store.getState()
  return (
    <search className="drafts-filter">
      <FilterField
        label="Filter drafts"
        placeholder="Filter drafts"
        main={{ keys: commands.keys('find.here') }}
        value={filter}
        onChange={setFilter}
      />
    </search>
  )
}

function Rows({ store, items }: { store: DraftsStore; items: readonly DraftItem[] }) {
  const stores = useStores()
  const id = useId()
  const now = useMinute()
  const scroller = useRef<HTMLDivElement>(null)
  const selection = useStore(store, state => state.selection)
  const rowId = (ref: string) => `${id}-${ref}`
  const cursor = items.some(item => item.ref === selection.cursor) ? selection.cursor : null

  // biome-ignore lint/correctness/useExhaustiveDependencies: the cursor is the reason to scroll
  useEffect(() => {
    scroller.current?.querySelector('.drow-cursor')?.scrollIntoView({ block: 'nearest' })
  }, [cursor])

  const onKeyDown = useDraftKeys({
    store,
    items,
    page: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? ROW_HEIGHT) / ROW_HEIGHT) - 1),
    open: item => open(stores, item),
    discard: going => discard(stores, going),
  })

  const itemAt = (event: MouseEvent): DraftItem | undefined => {
    const row = event.target instanceof Element ? event.target.closest('[data-ref]') : null
    return items.find(item => item.ref === row?.getAttribute('data-ref'))
  }
  const onClick = (event: MouseEvent) => {
    const item = itemAt(event)
    if (!item) return
    const { setSelection } = store.getState()
    const add = event.ctrlKey || event.metaKey
    const order = items.map(({ ref }) => ref)
    if (event.shiftKey) setSelection(extendTo(selection, order, item.ref, add))
    else if (add) setSelection(toggle(selection, item.ref))
    else setSelection(pickOnly(item.ref))
  }
  const onContextMenu = (event: MouseEvent) => {
    const item = itemAt(event) ?? items.find(({ ref }) => ref === cursor)
    if (!item) event.preventDefault()
    else if (!selection.picked.has(item.ref)) store.getState().setSelection(pickOnly(item.ref))
  }

  return (
    <ContextMenu
      items={() => {
        const { picked } = store.getState().selection
        return draftMenu(
          stores,
          items.filter(({ ref }) => picked.has(ref)),
        )
      }}
    >
      <div
        ref={scroller}
        className="plain-rows drafts-rows"
        role="listbox"
        tabIndex={0}
        aria-multiselectable
        aria-label="Drafts"
        aria-activedescendant={cursor === null ? undefined : rowId(cursor)}
        data-region-focus=""
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={event => {
          const item = itemAt(event)
          if (item) open(stores, item)
        }}
        onContextMenu={onContextMenu}
        onFocus={() => {
          const [first] = items
          if (cursor === null && first) store.getState().setSelection(pickOnly(first.ref))
        }}
      >
        {items.map((item, position) => (
          <DraftRow
            key={item.ref}
            item={item}
            id={rowId(item.ref)}
            now={now}
            position={position}
            total={items.length}
            selected={selection.picked.has(item.ref)}
            cursor={item.ref === cursor}
          />
        ))}
      </div>
    </ContextMenu>
  )
}

/** The menu of the chosen drafts: more than one can only be discarded. */
function draftMenu(stores: Stores, chosen: readonly DraftItem[]): MenuItem[] {
  const [first, ...others] = chosen
  if (!first) return []
  const going = chosen.filter(canDiscard)
  const away: MenuItem = {
    kind: 'item',
    key: 'discard',
    icon: <Trash2 />,
    text: others.length === 0 ? 'Discard' : `Discard ${formatCount(going.length)} drafts`,
    keys: 'Del',
    danger: true,
    disabled: going.length === 0,
    onSelect: () => discard(stores, going),
  }
  if (others.length > 0) return [away]
  return [
    {
      kind: 'item',
      key: 'open',
      icon: <SquarePen />,
      text: 'Open',
      keys: 'Enter',
      disabled: first.session === null,
      onSelect: () => open(stores, first),
    },
    {
      kind: 'item',
      key: 'copy',
      icon: <Copy />,
      text: 'Copy',
      disabled: first.problem !== null,
      onSelect: () => void copyListedDraft(stores, first.ref),
    },
    {
      kind: 'item',
      key: 'reveal',
      icon: <FolderOpen />,
      text: 'Show in file manager',
      onSelect: () => reveal(stores, first),
    },
    { kind: 'line', key: 'line' },
    away,
  ]
}
