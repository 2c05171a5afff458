import type { MatchRange } from '@shared/ipc/models/search-models'
import { expect, test } from 'vitest'
import { fromFirstMatch, piecesOf } from './marked-text'

const shown = (text: string, ranges: readonly MatchRange[]) =>
  piecesOf(text, ranges).map(({ text: piece, marked }) => (marked ? `[${piece}]` : piece))

test('matches are marked where they are', () => {
  expect(
    shown('the rename race', [
      [4, 10],
      [11, 15],
    ]),
  ).toEqual(['the ', '[rename]', ' ', '[race]'])
  expect(shown('race', [[0, 4]])).toEqual(['[race]'])
  expect(shown('', [])).toEqual([])
})

test.each<[string, MatchRange[]]>([
  ['beyond the end', [[2, 99]]],
  ['turned round', [[3, 1]]],
  ['of no length', [[2, 2]]],
  ['no whole number', [[0.5, 2]]],
  ['no number', [[Number.NaN, 2]]],
])('a range that is %s marks nothing and loses nothing', (_, ranges) => {
  expect(shown('text', ranges)).toEqual(['text'])
})

test('of ranges that overlap the first is marked', () => {
  expect(
    shown('abcdef', [
      [0, 3],
      [2, 5],
      [5, 6],
    ]),
  ).toEqual(['[abc]', 'de', '[f]'])
})

test('no character is cut in two', () => {
  expect(shown('a😀b', [[1, 2]])).toEqual(['a😀b'])
  expect(shown('a😀b', [[1, 3]])).toEqual(['a', '[😀]', 'b'])
})

test('a snippet begins near its first match', () => {
  const text = `${'word '.repeat(40)}needle and more needle`
  const cut = fromFirstMatch(
    {
      text,
      ranges: [
        [200, 206],
        [216, 222],
      ],
    },
    22,
  )
  expect(shown(cut.text, cut.ranges)).toEqual(['…word word word word ', '[needle]', ' and more ', '[needle]'])
})

test('a snippet whose match is near its beginning stays as it is', () => {
  const ranges: MatchRange[] = [[2, 8]]
  const snippet = { text: 'a needle', ranges }
  expect(fromFirstMatch(snippet, 22)).toEqual(snippet)
})
