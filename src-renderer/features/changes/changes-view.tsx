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
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { errorHeading } from '../../commands/error-text'
import { undoChange } from '../../commands/flows/change-flows'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { countOf, formatExact, formatWhen } from '../../ui/format'
import { PlainBones } from '../../ui/plain-list'
import { EmptyState, ErrorState } from '../../ui/states'
import { Badge } from '../../ui/status-mark'
import { useMinute } from '../../ui/use-minute'

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
          <ul className="plain-rows" data-region-focus="" tabIndex={-1}>
            {changes.value.map(change => (
              <ChangeRow key={change.id} change={change} />
            ))}
          </ul>
        </>
      )}
    </section>
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

function ChangeRow({ change }: { change: ChangeView }) {
  const stores = useStores()
  const now = useMinute()
  const [busy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    await undoChange(stores, change.id)
    setBusy(false)
  }
  return (
    <li className="plain-row">
      <span className="plain-icon">
        <KindIcon kind={change.kind} />
      </span>
      <div className="plain-main">
        <p className="plain-title">{change.text}</p>
        <p className="plain-facts u-num">
          <span title={formatExact(change.time)}>{formatWhen(change.time, now)}</span>
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
