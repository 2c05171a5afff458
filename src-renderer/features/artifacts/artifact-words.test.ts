import { expect, test } from 'vitest'
import { jsonSpans, patchLine, prettyJson, terminalText } from './artifact-words'

test('JSON is indented, and left alone when it is none', () => {
  expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
  expect(prettyJson('{"a":')).toBe('{"a":')
})

test('JSON spans hold exactly the text', () => {
  const text = '{"a": "x \\" y", "n": -1.5e3, "t": true, "u": null, broken "'
  const spans = jsonSpans(text)
  expect(spans.map(span => span.text).join('')).toBe(text)
  expect(spans.filter(span => span.kind === 'key').map(span => span.text)).toEqual([
    '"a"',
    '"n"',
    '"t"',
    '"u"',
  ])
  expect(spans.find(span => span.kind === 'number')?.text).toBe('-1.5e3')
})

test('lines of a patch', () => {
  expect(['diff --git a b', '--- a', '+++ b', '@@ -1 +1 @@', '+x', '-y', ' z'].map(patchLine)).toEqual([
    'file',
    'file',
    'file',
    'hunk',
    'add',
    'del',
    'plain',
  ])
})

test('terminal logs lose their escapes and overwritten lines', () => {
  const esc = '\u001b'
  expect(terminalText(`${esc}[32mok${esc}[39m\r\n10%\r100%\n${esc}]8;;http://x\u0007l${esc}]8;;\u0007`)).toBe(
    'ok\n100%\nl',
  )
})
