/** Filtering and sorting of rows. Pure. */
import type { SessionRow, SessionSort } from '@shared/ipc/models/library-models'

/** Case and accents folded, so that "cafe" finds "Café". */
export function foldText(text: string): string {
  // Most text has neither accents nor wide forms, and is folded some ten times faster.
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with controls
const ASCII = /^[\u0000-\u007f]*$/

/** True for rows that have every word of the filter in title, prompt, project, folder, model or id; null: for all. */
export function rowFilter(filter: string): ((row: SessionRow) => boolean) | null {
  const words = foldText(filter)
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0) return null
  return row => {
    const text = searchedText(row)
    return words.every(word => text.includes(word))
  }
}

/** Folded once per row: rows are replaced, never changed, and a filter runs over all of them at each keystroke. */
const folded = new WeakMap<SessionRow, string>()

function searchedText(row: SessionRow): string {
  const known = folded.get(row)
  if (known !== undefined) return known
  const { title, firstPrompt, projectName, shortCwd, model, id, status } = row
  const words = [status, row.archived ? 'archived' : '']
  const text = foldText(
    [title, firstPrompt, projectName, shortCwd, model ?? '', id ?? '', ...words].join('\n'),
  )
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
  messages: (a, b) => (b.messages ?? 0) - (a.messages ?? 0),
  title: (a, b) => collator.compare(a.title, b.title),
}

/** How two rows stand; equal ones always alike, whatever the sort. What is not counted yet is last, either way. */
export function rowOrder(sort: SessionSort, reverse: boolean): Compare {
  const order = ORDERS[sort]
  const sign = reverse ? -1 : 1
  const byRef: Compare = (a, b) => (a.ref < b.ref ? -1 : 1)
  if (sort !== 'messages') return (a, b) => sign * order(a, b) || byRef(a, b)
  return (a, b) =>
    Number(a.messages === null) - Number(b.messages === null) || sign * order(a, b) || byRef(a, b)
}
