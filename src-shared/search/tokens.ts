/**
 * Words of folded text, as the index has them. Where a script puts no spaces between words (Chinese, Japanese, Thai ...), and for
 * Hangul and emoji, each character is a word by itself, so that one is enough to be found. Pure.
 */

const ALONE =
  '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\u30fc\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\\p{Extended_Pictographic}\\p{Regional_Indicator}'
const WORD = '\\p{L}\\p{M}\\p{N}\\p{Co}'

/** One character that is a word, or a run of the characters of words. ASCII digits count as emoji, and are none. */
const TOKEN = new RegExp(`(?![0-9#*])[${ALONE}]|(?:(?=[0-9])[0-9]|(?![${ALONE}])[${WORD}])+`, 'gu')
const ALONE_CHAR = new RegExp(`^(?![0-9#*])[${ALONE}]$`, 'u')
const WORD_CHAR = new RegExp(`^(?:[0-9]|(?![${ALONE}])[${WORD}])$`, 'u')

/** The same of each ASCII character, without an expression: asked at every place where a letter stands. */
const ASCII_WORD = Array.from({ length: 128 }, (_, code) => WORD_CHAR.test(String.fromCharCode(code)))

/** Units of a word that the index keeps: longer ones are hashes and the like, found by how they begin. */
export const TOKEN_UNITS = 32

export type Token = { text: string; start: number; alone: boolean }

const ASCII_TOKEN = /[a-z0-9]+/g
const ONLY_ASCII = /^[\0-\x7f]*$/

/** All words of a folded text, in order. */
export function* tokensOf(text: string): Generator<Token> {
  if (ONLY_ASCII.test(text)) {
    for (const { 0: found, index } of text.matchAll(ASCII_TOKEN))
      yield { text: found, start: index, alone: false }
    return
  }
  for (const { 0: found, index } of text.matchAll(TOKEN))
    yield { text: found, start: index, alone: found.length <= 2 && ALONE_CHAR.test(found) }
}

/** Whether a word that begins at `at` of a folded text begins there, and not within another. */
export function isWordStart(text: string, at: number): boolean {
  return at === 0 || !isWordCharAt(text, at) || !isWordCharBefore(text, at)
}

/** Whether a word that ends before `at` of a folded text ends there. */
export function isWordEnd(text: string, at: number): boolean {
  return at >= text.length || !isWordCharAt(text, at) || !isWordCharBefore(text, at)
}

function isWordCharAt(text: string, at: number): boolean {
  return ASCII_WORD[text.charCodeAt(at)] ?? WORD_CHAR.test(charAt(text, at))
}

function isWordCharBefore(text: string, at: number): boolean {
  return ASCII_WORD[text.charCodeAt(at - 1)] ?? WORD_CHAR.test(charBefore(text, at))
}

function charAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0)
}

function charBefore(text: string, at: number): string {
  const last = text.charCodeAt(at - 1)
  const pair = last >= 0xdc00 && last <= 0xdfff && at > 1
  const lead = text.charCodeAt(at - 2)
  return pair && lead >= 0xd800 && lead <= 0xdbff ? text.slice(at - 2, at) : text.slice(at - 1, at)
}

/**
 * The terms by which the index finds a text: its words, cut to `TOKEN_UNITS`; of neighbours that are single characters the pairs as
 * well, since one of them alone is in nearly every text of its script.
 */
export function indexTerms(text: string, terms: Set<string>): void {
  let before: Token | null = null
  for (const token of tokensOf(text)) {
    terms.add(cutToken(token.text))
    if (token.alone && before?.alone && before.start + before.text.length === token.start)
      terms.add(before.text + token.text)
    before = token
  }
}

/** Never through a character. */
function cutToken(text: string): string {
  if (text.length <= TOKEN_UNITS) return text
  const last = text.charCodeAt(TOKEN_UNITS - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? TOKEN_UNITS - 1 : TOKEN_UNITS)
}

export type QueryTerm = { text: string; prefix: boolean }

/** The terms that every text has in which the folded `word` occurs at the start of a word. */
export function queryTerms(word: string): QueryTerm[] {
  const terms = new Map<string, boolean>()
  const tokens = [...tokensOf(word)]
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    if (token.alone) {
      const joined = next?.alone && token.start + token.text.length === next.start
      const previous = tokens[at - 1]
      const covered = previous?.alone && previous.start + previous.text.length === token.start
      if (joined) terms.set(token.text + next.text, false)
      else if (!covered) terms.set(token.text, false)
      continue
    }
    // What is typed may go on, unless it is a single letter, which is in nearly every text.
    const open = token.start + token.text.length === word.length && word.length > 1
    const cut = cutToken(token.text)
    terms.set(cut, (terms.get(cut) ?? true) && open && cut === token.text)
  }
  return [...terms].map(([text, prefix]) => ({ text, prefix }))
}
