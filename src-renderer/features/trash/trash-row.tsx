/** One deleted session in the trash. */
import type { TrashItem } from '@shared/ipc/models/change-models'
import { visiblePath } from '@shared/session/text'
import { PencilLine, RotateCcw, TriangleAlert, Users } from 'lucide-react'
import { Button } from '../../ui/button'
import { countOf, formatAge, formatBytes, formatExact } from '../../ui/format'

export function TrashRow(props: {
  item: TrashItem
  now: number
  selected: boolean
  /** Whether Tab reaches this one of the list. */
  first: boolean
  onSelect(selected: boolean): void
  onRestore(): void
  onDelete(): void
}) {
  const { item, now, selected, first, onSelect, onRestore, onDelete } = props
  return (
    <li
      className={selected ? 'plain-row plain-row-on' : 'plain-row'}
      data-item={item.id}
      data-roving={item.title}
      tabIndex={first ? 0 : -1}
    >
      <input
        type="checkbox"
        className="plain-check"
        aria-label={`Select ${item.title}`}
        checked={selected}
        onChange={event => onSelect(event.target.checked)}
      />
      <div className="plain-main">
        <p className="plain-title u-cut" title={visiblePath(item.originalFile)}>
          {item.title}
        </p>
        <p className="plain-facts u-num">
          <span title={item.shortCwd}>{item.projectName}</span>
          <span>
            {countOf(item.files, 'file')}, {formatBytes(item.bytes)}
          </span>
          {item.subagents > 0 ? (
            <span className="plain-fact">
              <Users aria-hidden />
              {countOf(item.subagents, 'subagent')}
            </span>
          ) : null}
          {item.hasDraft ? (
            <span className="plain-fact">
              <PencilLine aria-hidden />
              draft
            </span>
          ) : null}
          <span title={formatExact(item.deleted)}>
            {item.deleted === null ? 'time unknown' : `deleted ${formatDeleted(item.deleted, now)}`}
          </span>
        </p>
        {item.problem ? (
          <p className="plain-problem">
            <TriangleAlert aria-hidden />
            {item.problem}
          </p>
        ) : null}
      </div>
      <div className="plain-actions">
        <Button onClick={onRestore} disabled={item.problem !== null} aria-label={`Restore ${item.title}`}>
          <RotateCcw aria-hidden />
          Restore
        </Button>
        <Button look="quiet" onClick={onDelete} aria-label={`Delete for good… ${item.title}`}>
          Delete for good…
        </Button>
      </div>
    </li>
  )
}

function formatDeleted(time: number, now: number): string {
  const age = formatAge(time, now)
  return age === 'now' ? 'just now' : / (min|h|d)$/.test(age) ? `${age} ago` : age
}
