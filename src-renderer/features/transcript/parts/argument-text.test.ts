import { expect, test } from 'vitest'
import { argumentText } from './argument-text'

test('one text is shown by itself, anything else as it is written', () => {
  expect(argumentText('{"command":"npm test\\nls"}')).toBe('npm test\nls')
  for (const text of ['{"a":"b","c":"d"}', '{"a":1}', '["a"]', '{"comma', '"a"', 'null', '']) {
    expect(argumentText(text)).toBe(text)
  }
})
