/** Numbers and times as the graph's narrow columns show them. */
import { formatClock, formatDate } from '../../ui/format'

/** `640`, `1.2k`, `84k`, `1.3M`. */
export function shortCount(value: number): string {
  if (value < 1000) return String(value)
  if (value < 9950) return `${(value / 1000).toFixed(1)}k`
  if (value < 999_500) return `${Math.round(value / 1000)}k`
  return `${(value / 1_000_000).toFixed(1)}M`
}

/** The clock today, the date on other days: the column is narrow, and the exact time is a hover away. */
export function rowTime(time: number, now: number): string {
  const sameDay = new Date(time).toDateString() === new Date(now).toDateString()
  return sameDay ? formatClock(time) : formatDate(time, now)
}
