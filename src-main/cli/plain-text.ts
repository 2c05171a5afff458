/** Words and columns for people at a terminal. */
import { visibleText } from '@shared/session/text'

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit] ?? 'B'}`
}

/** Cells padded to their widths, two spaces apart; control characters are shown, never sent to the terminal. */
export function tableRow(cells: readonly (readonly [text: string, width: number])[]): string {
  return cells
    .map(([text, width]) => safeText(text).padEnd(width))
    .join('  ')
    .trimEnd()
}

/** Text from a file for a terminal: one line, controls visible. */
export function safeText(text: string): string {
  return visibleText(text.replace(/\s+/g, ' '))
}
