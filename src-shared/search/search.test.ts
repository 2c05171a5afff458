import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchMode } from '../ipc/models/search-models'
import { foldText, foldWithPlaces } from './fold'
import { findMatcher, type Matcher, queryMatcher, queryWords } from './matcher'
import { snippetOf } from './snippet'
import { indexTerms, queryTerms, tokensOf } from './tokens'

function matcherOf(text: string, mode: SearchMode = 'words'): Matcher {
  const matcher = queryMatcher(text, mode)
  if (!matcher.ok) throw new Error(matcher.error.message)
  return matcher.value
}

/** What a query marks in a text. */
function marked(query: string, text: string, mode: SearchMode = 'words'): string[] {
  return matcherOf(query, mode)
    .ranges(text, 100)
    .map(([start, end]) => text.slice(start, end))
}

/** Texts of many scripts, with marks, emoji, halves of pairs and punctuation. */
const piece = fc.constantFrom(
  ...[
    'a',
    'B',
    'é',
    'e\u0301',
    'ﬁ',
    'İ',
    'ß',
    '中',
    '文',
    '字',
    'か',
    'が',
    'か\u3099',
    'ー',
    '한',
    '\u1112\u1161\u11ab',
    'ไ',
    'न',
    'मे',
  ],
  ...[
    '1',
    '9',
    '_',
    '-',
    '.',
    ' ',
    '\n',
    '"',
    '\\',
    '\0',
    '👍',
    '👍🏽',
    '👨\u200d👩\u200d👧',
    '🇩🇪',
    '1️⃣',
    '\ud83d',
    '\udc4d',
    'Σ',
    'ς',
    'x',
    'Ａ',
  ],
)
const anyText = fc.array(piece, { maxLength: 24 }).map(pieces => pieces.join(''))

describe('folding', () => {
  it.each([
    ['CAFÉ', 'cafe'],
    ['cafe\u0301', 'cafe'],
    ['ﬁne Ａ', 'fine a'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
    ['か\u3099', 'が'],
    ['\u1112\u1161\u11ab', '한'],
    ['❤️', '❤'],
  ])('folds %j to %j', (text, folded) => expect(foldText(text)).toBe(folded))

  it('keeps vowel signs, which are no accents', () => expect(foldText('मे')).not.toBe(foldText('म')))

  it('knows for every place of the folded text where it was', () => {
    fc.assert(
      fc.property(anyText, text => {
        const { text: folded, starts, ends } = foldWithPlaces(text)
        expect(folded).toBe(foldText(text))
        let last = 0
        for (let at = 0; at < folded.length; at++) {
          const start = starts?.[at] ?? at
          const end = ends?.[at] ?? at + 1
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(foldText(text.slice(start, end))).toContain(folded[at])
          last = start
        }
      }),
    )
  })
})

describe('words', () => {
  it('are runs of letters and digits; characters of scripts without spaces, and emoji, by themselves', () => {
    const words = [...tokensOf(foldText('Fix_the v8.2 中文 か한 👍🏽 नमस्ते'))].map(({ text }) => text)
    expect(words).toEqual(['fix', 'the', 'v8', '2', '中', '文', 'か', '한', '👍', 'नमस्ते'])
  })

  it.each([
    ['uplo', 'the Upload and reupload', ['Uplo']],
    ['cafe', 'Café, CAFÉS, decafe', ['Café', 'CAFÉ']],
    ['foo_bar', 'foo_bar foo bar', ['foo_bar']],
    ['文', '中文字', ['文']],
    ['中字', '中文字', []],
    ['a', 'a cat', ['a']],
    ['"two words"', 'two words, words two', ['two words']],
    ['👍', 'ok 👍🏽', ['👍']],
    ['=>', 'a => b', ['=>']],
    ['\ud83d', 'ok 👍', []],
  ])('%j marks in %j', (query, text, found) => expect(marked(query, text)).toEqual(found))

  it('must all occur, in any of the texts', () => {
    const matcher = matcherOf('upload flaky')
    expect(matcher.matches(['the upload', 'is flaky'])).toBe(true)
    expect(matcher.matches(['the upload'])).toBe(false)
  })

  it('of a query are in the index of every text that they match', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, query) => {
        fc.pre(matcherOf(query).matches([text]))
        const terms = new Set<string>()
        indexTerms(foldText(text), terms)
        for (const word of queryWords(query))
          for (const { text: term, prefix } of queryTerms(word))
            expect([...terms].some(one => (prefix ? one.startsWith(term) : one === term))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('exact and expressions', () => {
  it('tell case and accents apart, and never cut a character in two', () => {
    expect(marked('Cafe', 'cafe Cafe Café', 'exact')).toEqual(['Cafe'])
    expect(marked('\ud83d', '👍', 'exact')).toEqual([])
    expect(marked('a\nb', 'xa\nb', 'exact')).toEqual(['a\nb'])
  })

  it('match line by line; (?i) ignores case; what matches nothing ends', () => {
    expect(marked('^fix.*$', 'a\nfix it\nFix', 'regex')).toEqual(['fix it'])
    expect(marked('(?i)^fix.*$', 'a\nfix it\nFix', 'regex')).toEqual(['fix it', 'Fix'])
    expect(marked('x*', 'axxb', 'regex')).toEqual(['xx'])
  })

  it('that is none is an error in words', () => {
    expect(queryMatcher('(', 'regex')).toMatchObject({ ok: false, error: { code: 'invalid-argument' } })
  })

  it('find in session finds within words', () => {
    expect(findMatcher('LOAD', false).ranges('an upload', 9)).toEqual([[5, 9]])
    expect(findMatcher('LOAD', true).ranges('an upload', 9)).toEqual([])
  })
})

it('never throws, never overlaps, never leaves the text, whatever is asked of whatever', () => {
  fc.assert(
    fc.property(
      anyText,
      anyText,
      fc.constantFrom<SearchMode>('words', 'exact', 'regex'),
      (text, query, mode) => {
        const matcher = queryMatcher(query, mode)
        if (!matcher.ok) return
        let last = 0
        for (const [start, end] of matcher.value.ranges(text, 50)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          last = end
        }
      },
    ),
    { numRuns: 1000 },
  )
})

describe('snippets', () => {
  it('show the first match with its surroundings on one line', () => {
    const text = `${'before '.repeat(30)}the\nmatch here ${'after '.repeat(90)}`
    const { text: shown, ranges } = snippetOf(text, matcherOf('match').ranges(text, 9))
    expect(ranges.map(([start, end]) => shown.slice(start, end))).toEqual(['match'])
    expect(shown).toMatch(/^….* the match here after .*…$/)
    expect(shown.length).toBeLessThan(250)
  })

  it('make controls visible and keep characters whole', () => {
    fc.assert(
      fc.property(anyText, fc.nat(30), (text, at) => {
        const long = `${text}${'👨\u200d👩\u200d👧'.repeat(40)}`
        const { text: shown, ranges } = snippetOf(long, [
          [Math.min(at, long.length), Math.min(at + 2, long.length)],
        ])
        expect(shown).not.toMatch(
          /[\0\n]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/,
        )
        for (const [start, end] of ranges) expect(end).toBeLessThanOrEqual(shown.length + (start - start))
      }),
    )
  })
})
