/** Words and numbers in texts about changes, as the window writes them. */
import { listText } from '@shared/session/text'

/** Why a change cannot be undone whose record does not tell what it did. */
export const UNREADABLE = 'What was noted of that change cannot be read.'

/** Characters of a title in a sentence. */
const TITLE_CHARS = 60

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `512 B`, `96 KB`, `4.8 MB`: one decimal below ten, none above; 1 KB is 1,000 bytes. */
export function bytesText(bytes: number): string {
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

/** `1 session`, `1,204 sessions`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? one : many}`
}

/** What a change was about: one session by its title, several by their number. */
export function sessionsText(titles: readonly string[]): string {
  const [only] = titles
  return only === undefined || titles.length > 1
    ? countText(titles.length, 'session')
    : `“${listText(only, TITLE_CHARS)}”`
}

/** Files and bytes of several together. */
export function amountOf(items: readonly { files: number; bytes: number }[]): {
  files: number
  bytes: number
} {
  return {
    files: items.reduce((sum, { files }) => sum + files, 0),
    bytes: items.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** `9 files, 4.1 MB`. */
export function amountText({ files, bytes }: { files: number; bytes: number }): string {
  return `${countText(files, 'file')}, ${bytesText(bytes)}`
}
