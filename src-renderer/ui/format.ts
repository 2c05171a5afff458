/**
 * How numbers and times are written, everywhere the same. One thing has one name: "Agent", "messages".
 * `null` is unknown and is written as such.
 */

const groups = new Intl.NumberFormat('en-US')
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `1,204`. */
export function formatCount(value: number): string {
  return groups.format(value)
}

/** `1 session`, `1,204 sessions`. */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}

/** `512 B`, `96 KB`, `4.8 MB`: one decimal below ten, none above; 1 KB is 1,000 bytes, as disks say. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  // 999.5 would be rounded up to 1,000 of the smaller unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const text = unit === 0 ? String(Math.round(value)) : value < 9.95 ? value.toFixed(1) : value.toFixed(0)
  return `${text} ${UNITS[unit] ?? 'B'}`
}

/** `$1.84`; amounts below a cent say so. */
export function formatCost(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return '< $0.01'
  return `$${dollars.toFixed(2).replace(/\B(?=(\d{3})+(?=\.))/g, ',')}`
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

const two = (value: number) => String(value).padStart(2, '0')
const dayStart = (time: number) => {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

/** Whole calendar days between two moments, by the local clock (summer time does not matter). */
export function daysBetween(earlier: number, later: number): number {
  return Math.round((dayStart(later) - dayStart(earlier)) / DAY)
}

/** `24 Nov`, with the year when it is another one. */
export function formatDate(time: number, now: number): string {
  const date = new Date(time)
  const text = `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}`
  return date.getFullYear() === new Date(now).getFullYear() ? text : `${text} ${date.getFullYear()}`
}

/** `10:41`. */
export function formatClock(time: number): string {
  const date = new Date(time)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Short age: `now`, `5 min`, `2 h`, `3 d`, then the date. Times in the future are written as dates. */
export function formatAge(time: number | null, now: number): string {
  if (time === null) return 'unknown'
  const age = now - time
  if (age < -MINUTE) return formatDate(time, now)
  if (age < MINUTE) return 'now'
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  if (age < DAY) return `${Math.floor(age / HOUR)} h`
  const days = daysBetween(time, now)
  return days <= 7 ? `${days} d` : formatDate(time, now)
}

/** Exact time for tooltips and details: `24 Nov 2025, 10:41:07`. */
export function formatExact(time: number | null): string {
  if (time === null) return 'Time unknown'
  const date = new Date(time)
  const day = `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''} ${date.getFullYear()}`
  return `${day}, ${formatClock(time)}:${two(date.getSeconds())}`
}

/** `today 08:12`, `yesterday 10:41`, `24 Nov 10:41`. */
export function formatWhen(time: number, now: number): string {
  const days = daysBetween(time, now)
  const day = days === 0 ? 'today' : days === 1 ? 'yesterday' : formatDate(time, now)
  return `${day} ${formatClock(time)}`
}

/**
 * `today 08:12 to 10:41`; both days when they differ, one time when they are the same minute. A fork is younger than what it
 * holds: it has no span, only the last time.
 */
export function formatSpan(from: number | null, to: number | null, now: number): string | null {
  if (from === null && to === null) return null
  if (from === null || to === null) return formatWhen(from ?? to ?? now, now)
  const start = formatWhen(from, now)
  const end = formatWhen(to, now)
  if (start === end || from > to) return end
  return dayStart(from) === dayStart(to) ? `${start} to ${formatClock(to)}` : `${start} to ${end}`
}
