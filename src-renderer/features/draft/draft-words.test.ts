import { expect, test } from 'vitest'
import { asideStart, EDITED_CHARS, longDraftText, shownPart } from './draft-words'

test('a text that was set aside is told by its beginning, in one line, cut between characters', () => {
  expect(asideStart('\n  Fix the\nupload ')).toBe('Fix the upload')
  expect(asideStart('😀'.repeat(61))).toBe(`${'😀'.repeat(60)}…`)
  expect(asideStart(`short${' '.repeat(300)}end`)).toBe('short…')
})

test('a text is shown whole up to what can be edited, and beyond that by its beginning, cut between characters', () => {
  const whole = 'x'.repeat(EDITED_CHARS)
  expect(shownPart(whole)).toEqual({ text: whole, rest: null })
  const long = shownPart(`x${'😀'.repeat(EDITED_CHARS)}`)
  expect(long.text).toBe(`x${'😀'.repeat(9_999)}`)
  expect(long.rest).toBe('90,001 more characters not shown.')
})

test('of a long draft its size is told, and that omp takes it only when it is saved', () => {
  const text = 'ä'.repeat(2_500_000)
  expect(longDraftText(text, true)).toContain('5.0 MB')
  expect(longDraftText(text, true)).toContain('omp still takes all of it')
  expect(longDraftText(text, false)).toContain('kept until it can be saved')
  expect(longDraftText(text, false)).not.toContain('omp')
})
