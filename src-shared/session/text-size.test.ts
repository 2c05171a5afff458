import { expect, test } from 'vitest'
import { charCount, lineCount } from './text-size'

test('characters are counted as a reader does, lines with or without the last end', () => {
  expect([charCount(''), charCount('a😀b'), charCount('\ud83d')]).toEqual([0, 3, 1])
  expect(['', 'a', 'a\n', 'a\nb', '\n', 'a\n\n'].map(lineCount)).toEqual([0, 1, 1, 2, 1, 2])
})
