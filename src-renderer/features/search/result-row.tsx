/** One line of the results. */

import { visibleText } from '@shared/session/text'
import { ChevronDown, FilePen, GitBranch, MessageSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { countOf, formatAge, formatCount, formatExact, formatWhen } from '../../ui/format'
import { TOUCH_WORDS, whereWord } from './hit-words'
import { fromFirstMatch, MarkedText } from './marked-text'
import type { ResultItem } from './result-items'

/** Characters before the first match. */
const LEAD = 70

function bodyOf(item: ResultItem, now: number, busy: boolean): ReactNode {
  switch (item.kind) {
    case 'session': {
      const { title, projectName, branches, matches, atLeast, lastActivity } = item.found
      return (
        <>
          <MessageSquare aria-hidden />
          <span className="sv-title u-cut">
            <MarkedText {...title} />
          </span>
          <span className="sv-count">
            {formatCount(matches)}
            {atLeast ? '+' : ''}
            <span className="u-hidden"> {matches === 1 ? 'match' : 'matches'}</span>
          </span>
          <span className="sv-facts u-cut">
            {visibleText(projectName)}
            {branches > 1 ? `, ${countOf(branches, 'branch', 'branches')}` : ''}
          </span>
          <span className="sv-time" title={formatExact(lastActivity)}>
            {formatAge(lastActivity, now)}
          </span>
        </>
      )
    }
    case 'hit': {
      const { hit, found } = item
      return (
        <>
          <span className="sv-where">
            {visibleText(whereWord(hit))}
            {found.branches > 1 && hit.ordinal !== null ? <GitBranch aria-hidden /> : null}
          </span>
          <span className="sv-snippet">
            <MarkedText {...fromFirstMatch(hit.snippet, LEAD)} />
          </span>
          <span className="sv-time" title={formatExact(hit.time)}>
            {hit.time === null ? '' : formatWhen(hit.time, now)}
          </span>
        </>
      )
    }
    case 'rest':
      return (
        <>
          <ChevronDown aria-hidden />
          <span>
            {item.most
              ? `${countOf(item.hidden, 'more match', 'more matches')}, open the session and find there`
              : `Show ${countOf(item.hidden, 'more match', 'more matches')}`}
          </span>
        </>
      )
    case 'touch': {
      const { title, projectName, path, count, how, time } = item.touch
      return (
        <>
          <FilePen aria-hidden />
          <span className="sv-title u-cut">{visibleText(title)}</span>
          <span className="sv-facts u-cut">{visibleText(projectName)}</span>
          <span className="sv-time" title={formatExact(time)}>
            {formatAge(time, now)}
          </span>
          <span className="sv-path u-mono u-cut" title={visibleText(path)}>
            {visibleText(path)}
          </span>
          <span className="sv-facts">
            {TOUCH_WORDS[how]} last, {countOf(count, 'change')}
          </span>
        </>
      )
    }
    case 'more':
      return (
        <>
          <ChevronDown aria-hidden />
          <span>{busy ? 'Loading…' : 'Show more sessions'}</span>
        </>
      )
    default:
      return item satisfies never
  }
}

export function ResultRow(props: {
  id: string
  index: number
  count: number
  item: ResultItem
  now: number
  active: boolean
  busy: boolean
  top: number
  measure(element: HTMLElement | null): void
  onChoose(): void
}) {
  const { id, index, count, item, now, active, busy, top, measure } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, and names this line as its active one
    <div
      ref={measure}
      id={id}
      data-index={index}
      className={`sv-row sv-row-${item.kind}${active ? ' sv-on' : ''}`}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${top}px)` }}
      onClick={props.onChoose}
    >
      {bodyOf(item, now, busy)}
    </div>
  )
}
