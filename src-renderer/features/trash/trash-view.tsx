/** The trash: what lies in it and where; restore, delete for good, empty. */
import type { TrashView as Trash, TrashItem } from '@shared/ipc/models/change-models'
import { visiblePath } from '@shared/session/text'
import { FolderOpen, RefreshCw, RotateCcw, Trash2 } from 'lucide-react'
import { type MouseEvent, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { errorHeading } from '../../commands/error-text'
import { restore } from '../../commands/flows/change-flows'
import { tellFailure } from '../../commands/flows/session-flows'
import { plainItem } from '../../commands/menu-items'
import { toggle } from '../../stores/selection'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { countOf, formatBytes, formatCount } from '../../ui/format'
import { ContextMenu, type MenuItem } from '../../ui/menu'
import { PlainBones } from '../../ui/plain-list'
import { useRoving } from '../../ui/roving'
import { EmptyState, ErrorState } from '../../ui/states'
import { useMinute } from '../../ui/use-minute'
import { TrashRow } from './trash-row'

export function TrashView() {
  const stores = useStores()
  const view = useStore(stores.trash, state => state.view)
  useEffect(() => void stores.trash.getState().refresh(), [stores])
  return (
    <section className="plain" aria-label="Trash">
      {view.state === 'loading' ? (
        <PlainBones label="Loading the trash" />
      ) : view.state === 'error' ? (
        <ErrorState
          icon={<Trash2 aria-hidden />}
          title="The trash could not be read"
          text={`${errorHeading(view.error.code)} ${view.error.message}`}
          actions={
            <Button onClick={() => void stores.trash.getState().refresh()}>
              <RefreshCw aria-hidden />
              Try again
            </Button>
          }
        />
      ) : view.value.items.length === 0 ? (
        <EmptyState icon={<Trash2 aria-hidden />} title="The trash is empty">
          Deleted sessions come here with everything that belongs to them, and stay until you empty it.
        </EmptyState>
      ) : (
        <Items trash={view.value} />
      )}
    </section>
  )
}

function Items({ trash }: { trash: Trash }) {
  const stores = useStores()
  const now = useMinute()
  const selection = useStore(stores.trash, state => state.selection)
  const chosen = trash.items.filter(item => selection.picked.has(item.id))
  const ask = (items: TrashItem[]) =>
    stores.dialogs.getState().show({ kind: 'empty-trash', items, all: items.length === trash.items.length })
  const first = trash.items[0]
  const locations = trash.locations.map(visiblePath)
  const reveal = (id: string) => void tellFailure(stores, stores.client.call('trash.reveal', { id }))
  const roving = useRoving()
  const meant = useRef<readonly TrashItem[]>([])
  const onContextMenu = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-item]') : null
    const item = trash.items.find(one => one.id === row?.dataset.item)
    // On one of those that are selected, the menu is about all of them.
    meant.current = item === undefined ? [] : chosen.includes(item) ? chosen : [item]
    if (item === undefined) event.preventDefault()
  }
  const menu = (): MenuItem[] => {
    const items = meant.current
    const [one] = items
    const count = items.length > 1 ? ` ${formatCount(items.length)} sessions` : ''
    return [
      plainItem({
        key: 'trash.restore',
        text: `Restore${count}`,
        disabled: items.every(item => item.problem !== null),
        onSelect: () =>
          void restore(
            stores,
            items.map(item => item.id),
          ),
      }),
      plainItem({
        key: 'trash.reveal',
        text: 'Show in file manager',
        disabled: items.length !== 1,
        onSelect: () => one && reveal(one.id),
      }),
      { kind: 'line', key: 'line' },
      plainItem({
        key: 'trash.delete',
        text: `Delete${count} for good…`,
        danger: true,
        onSelect: () => ask([...items]),
      }),
    ]
  }
  return (
    <>
      <header className="plain-head">
        <div className="u-grow">
          <h2 className="plain-heading">Trash</h2>
          <p className="u-muted u-num">
            {chosen.length > 0
              ? `${formatCount(chosen.length)} of ${countOf(trash.items.length, 'session')} selected`
              : `${countOf(trash.items.length, 'session')}, ${countOf(trash.files, 'file')}, ${formatBytes(trash.bytes)}`}
          </p>
          <p className="plain-where u-muted u-cut" title={locations.join('\n')}>
            Kept until you empty it, in <span className="u-mono u-text">{locations.join(', ')}</span>
          </p>
        </div>
        {chosen.length > 0 ? (
          <>
            <Button
              onClick={() =>
                void restore(
                  stores,
                  chosen.map(item => item.id),
                )
              }
            >
              <RotateCcw aria-hidden />
              Restore {formatCount(chosen.length)}
            </Button>
            <Button onClick={() => ask(chosen)}>
              <Trash2 aria-hidden />
              Delete {formatCount(chosen.length)} for good…
            </Button>
          </>
        ) : (
          <>
            {first ? (
              <Button look="quiet" onClick={() => reveal(first.id)}>
                <FolderOpen aria-hidden />
                Show in file manager
              </Button>
            ) : null}
            <Button onClick={() => ask(trash.items)}>
              <Trash2 aria-hidden />
              Empty trash…
            </Button>
          </>
        )}
      </header>
      <ContextMenu items={menu}>
        <ul
          className="plain-rows"
          data-region-focus=""
          tabIndex={-1}
          onContextMenu={onContextMenu}
          {...roving}
        >
          {trash.items.map((item, index) => (
            <TrashRow
              key={item.id}
              item={item}
              now={now}
              first={index === 0}
              selected={selection.picked.has(item.id)}
              onSelect={() => stores.trash.getState().setSelection(toggle(selection, item.id))}
              onRestore={() => void restore(stores, [item.id])}
              onDelete={() => ask([item])}
            />
          ))}
        </ul>
      </ContextMenu>
    </>
  )
}
