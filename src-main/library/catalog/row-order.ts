/** Filtering and sorting of rows. Pure. */
import type { SessionRow, SessionSort } from '@shared/ipc/models/library-models'

/** Case and accents folded, so that "cafe" finds "Café". */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** True when every word of the filter is in title, prompt, project, folder, model or id. */
export function matchesFilter(row: SessionRow, filter: string): boolean {
  const words = foldText(filter)
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0) return true
  const text = searchedText(row)
  return words.every(word => text.includes(word))
}

/** Folded once per row: rows are replaced, never changed, and a filter runs over all of them at each keystroke. */
const folded = new WeakMap<SessionRow, string>()

function searchedText(row: SessionRow): string {
  const known = folded.get(row)
  if (known !== undefined) return known
  const { title, firstPrompt, projectName, shortCwd, model, id, status } = row
  const text = foldText([title, firstPrompt, projectName, shortCwd, model ?? '', id ?? '', status].join('\n'))
  folded.set(row, text)
  return text
}

/** One collator for all comparisons: making one per comparison is what makes `localeCompare` slow. */
const collator = new Intl.Collator()

type Compare = (a: SessionRow, b: SessionRow) => number

const ORDERS: Record<SessionSort, Compare> = {
  activity: (a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0),
  created: (a, b) => (b.created ?? 0) - (a.created ?? 0),
  size: (a, b) => b.bytes - a.bytes,
  messages: (a, b) => b.messages - a.messages,
  title: (a, b) => collator.compare(a.title, b.title),
}

/** Sorts in place; equal rows keep one order, whatever the sort. */
export function sortRows(rows: SessionRow[], sort: SessionSort, reverse: boolean): void {
  const order = ORDERS[sort]
  const sign = reverse ? -1 : 1
  rows.sort((a, b) => sign * order(a, b) || (a.ref < b.ref ? -1 : 1))
}
