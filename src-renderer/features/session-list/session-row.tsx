/** One session in the list: title and time, first prompt, facts. */
import type { SessionRow as Row } from '@shared/ipc/models/library-models'
import {
  Archive,
  GitBranch,
  GitFork,
  Lock,
  MessageSquare,
  Paperclip,
  PencilLine,
  Star,
  TriangleAlert,
  Users,
} from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { mayStar } from '../../commands/session-rows'
import { countOf, formatAge, formatBytes, formatCost, formatCount } from '../../ui/format'
import { StatusMark } from '../../ui/status-mark'
import {
  countsOf,
  exactTime,
  messagesFact,
  originMark,
  rowStatus,
  shortProblem,
  sizeTitle,
} from './row-facts'

type SessionRowProps = {
  row: Row
  id: string
  now: number
  position: number
  total: number
  withProject: boolean
  selected: boolean
  cursor: boolean
  top: number
}

/** A small fact with its sign. `word` is read aloud after it: what the sign says to the eye. */
function Fact(props: { icon?: ReactNode; title: string; word?: string; children?: ReactNode }) {
  return (
    <span className="srow-fact" title={props.title}>
      {props.icon}
      {props.children}
      {props.word ? <span className="u-hidden"> {props.word}</span> : null}
    </span>
  )
}

export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { row, withProject, now } = props
  return (
    // The listbox handles keys and clicks for all of its rows; focus stays on it.
    <div
      id={props.id}
      role="option"
      tabIndex={-1}
      aria-selected={props.selected}
      aria-setsize={props.total}
      aria-posinset={props.position + 1}
      data-ref={row.ref}
      className={props.cursor ? 'srow srow-cursor' : 'srow'}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      <div className="srow-line">
        <StarMark row={row} />
        <span className={row.titleFrom === 'none' ? 'srow-title srow-untitled u-cut' : 'srow-title u-cut'}>
          {row.title}
        </span>
        <span className="srow-when u-num" title={exactTime(row)}>
          {formatAge(row.lastActivity, now)}
        </span>
      </div>
      <div className="srow-prompt u-cut" title={row.firstPrompt || undefined}>
        {withProject ? (
          // The space parts the two for those who hear the row; the line between them is drawn.
          <>
            <span className="srow-project">{row.projectName}</span>{' '}
          </>
        ) : null}
        {row.firstPrompt === '' ? <span className="u-faint">No prompt</span> : row.firstPrompt}
      </div>
      {row.problem === null ? <Facts row={row} /> : <Problem row={row} problem={row.problem} />}
    </div>
  )
})

/** The star: always there on a starred row, else only for the mouse. Keys and menu have a command for it. */
function StarMark({ row }: { row: Row }) {
  if (!mayStar(row)) {
    return row.starred ? (
      <span className="srow-starspot srow-starred">
        <Star className="srow-star" aria-hidden />
        <span className="u-hidden">starred</span>
      </span>
    ) : null
  }
  return row.starred ? (
    <span className="srow-starspot srow-starred" data-star="" title="Unstar">
      <Star className="srow-star" aria-hidden />
      <span className="u-hidden">starred</span>
    </span>
  ) : (
    <span className="srow-starspot" data-star="" title="Star" aria-hidden>
      <Star className="srow-star" />
    </span>
  )
}

/** Before what may be cut off where the list is narrow. */
function ArchivedFact() {
  return (
    <Fact icon={<Archive aria-hidden />} title="Archived by omp: only read">
      archived
    </Fact>
  )
}

function Problem({ row, problem }: { row: Row; problem: string }) {
  return (
    <div className="srow-meta">
      <StatusMark status={rowStatus(row)} />
      {row.archived ? <ArchivedFact /> : null}
      <span className="srow-problem u-cut" title={problem}>
        {shortProblem(problem)}
      </span>
      <Fact title={sizeTitle(row)}>{formatBytes(row.bytes)}</Fact>
    </div>
  )
}

function Facts({ row }: { row: Row }) {
  const origin = originMark(row)
  const messages = messagesFact(row)
  const { branches, artifacts, subagents, damagedLines } = countsOf(row)
  return (
    <div className="srow-meta u-num">
      <StatusMark status={rowStatus(row)} title={row.useText ?? undefined} />
      {row.archived ? <ArchivedFact /> : null}
      <Fact icon={<MessageSquare aria-hidden />} title={messages.title} word={messages.word}>
        {messages.shown}
      </Fact>
      <Fact title={sizeTitle(row)}>{formatBytes(row.bytes)}</Fact>
      {row.cost === null ? null : <Fact title="Cost">{formatCost(row.cost)}</Fact>}
      {branches > 1 ? (
        <Fact
          icon={<GitBranch aria-hidden />}
          title={countOf(branches, 'branch', 'branches')}
          word="branches"
        >
          {formatCount(branches)}
        </Fact>
      ) : null}
      {artifacts > 0 ? (
        <Fact
          icon={<Paperclip aria-hidden />}
          title={countOf(artifacts, 'artifact')}
          word={artifacts === 1 ? 'artifact' : 'artifacts'}
        >
          {formatCount(artifacts)}
        </Fact>
      ) : null}
      {subagents > 0 ? (
        <Fact
          icon={<Users aria-hidden />}
          title={countOf(subagents, 'subagent')}
          word={subagents === 1 ? 'subagent' : 'subagents'}
        >
          {formatCount(subagents)}
        </Fact>
      ) : null}
      {damagedLines > 0 ? (
        <Fact
          icon={<TriangleAlert aria-hidden className="srow-warn" />}
          title="Lines that cannot be read"
          word={damagedLines === 1 ? 'damaged line' : 'damaged lines'}
        >
          {formatCount(damagedLines)}
        </Fact>
      ) : null}
      {row.hasDraft ? (
        <Fact icon={<PencilLine aria-hidden />} title="An unsent draft is kept with it">
          draft
        </Fact>
      ) : null}
      {origin === null ? null : (
        <Fact icon={<GitFork aria-hidden />} title={origin.title}>
          {origin.word}
        </Fact>
      )}
      {row.readOnly && !row.archived ? (
        <Fact icon={<Lock aria-hidden />} title="Read-only" word="read-only" />
      ) : null}
      {row.model === null ? null : (
        <span className="srow-model u-cut" title={row.model}>
          {row.model}
        </span>
      )}
    </div>
  )
}
