/** One draft among those of all sessions: whose it is, when it was written, and how it begins. */
import type { DraftItem } from '@shared/ipc/models/manage-models'
import { CircleCheck, Lock, TriangleAlert, Unlink } from 'lucide-react'
import { formatAge, formatExact } from '../../ui/format'
import { draftSize, draftTitle } from './draft-facts'

export function DraftRow(props: {
  item: DraftItem
  id: string
  now: number
  position: number
  total: number
  selected: boolean
  cursor: boolean
}) {
  const { item, now } = props
  return (
    // The listbox handles keys and clicks for all of its rows; focus stays on it.
    <div
      id={props.id}
      role="option"
      tabIndex={-1}
      aria-selected={props.selected}
      aria-setsize={props.total}
      aria-posinset={props.position + 1}
      data-ref={item.ref}
      className={props.cursor ? 'drow drow-cursor' : 'drow'}
    >
      <div className="drow-line">
        <span className="drow-title u-cut">{draftTitle(item)}</span>
        <span className="drow-when u-num" title={formatExact(item.modified)}>
          {formatAge(item.modified, now)}
        </span>
      </div>
      {item.problem === null ? <div className="drow-text u-text">{item.preview}</div> : null}
      <div className="drow-facts u-num">
        {item.problem === null ? null : (
          <span className="drow-fact drow-problem">
            <TriangleAlert aria-hidden />
            {item.problem}
          </span>
        )}
        {item.session === null ? (
          <span className="drow-fact drow-problem">
            <Unlink aria-hidden />
            its session is gone
          </span>
        ) : null}
        {item.alreadySent ? (
          <span className="drow-fact drow-sent" title="The last prompt of its session is the same text">
            <CircleCheck aria-hidden />
            already sent
          </span>
        ) : null}
        {item.projectName === '' ? null : <span title={item.shortCwd}>{item.projectName}</span>}
        {item.problem === null ? <span>{draftSize(item)}</span> : null}
        {item.readOnly ? (
          <span className="drow-fact">
            <Lock aria-hidden />
            read-only
          </span>
        ) : null}
      </div>
    </div>
  )
}
