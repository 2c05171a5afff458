import { expect, test } from 'vitest'
import { shortProblem } from './row-facts'

test('why a file cannot be read stands first, without its path; other reasons are told as they are', () => {
  expect(shortProblem('Cannot read /a/b: c.jsonl: it is a folder.')).toBe('Cannot be read: it is a folder.')
  expect(shortProblem('Cannot read /a/two\nlines: its links go round in a circle (ELOOP).')).toBe(
    'Cannot be read: its links go round in a circle (ELOOP).',
  )
  expect(shortProblem('The file holds no session: none of its lines is a record.')).toBe(
    'The file holds no session: none of its lines is a record.',
  )
})
