/** What a folded row says in one line, and whether it is folded at all. */
import type { NoteRow, ThinkingRow, ToolRow, TranscriptRow } from '@shared/ipc/models/transcript-models'
import { countOf, formatClock, formatCount, formatDate } from '../../ui/format'

export type Fact = { text: string; tone: 'plain' | 'good' | 'bad' }

/** Diffs up to this many lines are open from the start: they are what one came to see. */
export const OPEN_DIFF_LINES = 24

export type Folding = {
  folds: ReadonlyMap<string, boolean>
  unfoldAll: Readonly<Record<'thinking' | 'tool', boolean>>
}

/** True when a row that can be folded is unfolded: by hand, by "all", or by what it is. */
export function isUnfolded(row: TranscriptRow, folding: Folding): boolean {
  const byHand = folding.folds.get(row.key)
  if (byHand !== undefined) return byHand
  switch (row.kind) {
    case 'thinking':
      return folding.unfoldAll.thinking
    case 'tool':
      if (folding.unfoldAll.tool) return true
      return row.diff !== null && !row.diff.cut && row.diff.lines.length <= OPEN_DIFF_LINES
    case 'note':
      return row.what !== 'unknown' && row.body !== null && !row.body.cut && row.body.lines <= 6
    case 'divider':
      return false
    default:
      return true
  }
}

/** Whether Enter and Space do something on this row. */
export function canFold(row: TranscriptRow): boolean {
  switch (row.kind) {
    case 'thinking':
      return !row.redacted && row.text.text !== ''
    case 'tool':
      return (
        row.args !== null ||
        row.output !== null ||
        row.diff !== null ||
        row.images.length > 0 ||
        row.subagents.length > 0 ||
        row.intent !== null
      )
    case 'divider':
      return row.body !== null
    case 'note':
      return row.body !== null || row.images.length > 0
    default:
      return false
  }
}

/** Facts of a tool row, most telling first. */
export function toolFacts(row: ToolRow): Fact[] {
  const facts: Fact[] = []
  if (row.state === 'none') facts.push({ text: 'no result', tone: 'bad' })
  if (row.state === 'call-missing') facts.push({ text: 'call not on this path', tone: 'bad' })
  if (row.exitCode !== null) {
    facts.push({ text: `exit ${row.exitCode}`, tone: row.exitCode === 0 ? 'plain' : 'bad' })
  } else if (row.state === 'error') facts.push({ text: 'failed', tone: 'bad' })
  if (row.added !== null) facts.push({ text: `+${formatCount(row.added)}`, tone: 'good' })
  if (row.removed !== null && row.removed > 0)
    facts.push({ text: `\u2212${formatCount(row.removed)}`, tone: 'bad' })
  if (row.durationMs !== null) facts.push({ text: formatDuration(row.durationMs), tone: 'plain' })
  if (row.diff === null && row.output !== null && row.output.lines > 0)
    facts.push({ text: countOf(row.output.lines, 'line'), tone: 'plain' })
  if (row.images.length > 0) facts.push({ text: countOf(row.images.length, 'image'), tone: 'plain' })
  if (row.extraResults > 0) facts.push({ text: countOf(row.extraResults, 'more result'), tone: 'bad' })
  return facts
}

/** `240 ms`, `4.2 s`, `48 s`, `3 min 20 s`, `1 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  const rest = Math.round(seconds) % 60
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** First words of a folded thinking block. */
export function thinkingSummary(row: ThinkingRow): string {
  if (row.redacted) return 'hidden by the provider'
  return firstLine(row.text.text)
}

/** Characters of a record that are looked at for its one line. */
const RECORD_START = 400

/** What a folded note begins with. A record has its first line for a brace alone, so more of it is told. */
export function noteStart(what: NoteRow['what'], text: string): string {
  if (what !== 'unknown') return firstLine(text)
  return text.slice(0, RECORD_START).replace(/\s+/g, ' ').trim()
}

/** First line that says something, without Markdown marks in front. */
export function firstLine(text: string): string {
  for (const line of text.split('\n', 40)) {
    const words = line
      .replace(/^[\s#>*_-]+/, '')
      .replace(/\*\*|__|`/g, '')
      .trim()
    if (words !== '') return words.length > 300 ? `${words.slice(0, 300)}...` : words
  }
  return ''
}

/** Time of a row as its head shows it: the clock today, the day in front on other days. */
export function rowTime(time: number, now: number): string {
  const sameDay = new Date(time).toDateString() === new Date(now).toDateString()
  return sameDay ? formatClock(time) : `${formatDate(time, now)}, ${formatClock(time)}`
}

/** Height of a row before it is measured, in pixels. */
export function estimateHeight(row: TranscriptRow | undefined): number {
  if (row === undefined) return 72
  switch (row.kind) {
    case 'prompt':
    case 'agent':
      return 60 + Math.min(4000, Math.ceil(row.text.text.length / 80) * 22)
    case 'thinking':
      return row.head ? 60 : 38
    case 'tool':
      return (
        (row.head ? 68 : 44) + (row.diff === null ? 0 : Math.min(OPEN_DIFF_LINES, row.diff.lines.length) * 20)
      )
    case 'divider':
      return 40
    case 'note':
      return 44
  }
}

/** Index of the last prompt at or before a row, -1 above the first one. Rows of prompts ascend. */
export function outlineAt(items: readonly { row: number }[], row: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.row ?? 0) <= row) low = middle + 1
    else high = middle
  }
  return low - 1
}
