import { expect, test } from 'vitest'
import { regexFault } from './regex-fault'

test.each(['', 'a', '(?i)rename', '^\\s*fn (?<name>\\w+)', '[a-z]{2,}'])('%s can be searched with', text => {
  expect(regexFault(text)).toBeNull()
})

test.each([
  ['(abc', 0],
  ['ab(c[d]', 2],
  ['a)b', 1],
  ['abc\\', 3],
  ['x[a-', 1],
  ['(?i)a**', 6],
  ['(a)|(b', 4],
])('%s is told to be wrong at %i', (text, at) => {
  expect(regexFault(text)?.at).toBe(at)
})

test('the reason does not repeat the expression', () => {
  expect(regexFault('(abc')?.reason).toBe('Unterminated group')
})
