import { queryMatcher } from '@shared/search/matcher'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteFinder } from './byte-finder'
import { prefilterOf, requiredLiteral } from './prefilter'

const char = fc.constantFrom(
  'a',
  'b',
  'K',
  's',
  ' ',
  ':',
  '"',
  '\\',
  '\n',
  'é',
  '中',
  '👍',
  '\ud83d',
  '\0',
  '{',
  '1',
  '/',
)
const anyText = fc.array(char, { maxLength: 8 }).map(chars => chars.join(''))

it('never rules out a line in which the text stands, written as JSON is', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (before, needle, after) => {
      const text = before + needle + after
      const matcher = queryMatcher(needle, 'exact')
      fc.pre(matcher.ok && matcher.value.matches([text]))
      for (const line of [
        JSON.stringify({ text }),
        JSON.stringify({ a: { text: JSON.stringify({ x: text }) } }),
      ])
        expect(new ByteFinder(prefilterOf(needle, 'exact')).isIn(Buffer.from(line))).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

it('rules out what has nothing of it', () => {
  expect(new ByteFinder(prefilterOf('needle', 'exact')).isIn(Buffer.from('{"text":"hay"}'))).toBe(false)
  expect(new ByteFinder(prefilterOf('中', 'exact')).isIn(Buffer.from('{"text":"hay"}'))).toBe(false)
  expect(new ByteFinder(prefilterOf('中', 'exact')).isIn(Buffer.from('{"text":"\\u4e2d"}'))).toBe(true)
})

it.each([
  ['needle', 'needle'],
  ['nee?dle', 'dle'],
  ['ab|cd', ''],
  ['x(ab|cd)yz+', 'yz'],
  ['a{2,3}needle', 'needle'],
  ['[abc]\\.ts$', '.ts'],
  ['\\bword\\b', 'word'],
  ['\\u{41}', ''],
  ['(?:a)', ''],
  ['a*', ''],
])('of %j knows that %j must be there', (source, literal) => expect(requiredLiteral(source)).toBe(literal))

it('of any expression asks for nothing that a match can be without', () => {
  const part = fc.constantFrom(
    'a',
    'b',
    'ab',
    '.',
    'a?',
    'b*',
    '(ab|b)',
    '[ab]',
    '\\w',
    '\\.',
    'a{0,2}',
    'b+',
    '|',
    '^',
    '$',
    '(a)?',
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.array(fc.constantFrom('a', 'b', '.', 'c'), { maxLength: 6 }),
      (parts, chars) => {
        const matcher = queryMatcher(parts.join(''), 'regex')
        const text = chars.join('')
        fc.pre(matcher.ok && matcher.value.matches([text]))
        expect(text).toContain(requiredLiteral(parts.join('')))
      },
    ),
    { numRuns: 1000 },
  )
})
