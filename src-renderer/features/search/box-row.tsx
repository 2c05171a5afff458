/** One line of the box. */
import {
  Command,
  Folder,
  GitBranch,
  History,
  MessageSquare,
  Paperclip,
  Search,
  SquareTerminal,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { countOf, formatAge, formatExact } from '../../ui/format'
import type { BoxItem } from './box-items'
import { whereWord } from './hit-words'
import { fromFirstMatch, MarkedText } from './marked-text'

/** Characters before the first match of a message. */
const LEAD = 40

type Parts = { icon: ReactNode; main: ReactNode; detail?: ReactNode; side?: ReactNode }

function partsOf(item: BoxItem, now: number): Parts {
  switch (item.kind) {
    case 'session': {
      const { row, titleRanges, projectRanges, promptRanges } = item.hit
      const count = row.branches ?? 0
      const branches = count > 1 ? `, ${countOf(count, 'branch', 'branches')}` : ''
      return {
        icon: <MessageSquare aria-hidden />,
        main: <MarkedText text={row.title} ranges={titleRanges} />,
        detail: (
          <>
            <MarkedText text={row.projectName} ranges={projectRanges} />
            {branches}
            {promptRanges.length === 0 ? null : (
              <>
                {': '}
                <MarkedText {...fromFirstMatch({ text: row.firstPrompt, ranges: promptRanges }, LEAD)} />
              </>
            )}
          </>
        ),
        side: <span title={formatExact(row.lastActivity)}>{formatAge(row.lastActivity, now)}</span>,
      }
    }
    case 'project': {
      const { name, nameRanges, shortCwd, cwdRanges, sessions } = item.project
      return {
        icon: <Folder aria-hidden />,
        main: <MarkedText text={name} ranges={nameRanges} />,
        detail: <MarkedText text={shortCwd} ranges={cwdRanges} />,
        side: countOf(sessions, 'session'),
      }
    }
    case 'message': {
      const { hit, found } = item
      const Icon =
        hit.artifact !== null
          ? Paperclip
          : hit.role === 'tool'
            ? SquareTerminal
            : found.branches > 1
              ? GitBranch
              : MessageSquare
      return {
        icon: <Icon aria-hidden />,
        main: <MarkedText {...fromFirstMatch(hit.snippet, LEAD)} />,
        detail: (
          <>
            {whereWord(hit)} in <MarkedText text={found.title.text} ranges={[]} />
          </>
        ),
        side:
          hit.time === null ? null : <span title={formatExact(hit.time)}>{formatAge(hit.time, now)}</span>,
      }
    }
    case 'command':
      return {
        icon: <Command aria-hidden />,
        main: <MarkedText text={item.title} ranges={item.ranges} />,
        side: item.keys,
      }
    case 'recent':
      return { icon: <History aria-hidden />, main: item.text }
    case 'everywhere':
      return {
        icon: <Search aria-hidden />,
        main: `Search everything for “${item.text}”`,
      }
    default:
      return item satisfies never
  }
}

export function BoxRow(props: { id: string; item: BoxItem; now: number; active: boolean; onChoose(): void }) {
  const { icon, main, detail, side } = partsOf(props.item, props.now)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, and names this row as its active one
    <div
      id={props.id}
      className={props.active ? 'sb-row sb-on' : 'sb-row'}
      role="option"
      tabIndex={-1}
      aria-selected={props.active}
      onClick={props.onChoose}
    >
      {icon}
      <span className="sb-main u-cut">{main}</span>
      {side === undefined || side === null ? null : <span className="sb-side u-num">{side}</span>}
      {detail === undefined ? null : <small className="sb-detail u-cut">{detail}</small>}
    </div>
  )
}
