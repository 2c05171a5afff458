/**
 * Rows of a transcript as one text for the clipboard, in Markdown or plain. Pure: it takes row after row and stops
 * taking when the text is as long as it may be; what it holds is never more than that.
 *
 * What a program put in front of a prompt is left out, and so is thinking where more than one entry is copied: neither
 * was said. An entry or block that is thinking is copied as a quotation.
 */
import type {
  AgentRow,
  DividerRow,
  NoteRow,
  PromptRow,
  ShownImage,
  ShownText,
  ThinkingRow,
  ToolRow,
  TranscriptRow,
} from '@shared/ipc/models/transcript-models'
import { parseObject } from '@shared/session/json'
import { plainText } from '@shared/session/markdown'
import { cutAtCharacter, oneLine } from '@shared/session/text'
import { type CopyFormat, MARKDOWN_FORMAT, TEXT_FORMAT } from './copy-format'
import { parseDiff } from './tool-facts'

export type CopiedText = { text: string; cut: boolean }

/** A row with a way to the whole of what it shows cut. */
export type CopyRow = {
  row: TranscriptRow
  /** The text at this address (`entry-text.ts`), null when there is none. */
  textAt(ordinal: number, part: string): string | null
}

export type CopyOptions = {
  as: 'markdown' | 'text'
  /** Characters of text from the session that are taken. */
  max: number
  thinking: boolean
  /** Whether it is said who speaks and when; not for a single block. */
  headings: boolean
}

/** A raw text may be this many times longer than what is left of it without escapes. */
const MOST_ESCAPES = 4
/** The whole may be this many times longer than the texts in it: a quotation of empty lines is three times as long. */
const MOST_AROUND = 3

export class TranscriptCopy {
  private readonly options: CopyOptions
  private readonly format: CopyFormat
  private readonly parts: string[] = []
  private left: number
  private length = 0
  private cut = false
  /** Who spoke last. */
  private speaker = ''

  constructor(options: CopyOptions) {
    this.options = options
    this.format = options.as === 'markdown' ? MARKDOWN_FORMAT : TEXT_FORMAT
    this.left = options.max
  }

  /** Nothing more is taken. */
  get full(): boolean {
    return this.cut
  }

  title(text: string): void {
    this.put(this.format.title(this.take(text)))
  }

  /** A sentence of ours. */
  remark(text: string): void {
    this.put(this.format.remark(plainText(text)))
  }

  add({ row, textAt }: CopyRow): void {
    if (this.cut) return
    const whole: Whole = (text, ordinal = row.ordinal) =>
      text === null ? '' : this.take(text.cut ? (textAt(ordinal, text.part) ?? text.text) : text.text)
    switch (row.kind) {
      case 'prompt':
        this.addPrompt(row, whole)
        break
      case 'agent':
        this.addAgent(row, whole)
        break
      case 'thinking':
        this.addThinking(row, whole)
        break
      case 'tool':
        this.addTool(row, whole, textAt)
        break
      case 'divider':
        this.addDivider(row, whole)
        break
      case 'note':
        this.addNote(row, whole, textAt)
        break
      default:
        row satisfies never
    }
  }

  end(): CopiedText {
    if (this.cut) this.remark(`Cut here: longer than ${this.options.max.toLocaleString('en')} characters.`)
    return { text: this.parts.length === 0 ? '' : `${this.parts.join('\n\n')}\n`, cut: this.cut }
  }

  private put(part: string): void {
    if (part === '') return
    this.parts.push(part)
    this.length += part.length
    // What stands around the texts: with very many rows that is much as well.
    if (this.length > this.options.max * MOST_AROUND) this.cut = true
  }

  /** A text of the session without escapes, as far as there is room for it. */
  private take(text: string): string {
    const most = this.left * MOST_ESCAPES
    const clean = plainText(text.length > most ? cutAtCharacter(text, most) : text)
    if (clean.length <= this.left && text.length <= most) {
      this.left -= clean.length
      return clean
    }
    this.cut = true
    const kept = this.left === 0 ? '' : cutAtCharacter(clean, this.left)
    this.left = 0
    return kept
  }

  private head(who: string, row: TranscriptRow, always: boolean): void {
    if (this.options.headings && (always || who !== this.speaker))
      this.put(this.format.heading(who, timeText(row.time)))
    this.speaker = who
    if (row.labels.length > 0) this.remark(`Label: ${row.labels.join(', ')}`)
  }

  private headOfAgent(row: TranscriptRow & { model: string | null }): void {
    // A result without its call says nothing of who spoke.
    const known = row.model === null && this.speaker.startsWith('Agent') ? this.speaker : null
    const agent = row.model === null ? 'Agent' : `Agent (${oneLine(plainText(row.model))})`
    this.head(known ?? agent, row, false)
  }

  private addPrompt(row: PromptRow, whole: Whole): void {
    this.head(row.synthetic ? 'Program' : 'You', row, true)
    const text = whole(row.text)
    this.put(this.format.prose(text === '' ? whole(row.injected) : text))
    this.addImages(row.images)
  }

