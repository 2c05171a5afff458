/** What the search view asks for: the text, how it is meant, and the filters. */
import type { SearchFilters, TextQuery } from '@shared/ipc/models/search-models'

/** Spans of time that are chosen by name; `range` is chosen by its days. */
export const TIME_SPANS = ['any', 'day', 'week', 'month', 'year', 'range'] as const
export type TimeSpan = (typeof TIME_SPANS)[number]

export type SearchAsk = Pick<TextQuery, 'text' | 'mode' | 'allText' | 'thinking' | 'filters' | 'order'> & {
  /** What `from` and `to` of the filters were chosen as. */
  span: TimeSpan
}

export const NO_FILTERS: SearchFilters = {
  session: null,
  project: null,
  from: null,
  to: null,
  model: null,
  role: null,
  hasBranches: null,
  hasArtifacts: null,
  touchedFile: null,
}

export const EMPTY_ASK: SearchAsk = {
  text: '',
  mode: 'words',
  allText: false,
  thinking: false,
  filters: NO_FILTERS,
  order: 'relevance',
  span: 'any',
}

/** Filters that are set. Days from and to are one. */
export function filterCount({ filters }: SearchAsk): number {
  const { from, to, ...others } = filters
  const time = from === null && to === null ? 0 : 1
  return time + Object.values(others).filter(value => value !== null && value !== '').length
}

/** Without a text there is one question only: who touched a file. */
export function asksForFile({ text, filters }: SearchAsk): boolean {
  return text.trim() === '' && (filters.touchedFile ?? '').trim() !== ''
}

export function asksForNothing(ask: SearchAsk): boolean {
  return ask.text.trim() === '' && !asksForFile(ask)
}

const DAY = 24 * 60 * 60 * 1000
const DAYS: Readonly<Record<Exclude<TimeSpan, 'any' | 'range'>, number>> = {
  day: 0,
  week: 6,
  month: 29,
  year: 364,
}

/** The filter of a named span: from the beginning of a day. `range` begins with what is set. */
export function spanFilter(
  span: TimeSpan,
  filters: SearchFilters,
  now: number,
): Pick<SearchFilters, 'from' | 'to'> {
  if (span === 'any') return { from: null, to: null }
  if (span === 'range') return { from: filters.from, to: filters.to }
  const day = new Date(now - DAYS[span] * DAY)
  return { from: new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime(), to: null }
}
