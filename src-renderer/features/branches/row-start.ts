/** The start of an entry's text, from its transcript rows. */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'

const MOST = 1200

/** At most a few paragraphs, in the order of the rows. */
export function rowStart(rows: readonly TranscriptRow[]): string {
  const parts = rows.map(part).filter(text => text !== '')
  const text = parts.join('\n\n')
  return text.length > MOST ? `${text.slice(0, MOST)}...` : text
}

function part(row: TranscriptRow): string {
  switch (row.kind) {
    case 'prompt':
    case 'agent':
      return row.text.text.trim()
    case 'thinking':
      return row.redacted ? '' : row.text.text.trim()
    case 'tool':
      return `${row.name} ${row.summary}`.trim()
    case 'divider':
      return [row.text, row.body?.text ?? ''].filter(text => text !== '').join('\n')
    case 'note':
      return [row.title, row.body?.text ?? ''].filter(text => text !== '').join('\n')
  }
}
