/** One row of the transcript: its frame in the feed, and what its kind shows inside. */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { memo, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useStores } from '../../../stores/stores-context'
import { isUnfolded } from '../row-facts'
import { Divider, Note, Thinking } from './folded-rows'
import { AgentText, PromptCard } from './message-rows'
import { ToolCall } from './tool-row'

/** `measure` is the virtual list's: it reads the height. */
export const RowView = memo(function RowView(props: {
  row: TranscriptRow | undefined
  index: number
  total: number
  start: number
  measure: (element: HTMLElement | null) => void
}) {
  const { transcript } = useStores()
  const { row, index, total, start, measure } = props
  const current = useStore(transcript, state => state.current === index)
  return (
    <article
      ref={measure}
      data-index={index}
      data-row-kind={row?.kind ?? 'loading'}
      className={current ? 'tr-row tr-current' : 'tr-row'}
      style={{ transform: `translateY(${start}px)` }}
      tabIndex={-1}
      aria-posinset={index + 1}
      aria-setsize={total}
      aria-label={row === undefined ? 'Loading' : rowName(row)}
      onFocus={() => transcript.getState().setCurrent(index)}
    >
      <div className="tr-col">
        {row === undefined ? <RowSkeleton /> : <RowBody row={row} index={index} />}
      </div>
    </article>
  )
})

/** What a row shows, wherever it stands. */
export function RowBody({ row, index }: { row: TranscriptRow; index: number }): ReactNode {
  const { transcript } = useStores()
  const unfolded = useStore(transcript, state => isUnfolded(row, state))
  const onToggle = () => transcript.getState().setFold(row.key, !unfolded)
  switch (row.kind) {
    case 'prompt':
      return <PromptCard row={row} index={index} />
    case 'agent':
      return <AgentText row={row} index={index} />
    case 'thinking':
      return <Thinking row={row} index={index} unfolded={unfolded} onToggle={onToggle} />
    case 'tool':
      return <ToolCall row={row} index={index} unfolded={unfolded} onToggle={onToggle} />
    case 'divider':
      return <Divider row={row} index={index} unfolded={unfolded} onToggle={onToggle} />
    case 'note':
      return <Note row={row} index={index} unfolded={unfolded} onToggle={onToggle} />
  }
}

function rowName(row: TranscriptRow): string {
  switch (row.kind) {
    case 'prompt':
      return row.synthetic ? 'Prompt by the program' : 'Your prompt'
    case 'agent':
      return 'Agent'
    case 'thinking':
      return 'Thinking'
    case 'tool':
      return `Tool ${row.name}`
    case 'divider':
      return row.text
    case 'note':
      return row.title
  }
}

/** Grey bars where text will be. */
export function RowSkeleton() {
  return (
    <div className="tr-skeleton" aria-hidden>
      <span />
      <span />
    </div>
  )
}