  private addAgent(row: AgentRow, whole: Whole): void {
    this.headOfAgent(row)
    const text = whole(row.text)
    if (text !== '') this.put(this.format.prose(text))
    this.addImages(row.images)
    if (row.stop === null) return
    const error = row.errorText === null ? '' : `: ${this.take(row.errorText)}`
    this.remark(row.stop === 'aborted' ? 'Stopped by the user.' : `The answer ended with ${row.stop}${error}`)
  }

  private addThinking(row: ThinkingRow, whole: Whole): void {
    if (!this.options.thinking) return
    this.headOfAgent(row)
    if (row.redacted) this.remark('Thinking, hidden by the provider.')
    else this.put(this.format.aside('Thinking', whole(row.text)))
  }

  private addTool(row: ToolRow, whole: Whole, textAt: CopyRow['textAt']): void {
    this.headOfAgent(row)
    const args = argumentsOf(whole(row.args))
    // One short argument is the summary already; an edit is told by its diff.
    const told = args.text === '' || args.text === row.summary || row.diff !== null
    this.put(
      this.format.call(plainText(row.name), told ? plainText(row.summary) : '', toolFacts(row).join(', ')),
    )
    if (!told) this.put(this.format.code(args.text, args.language))
    const resultAt = row.resultOrdinal ?? row.ordinal
    if (row.diff !== null) {
      const diff = this.take(textAt(resultAt, 'diff') ?? '')
      const lines = parseDiff(diff).map(({ sign, text }) => (sign === '~' ? text : `${sign}${text}`))
      this.put(this.format.code(lines.join('\n'), 'diff'))
    }
    const output = row.diff !== null && row.state === 'ok' ? '' : whole(row.output, resultAt)
    if (output.trim() !== '') this.put(this.format.code(output, ''))
    if (row.state === 'none') this.remark('No result of this call is on this path.')
    this.addImages(row.images)
    if (row.subagents.length > 0)
      this.remark(`Subagents: ${row.subagents.map(({ name }) => name).join(', ')}`)
  }

  private addDivider(row: DividerRow, whole: Whole): void {
    this.speaker = ''
    const across = row.body !== null || row.what === 'reset' || row.what === 'gap'
    if (across) this.put(this.format.rule())
    this.remark(row.text)
    if (row.labels.length > 0) this.remark(`Label: ${row.labels.join(', ')}`)
    if (row.body === null) return
    this.put(this.format.prose(whole(row.body)))
    this.put(this.format.rule())
  }

  private addNote(row: NoteRow, whole: Whole, textAt: CopyRow['textAt']): void {
    this.speaker = ''
    const exit = row.exitCode === null ? '' : `exit ${row.exitCode}`
    switch (row.what) {
      case 'bash':
      case 'python':
        this.put(this.format.call('You ran', '', exit))
        this.put(
          this.format.code(
            this.take(textAt(row.ordinal, 'code') ?? row.title),
            row.what === 'bash' ? 'sh' : 'python',
          ),
        )
        if (row.body !== null) this.put(this.format.code(whole(row.body), ''))
        break
      case 'developer':
        this.put(this.format.aside('Instructions', whole(row.body)))
        break
      case 'custom':
        this.put(this.format.call(plainText(row.title), '', ''))
        this.put(this.format.prose(whole(row.body)))
        break
      case 'files':
        this.put(this.format.call('Files', plainText(row.title), ''))
        if (row.body !== null) this.put(this.format.code(whole(row.body), ''))
        break
      case 'unknown':
        this.remark(row.title)
        if (row.body !== null) this.put(this.format.code(whole(row.body), 'json'))
        break
      default:
        row.what satisfies never
    }
    if (row.labels.length > 0) this.remark(`Label: ${row.labels.join(', ')}`)
    this.addImages(row.images)
  }

  private addImages(images: readonly ShownImage[]): void {
    for (const { mimeType, bytes, problem } of images) {
      const size = bytes === null ? '' : `, ${bytes.toLocaleString('en')} bytes`
      this.remark(`Picture: ${mimeType}${size}${problem === null ? '' : `, ${problem}`}`)
    }
  }
}

type Whole = (text: ShownText | null, ordinal?: number) => string

/** `2026-11-21 10:41 UTC`: whoever reads it may be elsewhere. */
function timeText(time: number | null): string | null {
  return time === null ? null : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** One text argument alone, such as a command; else all of them as they are written. */
function argumentsOf(text: string): { text: string; language: string } {
  const args = parseObject(text)
  if (args === null) return { text, language: '' }
  // What the call is for, which some programs put among its arguments.
  const { i: _intent, ...said } = args
  const [only, ...others] = Object.entries(said)
  if (only === undefined) return { text: '', language: '' }
  const [name, value] = only
  if (others.length === 0 && typeof value === 'string')
    return { text: plainText(value), language: name === 'command' ? 'sh' : '' }
  return { text, language: 'json' }
}

function toolFacts(row: ToolRow): string[] {
  const facts: string[] = []
  if (row.state === 'call-missing') return facts
  if (row.exitCode !== null) facts.push(`exit ${row.exitCode}`)
  else if (row.state === 'error') facts.push('failed')
  if (row.added !== null) facts.push(`${row.added} lines added`)
  if (row.removed !== null && row.removed > 0) facts.push(`${row.removed} removed`)
  if (row.extraResults > 0) facts.push(`${row.extraResults} more results`)
  return facts
}
