/** What the search says of itself. */
import type { SearchCoverage } from '@shared/ipc/models/search-models'
import type { SearchAsk } from '../../stores/search-ask'
import type { SearchState } from '../../stores/search-store'
import { countOf, formatCount } from '../../ui/format'

/** How much was found; empty when there is nothing to say. */
export function foundText(
  state: Pick<SearchState, 'sessions' | 'total' | 'atLeast' | 'more' | 'touched'>,
): string {
  const { sessions, total, atLeast, more, touched } = state
  if (touched !== null) {
    const found = new Set(touched.found.map(({ session }) => session)).size
    if (found === 0) return ''
    return `${touched.more ? 'More than ' : ''}${countOf(found, 'session')} touched it`
  }
  if (sessions.length === 0) return ''
  const matches = sessions.reduce((sum, found) => sum + found.matches, 0)
  const all = Math.max(total, sessions.length)
  // Those of the sessions that are not shown are not counted.
  if (more)
    return `${atLeast ? 'At least ' : ''}${countOf(all, 'session')}, the first ${formatCount(sessions.length)} shown`
  const least = atLeast || sessions.some(found => found.atLeast)
  return `${least ? 'At least ' : ''}${countOf(matches, 'match', 'matches')} in ${countOf(all, 'session')}`
}

/** What the index covers, when that is not all; null when there is nothing to say. */
export function coverageText(coverage: SearchCoverage | null): string | null {
  if (coverage === null) return null
  const { indexed, all, running, problem } = coverage
  if (problem !== null) return `${problem} Files are read instead, which takes longer.`
  if (indexed >= all) return null
  const rest = running ? 'the rest is being read' : 'the others are read when one searches'
  return `${formatCount(indexed)} of ${countOf(all, 'session')} indexed; ${rest}.`
}

/** What was looked at, for a search that found nothing. */
export function searchedText({ allText, thinking, mode }: SearchAsk): string {
  const texts = ['prompts', 'answers', 'summaries', 'labels', 'titles']
  if (thinking) texts.push('thinking')
  if (allText) texts.push('tool output and artifacts')
  const last = texts.pop() ?? ''
  const how =
    mode === 'words'
      ? 'for all of these words'
      : mode === 'exact'
        ? 'for exactly this text'
        : 'for this expression'
  return `Searched ${texts.join(', ')} and ${last} of all branches ${how}.`
}
