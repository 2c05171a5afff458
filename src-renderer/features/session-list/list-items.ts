/** The lines of the session list: days, rows, and places for rows that are not there yet. Pure. */
import type { SessionRow, SessionSort } from '@shared/ipc/models/library-models'
import { daysBetween } from '../../ui/format'

export type ListItem =
  | { kind: 'day'; key: string; text: string }
  | { kind: 'row'; key: string; index: number }
  | { kind: 'pending'; key: string; index: number }

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** The group a time belongs to: days nearby, then weeks, then months. */
export function dayGroup(time: number | null, now: number): string {
  if (time === null) return 'Time unknown'
  const days = daysBetween(time, now)
  if (days < 0) return 'In the future'
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days <= 7) return 'Last week'
  const date = new Date(time)
  const today = new Date(now)
  if (date.getFullYear() === today.getFullYear() && date.getMonth() === today.getMonth()) return 'This month'
  const month = MONTHS[date.getMonth()] ?? ''
  return date.getFullYear() === today.getFullYear() ? month : `${month} ${date.getFullYear()}`
}

/** Time a row is grouped by; null: this order has no days. */
function groupTime(sort: SessionSort): ((row: SessionRow) => number | null) | null {
  switch (sort) {
    case 'activity':
      return row => row.lastActivity
    case 'created':
      return row => row.created
    case 'size':
    case 'messages':
    case 'title':
      return null
    default:
      return sort satisfies never
  }
}

/** Lines in order. `total` counts rows that are still to be fetched as well. */
export function listItems(
  rows: readonly SessionRow[],
  total: number,
  sort: SessionSort,
  now: number,
): ListItem[] {
  const timeOf = groupTime(sort)
  const items: ListItem[] = []
  let group = ''
  rows.forEach((row, index) => {
    const text = timeOf ? dayGroup(timeOf(row), now) : ''
    if (text !== group) {
      // The index keeps the key unique where a group comes twice (times out of order).
      items.push({ kind: 'day', key: `day-${index}-${text}`, text })
      group = text
    }
    items.push({ kind: 'row', key: row.ref, index })
  })
  for (let index = rows.length; index < total; index++) {
    items.push({ kind: 'pending', key: `pending-${index}`, index })
  }
  return items
}

/** Index of the row at a line or, where a day stands there, of the one above it; 0 where there is none. */
export function rowUpTo(items: readonly ListItem[], at: number): number {
  for (let line = Math.min(at, items.length - 1); line >= 0; line--) {
    const item = items[line]
    if (item !== undefined && item.kind !== 'day') return item.index
  }
  return 0
}
