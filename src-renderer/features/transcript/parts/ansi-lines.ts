/**
 * Terminal output as coloured lines. Colours become classes (16 colours follow the theme) or exact values;
 * every other escape, links and titles included, is dropped: the text is all that is kept.
 */
import Anser from 'anser'

export type AnsiSpan = {
  text: string
  /** CSS classes for the 16 named colours and the decorations; empty for plain text. */
  classes: string
  /** Exact colours from the 256 colour palette or 24 bit escapes. */
  color: string | null
  background: string | null
}

const ESC = '\u001b'
// Operating system commands (links, titles) end with BEL or ESC \; a torn one ends with its line.
const OSC = new RegExp(`${ESC}[\\]PX^_][^\\u0007\\n]*?(?:\\u0007|${ESC}\\\\|(?=\\n)|$)`, 'g')
// Control sequences that are not colours: cursor movement, erasing, modes.
const OTHER_CSI = new RegExp(`${ESC}\\[[0-9;:?<=>!]*[ -/]*[@-ln-~]`, 'g')
const OTHER_ESCAPE = new RegExp(`${ESC}(?!\\[)[ -/]*[0-~]?`, 'g')
// DCS, SOS, CSI, ST, OSC, PM and APC, each as one character.
const C1_ESCAPES = /[\u0090\u0098\u009b-\u009f]/g
// Controls that are left when escapes are gone; tab and line feed stay.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u0084\u0086-\u009f]/g

/** Applies carriage returns and backspaces as a terminal would, line by line. */
export function applyOverwrites(text: string): string {
  if (!/[\r\b]/.test(text)) return text
  return text
    .split('\n')
    .map(line => {
      const end = line.endsWith('\r') ? line.slice(0, -1) : line
      const parts = end.split('\r')
      // A progress line is written again and again: what was written last is what stays.
      let kept = parts[parts.length - 1] ?? ''
      for (let i = parts.length - 2; i >= 0 && kept === ''; i--) kept = parts[i] ?? ''
      return kept.includes('\b') ? withoutErased(kept) : kept
    })
    .join('\n')
}

/** Applies backspaces: each takes away the character before it. */
function withoutErased(line: string): string {
  const kept: string[] = []
  for (const char of line) {
    if (char === '\b') kept.pop()
    else kept.push(char)
  }
  return kept.join('')
}

/** True when the text holds anything a terminal would treat as more than text. */
export function hasEscapes(text: string): boolean {
  return text.includes(ESC)
}

/** The one-character forms of escapes as their two-character ones. */
function withLongEscapes(text: string): string {
  return text.replace(C1_ESCAPES, char => ESC + String.fromCharCode(char.charCodeAt(0) - 0x40))
}

/** Lines of spans. Plain text comes back as one span per line. */
export function ansiLines(source: string): AnsiSpan[][] {
  const text = applyOverwrites(withLongEscapes(source).replace(OSC, ''))
    .replace(OTHER_CSI, '')
    .replace(OTHER_ESCAPE, '')
    .replace(CONTROLS, '')
  if (!hasEscapes(text)) return text.split('\n').map(line => (line === '' ? [] : [plain(line)]))
  const lines: AnsiSpan[][] = [[]]
  for (const part of Anser.ansiToJson(text, { use_classes: true })) {
    if (part.content === '') continue
    const style = spanStyle(part)
    part.content.split('\n').forEach((piece, index) => {
      if (index > 0) lines.push([])
      if (piece !== '') lines[lines.length - 1]?.push({ ...style, text: piece })
    })
  }
  return lines
}

function plain(text: string): AnsiSpan {
  return { text, classes: '', color: null, background: null }
}

function spanStyle(part: Anser.AnserJsonEntry): Omit<AnsiSpan, 'text'> {
  const classes: string[] = []
  const color = exactColor(part.fg, part.fg_truecolor)
  const background = exactColor(part.bg, part.bg_truecolor)
  if (color === null && isNamed(part.fg)) classes.push(part.fg)
  if (background === null && isNamed(part.bg)) classes.push(`${part.bg}-bg`)
  for (const decoration of part.decorations) classes.push(`ansi-${decoration}`)
  return { classes: classes.join(' '), color, background }
}

function isNamed(name: string | null): boolean {
  return name !== null && /^ansi-(bright-)?(black|red|green|yellow|blue|magenta|cyan|white)$/.test(name)
}

function exactColor(name: string | null, rgb: string | null): string | null {
  if (name === null) return null
  if (name === 'ansi-truecolor' && rgb !== null && /^[0-9, ]+$/.test(rgb)) return `rgb(${rgb})`
  const index = /^ansi-palette-(\d+)$/.exec(name)?.[1]
  return index === undefined ? null : paletteColor(Number(index))
}

/** The standard 256 colour palette: a 6x6x6 cube from 16, greys from 232. */
function paletteColor(index: number): string | null {
  if (index < 16 || index > 255) return null
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return `rgb(${grey}, ${grey}, ${grey})`
  }
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40)
  const cube = index - 16
  return `rgb(${level(Math.floor(cube / 36))}, ${level(Math.floor(cube / 6) % 6)}, ${level(cube % 6)})`
}
