/** Recent changes: everything Grove did to files, each with Undo or the reason why not. */
import type { ChangeView } from '@shared/ipc/models/change-models'
import {
  Flame,
  GitFork,
  History,
  Milestone,
  NotebookPen,
  PencilLine,
  RefreshCw,
  RotateCcw,
  Route,
  Star,
  Tag,
  Trash2,
  Undo2,
} from 'lucide-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { errorHeading } from '../../commands/error-text'
import { undoChange } from '../../commands/flows/change-flows'
import { copyText } from '../../commands/flows/session-flows'
import { plainItem } from '../../commands/menu-items'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { countOf, formatClock, formatExact } from '../../ui/format'
import { ContextMenu, type MenuItem } from '../../ui/menu'
import { PlainBones } from '../../ui/plain-list'
import { useRoving } from '../../ui/roving'
import { EmptyState, ErrorState } from '../../ui/states'
import { Badge } from '../../ui/status-mark'
import { useMinute } from '../../ui/use-minute'
import { changesByDay } from './changes-by-day'

export function ChangesView() {
  const stores = useStores()
  const changes = useStore(stores.changes, state => state.changes)
  useEffect(() => void stores.changes.getState().refresh(), [stores])
  return (
    <section className="plain" aria-label="Recent changes">
      {changes.state === 'loading' ? (
        <PlainBones label="Loading recent changes" />
      ) : changes.state === 'error' ? (
        <ErrorState
          icon={<History aria-hidden />}
          title="The changes could not be read"
          text={`${errorHeading(changes.error.code)} ${changes.error.message}`}
          actions={
            <Button onClick={() => void stores.changes.getState().refresh()}>
              <RefreshCw aria-hidden />
              Try again
            </Button>
          }
        />
      ) : changes.value.length === 0 ? (
        <EmptyState icon={<History aria-hidden />} title="No changes yet">
          Looking never writes. Whatever you change, a title or a whole project, is kept here and can be
          undone.
        </EmptyState>
      ) : (
        <>
          <header className="plain-head">
            <div className="u-grow">
              <h2 className="plain-heading">Recent changes</h2>
              <p className="u-muted u-num">{countOf(changes.value.length, 'change')}</p>
            </div>
          </header>
          <ChangeRows changes={changes.value} />
        </>
      )}
    </section>
  )
}

/** All of them, by day; each row can be walked to and has a menu. */
function ChangeRows({ changes }: { changes: readonly ChangeView[] }) {
  const stores = useStores()
  const now = useMinute()
  const roving = useRoving()
  const chosen = useRef<ChangeView | undefined>(undefined)
  const onContextMenu = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-change]') : null
    chosen.current = changes.find(change => change.id === row?.dataset.change)
    if (chosen.current === undefined) event.preventDefault()
  }
  const items = (): MenuItem[] => {
    const change = chosen.current
    if (change === undefined) return []
    const text = [change.text, change.detail].filter(part => part !== '').join('\n')
    return [
      plainItem({
        key: 'change.undo',
        text: 'Undo',
        disabled: !change.canUndo,
        onSelect: () => void undoChange(stores, change.id),
      }),
      plainItem({
        key: 'change.copy',
        text: 'Copy text',
        onSelect: () => void copyText(stores, text, 'Text'),
      }),
    ]
  }
  return (
    <ContextMenu items={items}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its rows take focus and keys */}
      <div
        className="plain-rows"
        data-region-focus=""
        tabIndex={-1}
        onContextMenu={onContextMenu}
        {...roving}
      >
        {changesByDay(changes, now).map((group, at) => (
          <section key={group.key} aria-label={group.day}>
            <h3 className="plain-day">{group.day}</h3>
            <ul>
              {group.changes.map((change, index) => (
                <ChangeRow key={change.id} change={change} first={at === 0 && index === 0} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </ContextMenu>
  )
}

function KindIcon({ kind }: { kind: ChangeView['kind'] }) {
  switch (kind) {
    case 'delete':
      return <Trash2 aria-hidden />
    case 'restore':
      return <RotateCcw aria-hidden />
    case 'empty':
      return <Flame aria-hidden />
    case 're-root':
      return <Route aria-hidden />
    case 'fork':
      return <GitFork aria-hidden />
    case 'rename':
      return <PencilLine aria-hidden />
    case 'label':
      return <Tag aria-hidden />
    case 'star':
      return <Star aria-hidden />
    case 'continue':
      return <Milestone aria-hidden />
    case 'draft':
      return <NotebookPen aria-hidden />
    default:
      return kind satisfies never
  }
}

function ChangeRow({ change, first }: { change: ChangeView; first: boolean }) {
  const stores = useStores()
  const [busy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    await undoChange(stores, change.id)
    setBusy(false)
  }
  return (
    <li className="plain-row" data-change={change.id} data-roving={change.text} tabIndex={first ? 0 : -1}>
      <span className="plain-icon">
        <KindIcon kind={change.kind} />
      </span>
      <div className="plain-main">
        <p className="plain-title">{change.text}</p>
        <p className="plain-facts u-num">
          <span title={formatExact(change.time)}>{formatClock(change.time)}</span>
          {change.detail ? <span className="u-text">{change.detail}</span> : null}
        </p>
      </div>
      <div className="plain-actions">
        {change.state === 'undone' ? <Badge tone="plain">undone</Badge> : null}
        {change.state === 'unfinished' ? (
          <Badge title="It was interrupted. What it had begun is finished or taken back at the next start.">
            unfinished
          </Badge>
        ) : null}
        {change.canUndo ? (
          <Button disabled={busy} onClick={() => void undo()} aria-label={`Undo: ${change.text}`}>
            <Undo2 aria-hidden />
            Undo
          </Button>
        ) : change.whyNot && change.state !== 'undone' ? (
          <span className="plain-why">{change.whyNot}</span>
        ) : null}
      </div>
    </li>
  )
}
