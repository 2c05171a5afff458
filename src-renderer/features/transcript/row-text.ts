/** A row as text or Markdown, for the clipboard. Cut texts are completed through `whole`. */
import type { ShownText, TranscriptRow } from '@shared/ipc/models/transcript-models'

export type CopyFormat = 'text' | 'markdown'

/** Fetches the whole of a text that a row shows cut. */
export type WholeText = (ordinal: number, text: ShownText) => Promise<string>

/** What the clipboard gets for one row. */
export async function rowText(row: TranscriptRow, format: CopyFormat, whole: WholeText): Promise<string> {
  const get = (text: ShownText | null) => (text === null ? Promise.resolve('') : whole(row.ordinal, text))
  const md = format === 'markdown'
  switch (row.kind) {
    case 'prompt':
    case 'agent':
      return await get(row.text)
    case 'thinking': {
      const text = await get(row.text)
      return md ? text.replace(/^/gm, '> ') : text
    }
    case 'divider':
      return paragraphs([md ? `*${row.text}*` : row.text, await get(row.body)])
    case 'note': {
      const body = await get(row.body)
      return paragraphs([md ? `**${row.title}**` : row.title, md && body !== '' ? fence(body) : body])
    }
    case 'tool': {
      const args = await get(row.args)
      const output = row.output === null ? '' : await whole(row.resultOrdinal ?? row.ordinal, row.output)
      const diff = row.diff?.lines.map(line => `${line.sign === '~' ? '...' : line.sign}${line.text}`) ?? []
      const head = row.summary === '' ? row.name : `${row.name} ${row.summary}`
      return paragraphs([
        md ? `**${row.name}** ${row.summary === '' ? '' : code(row.summary)}`.trim() : head,
        // The summary of a shell call is its whole argument already.
        diff.length > 0 || row.summary === args ? '' : md && args !== '' ? fence(args) : args,
        diff.length > 0 ? (md ? fence(diff.join('\n'), 'diff') : diff.join('\n')) : '',
        md && output !== '' ? fence(output) : output,
      ])
    }
  }
}

function paragraphs(parts: string[]): string {
  return parts.filter(part => part !== '').join('\n\n')
}

/** A code fence longer than any run of backticks inside. */
export function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(match => match[0].length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text}\n${ticks}`
}

function code(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``
}
