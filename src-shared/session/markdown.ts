/**
 * Text from files made fit to stand in Markdown, so that nothing of it reaches beyond its place: code in fences that
 * are longer than any run inside, texts whose own fences are all closed, words without marks. Pure.
 */
import { replaceLoneSurrogates } from './text'

const ESC = '\u001b'
// Operating system commands (links, titles) end with BEL or ESC \; of a torn one only its start is taken away.
const STRINGS = new RegExp(`${ESC}[\\]PX^_][^\\u0007${ESC}\\n]*(?:\\u0007|${ESC}\\\\)`, 'g')
const SEQUENCES = new RegExp(`(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]|${ESC}(?!\\[)[ -/]*[0-~]?`, 'g')
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what this looks for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Text without terminal escapes and controls, its lines ended by line feeds only. */
export function plainText(text: string): string {
  return replaceLoneSurrogates(text.replace(STRINGS, '').replace(SEQUENCES, '').replace(CONTROLS, ''))
    .replace(/\r+\n/g, '\n')
    .replaceAll('\r', '\n')
}

/** A code block. Its fence is longer than any run of backticks inside, so the text cannot end it. */
export function fenced(text: string, language = ''): string {
  let longest = 2
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${ticks}`
}

/** Words as code within a line. */
export function inlineCode(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  let longest = 0
  for (const run of line.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  if (longest === 0) return `\`${line}\``
  const ticks = '`'.repeat(longest + 1)
  return `${ticks} ${line} ${ticks}`
}

/** Words that mean themselves: one line, every mark of Markdown disarmed. */
export function inlineWords(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~!&]/g, '\\$&')
}

/** Lines as a quotation: whatever is open in it ends with it. */
export function quoted(text: string): string {
  return text.replace(/^/gm, '> ').replace(/^> $/gm, '>')
}

const FENCE = /^[ \t>*+\-\d.)]*(?:`{3,}|~{3,})/
const OPENING = /^(`{3,})[^`]*$|^(~{3,})/
const HTML = /^( {0,3})<(?=[a-z!?/])(?![a-z][a-z\d+.-]*:)/i

/**
 * A text that is Markdown itself, to stand between other parts. As it is where each of its fences plainly begins at
 * the start of a line and is closed; else as a quotation, which ends all that was left open. Lines that would begin
 * HTML are disarmed: some of it ends nowhere.
 */
export function contained(text: string): string {
  const lines: string[] = []
  let open: { char: string; length: number } | null = null
  let plain = true
  for (const line of text.split('\n')) {
    const inside: boolean = open !== null
    if (open !== null) {
      if (closes(line, open)) open = null
    } else if (FENCE.test(line)) {
      const marks = OPENING.exec(line)
        ?.slice(1)
        .find(one => one !== undefined)
      if (marks !== undefined) open = { char: marks.charAt(0), length: marks.length }
      // Indented or in a list, only a whole parser could tell how far it reaches.
      else if (!/^`/.test(line)) plain = false
    }
    lines.push(inside ? line : line.replace(HTML, '$1\\<'))
  }
  const whole = lines.join('\n')
  return plain && open === null ? whole : quoted(whole)
}

function closes(line: string, open: { char: string; length: number }): boolean {
  const marks = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return marks !== undefined && marks.charAt(0) === open.char && marks.length >= open.length
}
