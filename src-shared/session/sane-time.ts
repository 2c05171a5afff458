/**
 * Times as found in files. A time is sane when it is a date between 2000 and one day from now; anything else
 * (year 2099, "not a date", 0) is unknown, and its raw text is shown instead.
 */

import { limits } from '../limits'
import { listText } from './text'

const EARLIEST = Date.UTC(2000, 0, 1)
const DAY = 86_400_000
/** Below this a number can only be seconds: in milliseconds it would be before 1973. */
const SECONDS_BELOW = 100_000_000_000

/** Unix milliseconds, or null when the value is no sane time. Numeric text and seconds are understood. */
export function saneTime(value: unknown, now: number): number | null {
  const time = toMilliseconds(value)
  return time !== null && time >= EARLIEST && time <= now + DAY ? time : null
}

function toMilliseconds(value: unknown): number | null {
  if (typeof value === 'number') return fromNumber(value)
  if (typeof value !== 'string') return null
  if (/^\d{9,}(\.\d+)?$/.test(value)) return fromNumber(Number(value))
  // Date.parse takes "5" and "week 3" for dates; only what begins like one is.
  if (!/^\s*\d{4}-\d{2}/.test(value)) return null
  const parsed = Date.parse(value)
  return Number.isNaN(parsed) ? null : parsed
}

function fromNumber(value: number): number | null {
  if (!Number.isFinite(value)) return null
  return value < SECONDS_BELOW ? value * 1000 : value
}

/** The value as text for display when it is not sane; null when there is none. */
export function rawTime(value: unknown): string | null {
  if (typeof value === 'string') return listText(value, limits.lineChars)
  return typeof value === 'number' ? String(value) : null
}
