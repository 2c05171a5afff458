/** What a query means: whether a text matches, and where. One meaning for index, scan, find in session and highlighting. Pure. */
import type { MatchRange, SearchMode } from '../ipc/models/search-models'
import { err, ok, type Result } from '../ipc/result'
import { foldText, foldWithPlaces } from './fold'
import { isWordEnd, isWordStart } from './tokens'

export type Matcher = {
  /** Whether the query occurs in these texts together: every word of it in one of them. */
  matches(texts: readonly string[]): boolean
  /** Where it occurs in one text, at most `most` times; in order, not overlapping. */
  ranges(text: string, most: number): MatchRange[]
  /** For `words`: the folded words. */
  words: readonly string[]
}

/** Words of a query: more are not typed. */
const MOST_WORDS = 32

/** What a search for `text` looks for; an error for an expression that is none. */
export function queryMatcher(text: string, mode: SearchMode): Result<Matcher> {
  switch (mode) {
    case 'words':
      return ok(wordsMatcher(text))
    case 'exact':
      return ok(exactMatcher(text))
    case 'regex':
      return regexMatcher(text)
    default:
      return mode satisfies never
  }
}

/** The folded words of a query; what stands in quotes is one. */
export function queryWords(text: string): string[] {
  const words = new Set<string>()
  for (const [, quoted, plain] of text.slice(0, 4000).matchAll(/"([^"]+)"|([^\s"]+)/g)) {
    const word = foldText(quoted ?? plain ?? '').trim()
    if (word !== '') words.add(word)
    if (words.size === MOST_WORDS) break
  }
  return [...words]
}

/** For find in session: the text wherever it stands, within words too; `exact`: case and accents matter. */
export function findMatcher(text: string, exact: boolean): Matcher {
  if (exact) return exactMatcher(text)
  const needle = foldText(text)
  return {
    words: [needle],
    matches: texts => needle !== '' && texts.some(one => foldText(one).includes(needle)),
    ranges: (one, most) => foldedRanges(one, most, (folded, from) => nextOf(folded, [needle], from, false)),
  }
}

function wordsMatcher(text: string): Matcher {
  const words = queryWords(text)
  return {
    words,
    matches(texts) {
      if (words.length === 0) return false
      const folded = texts.map(foldText)
      return words.every(word => folded.some(one => indexOfWord(one, word, 0) !== -1))
    },
    ranges: (one, most) => foldedRanges(one, most, (folded, from) => nextOf(folded, words, from, true)),
  }
}

function indexOfWord(folded: string, word: string, from: number): number {
  for (let at = folded.indexOf(word, from); at !== -1; at = folded.indexOf(word, at + 1))
    if (
      isWordStart(folded, at) &&
      isWhole(folded, at, word.length) &&
      (word.length > 1 || isWordEnd(folded, at + 1))
    )
      return at
  return -1
}

/** The next of the words from a place on: the first, and of several there the longest. */
function nextOf(
  folded: string,
  words: readonly string[],
  from: number,
  atStart: boolean,
): [number, number] | null {
  let best: [number, number] | null = null
  for (const word of words) {
    if (word === '') continue
    const at = atStart ? indexOfWord(folded, word, from) : indexOfWhole(folded, word, from)
    if (at === -1) continue
    if (best === null || at < best[0] || (at === best[0] && at + word.length > best[1]))
      best = [at, at + word.length]
  }
  return best
}

function foldedRanges(
  text: string,
  most: number,
  next: (folded: string, from: number) => [number, number] | null,
): MatchRange[] {
  const { text: folded, starts, ends } = foldWithPlaces(text)
  const ranges: MatchRange[] = []
  let last = 0
  for (let found = next(folded, 0); found !== null && ranges.length < most; found = next(folded, found[1])) {
    const start = starts?.[found[0]] ?? found[0]
    const end = ends?.[found[1] - 1] ?? found[1]
    // Two matches within one joined letter are one.
    if (start >= last) ranges.push([start, end])
    last = Math.max(last, end)
  }
  return ranges
}

function exactMatcher(text: string): Matcher {
  return {
    words: [],
    matches: texts => text !== '' && texts.some(one => indexOfWhole(one, text, 0) !== -1),
    ranges(one, most) {
      const ranges: MatchRange[] = []
      if (text === '') return ranges
      for (let at = indexOfWhole(one, text, 0); at !== -1 && ranges.length < most; ) {
        ranges.push([at, at + text.length])
        at = indexOfWhole(one, text, at + text.length)
      }
      return ranges
    },
  }
}

/** As `indexOf`, never through the middle of a character. */
function indexOfWhole(text: string, needle: string, from: number): number {
  for (let at = text.indexOf(needle, from); at !== -1; at = text.indexOf(needle, at + 1))
    if (isWhole(text, at, needle.length)) return at
  return -1
}

function isWhole(text: string, at: number, length: number): boolean {
  return !splitsPair(text, at) && !splitsPair(text, at + length)
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}

/** `(?i)` at the start ignores case. */
export function regexParts(text: string): { source: string; ignoreCase: boolean } {
  const ignoreCase = text.startsWith('(?i)')
  return { source: ignoreCase ? text.slice(4) : text, ignoreCase }
}

function regexMatcher(text: string): Result<Matcher> {
  const { source, ignoreCase } = regexParts(text)
  let expression: RegExp
  try {
    expression = new RegExp(source, ignoreCase ? 'gimu' : 'gmu')
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    return err('invalid-argument', `${reason}. Search for the text as it stands, or mend the expression.`)
  }
  const ranges = (one: string, most: number) => {
    const found: MatchRange[] = []
    if (source === '') return found
    expression.lastIndex = 0
    for (let match = expression.exec(one); match !== null; match = expression.exec(one)) {
      const end = match.index + match[0].length
      // What matches nothing would match everywhere, and shows nothing.
      if (match[0] === '') expression.lastIndex = stepOver(one, end)
      else if (found.push([match.index, end]) >= most) break
    }
    return found
  }
  return ok({ words: [], matches: texts => texts.some(one => ranges(one, 1).length > 0), ranges })
}

function stepOver(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}
