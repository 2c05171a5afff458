/** Text from files made fit for one line of a screen: whole characters, visible controls, no markup tricks. */

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** What needs no look at how characters are put together: that takes a hundred times as long. */
const PLAIN = /^[\n\x20-\x7e]*$/
/** One line of such characters, with single spaces between words. */
const PLAIN_LINE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/** Runs of white space become one space; the ends are trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** At most `max` characters as a person counts them; an ellipsis tells that more was there. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  // Each of these is a character by itself, and the last one shows that the one before it is whole.
  if (PLAIN.test(text.slice(0, max + 1))) return `${text.slice(0, max).trimEnd()}…`
  const most = max * 16
  let kept = ''
  let count = 0
  for (const { segment } of segmenter.segment(cutAtCharacter(text, most))) {
    // The last of what is looked at at all may go on beyond it; by itself it is shown as far as it is looked at.
    const open = text.length > most && kept.length + segment.length >= most - 1
    if (count === max || (open && count > 0)) return `${kept.trimEnd()}…`
    kept += segment
    count++
  }
  return kept.length < text.length ? `${kept.trimEnd()}…` : kept
}

/** The first `max` code units, one less when that would split a surrogate pair. */
export function cutAtCharacter(text: string, max: number): string {
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? max - 1 : max)
}

/**
 * Makes what would act invisibly visible: C0 and C1 controls become their pictures, bidi controls are named,
 * lone surrogates become U+FFFD. For the screen only; never written back.
 */
export function visibleText(text: string): string {
  return replaceLoneSurrogates(text).replace(CONTROLS, char => {
    const code = char.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    if (code === 0x7f) return '\u2421'
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}

/** A path for the screen, whole and on one line: what would act invisibly is visible, line breaks and tabs as well. */
export function visiblePath(path: string): string {
  return visibleText(path).replace(/[\t\n]/g, char => (char === '\n' ? '\u240a' : '\u2409'))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what this looks for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

export function replaceLoneSurrogates(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}

/** One line for a list: visible, cut at a whole character. */
export function listText(text: string, max: number): string {
  const most = max * 40
  if (text.length <= most && PLAIN_LINE.test(text)) return cutText(text, max)
  const start = text.length > most ? text.trimStart() : text
  const line = visibleText(oneLine(cutAtCharacter(start, most)))
  return cutText(start.length > most ? `${line}…` : line, max)
}
