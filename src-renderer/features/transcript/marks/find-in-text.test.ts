import { expect, test } from 'vitest'
import { findInText } from './find-in-text'

const found = (text: string, texts: string[], exact = false) =>
  findInText(text, { texts, exact }).map(([from, to]) => text.slice(from, to))

test('case and accents do not matter, unless they are asked for', () => {
  expect(found('Café, cafe, CAFÉ', ['cafe'])).toEqual(['Café', 'cafe', 'CAFÉ'])
  expect(found('Café, cafe, CAFÉ', ['cafe'], true)).toEqual(['cafe'])
  expect(found('cafe\u0301 cafe', ['CAFÉ'])).toEqual(['cafe\u0301', 'cafe'])
})

test('ranges are those of the text as it stands', () => {
  expect(findInText('😀 ﬁx ÉCOLE', { texts: ['ecole'], exact: false })).toEqual([[6, 11]])
  expect(found('上传失败的原因', ['失败'])).toEqual(['失败'])
})

test('occurrences do not overlap', () => {
  expect(findInText('aaaaa', { texts: ['aa'], exact: false })).toEqual([
    [0, 2],
    [2, 4],
  ])
  expect(found('rename renames', ['rename', 'renames'], true)).toEqual(['rename', 'renames'])
})

test('nothing is found for nothing', () => {
  expect(found('text', [''])).toEqual([])
  expect(found('text', [])).toEqual([])
  expect(found('', ['x'])).toEqual([])
})
