import hljs from 'highlight.js/lib/common'
import { expect, test } from 'vitest'
import { HIGHLIGHT_LIMIT, highlightCode, languageOf, spansOf } from './highlight'

test('spans hold exactly the code', () => {
  const code = 'const a = "<b>&amp;</b>" // it\'s <i>\nfunction f(x: number) { return `a ` }'
  const spans = highlightCode(hljs, code, 'ts')
  expect(spans?.map(span => span.text).join('')).toBe(code)
  expect(spans?.some(span => span.classes === 'hljs-keyword' && span.text === 'const')).toBe(true)
})

test('leaves unknown languages and long code plain', () => {
  expect(highlightCode(hljs, 'x', 'no-such-language')).toBeNull()
  expect(highlightCode(hljs, 'x', null)).toBeNull()
  expect(highlightCode(hljs, 'x'.repeat(HIGHLIGHT_LIMIT + 1), 'ts')).toBeNull()
})

test('takes nested markup apart', () => {
  expect(spansOf('a<span class="x">b<span class="y">&lt;</span>c</span>d')).toEqual([
    { text: 'a', classes: '' },
    { text: 'b', classes: 'x' },
    { text: '<', classes: 'y' },
    { text: 'c', classes: 'x' },
    { text: 'd', classes: '' },
  ])
})

test('finds the language of a file by its name', () => {
  expect(languageOf('src/a/upload.test.ts')).toBe('typescript')
  expect(languageOf('Makefile')).toBeNull()
})
