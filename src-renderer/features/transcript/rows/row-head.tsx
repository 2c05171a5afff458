/** The line above a message: who, when, with which model, and the marks of the entry. */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import type { ReactNode } from 'react'
import { formatExact } from '../../../ui/format'
import { ForkSwitcher, Labels } from '../parts/row-marks'
import { rowTime } from '../row-facts'

/** `extra` stands between the time and the marks. */
export function RowHead(props: {
  row: TranscriptRow
  index: number
  who: string
  extra?: ReactNode
  actions?: ReactNode
}) {
  const { row, index, who, extra, actions } = props
  return (
    <div className="tr-who">
      <span className="tr-name">{who}</span>
      <RowTime row={row} />
      {extra}
      <span className="u-grow" />
      {actions}
      <RowMarks row={row} index={index} />
    </div>
  )
}

/** The time of an entry; what stands in the file when it is no usable time. */
export function RowTime({ row }: { row: TranscriptRow }) {
  if (row.time === null) {
    return row.rawTime === null ? null : (
      <span className="tr-time" title={`As written in the file: ${row.rawTime}`}>
        time unknown
      </span>
    )
  }
  const exact = formatExact(row.time)
  return (
    <time
      className="tr-time"
      dateTime={new Date(row.time).toISOString()}
      title={row.rawTime === null ? exact : `${exact}; as written in the file: ${row.rawTime}`}
    >
      {rowTime(row.time, Date.now())}
    </time>
  )
}

/** Labels and fork switcher of an entry, if any. */
export function RowMarks({ row, index }: { row: TranscriptRow; index: number }) {
  return (
    <>
      <Labels labels={row.labels} />
      {row.fork !== null && <ForkSwitcher fork={row.fork} row={index} />}
    </>
  )
}

/** The agent's line, where a message of the agent begins; else only the marks, when there are some. */
export function AgentHead(props: {
  row: TranscriptRow & { head: boolean; model: string | null }
  index: number
  extra?: ReactNode
}) {
  const { row, index, extra } = props
  if (!row.head && row.labels.length === 0 && row.fork === null) return null
  if (!row.head) {
    return (
      <div className="tr-who">
        <span className="u-grow" />
        <RowMarks row={row} index={index} />
      </div>
    )
  }
  return (
    <RowHead
      row={row}
      index={index}
      who="Agent"
      extra={
        <>
          {row.model !== null && <span className="tr-model u-cut">{row.model}</span>}
          {extra}
        </>
      }
    />
  )
}
