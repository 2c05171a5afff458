import { expect, test } from 'vitest'
import { asideStart } from './draft-words'

test('a text that was set aside is told by its beginning, in one line, cut between characters', () => {
  expect(asideStart('\n  Fix the\nupload ')).toBe('Fix the upload')
  expect(asideStart('😀'.repeat(61))).toBe(`${'😀'.repeat(60)}…`)
  expect(asideStart(`short${' '.repeat(300)}end`)).toBe('short…')
})
