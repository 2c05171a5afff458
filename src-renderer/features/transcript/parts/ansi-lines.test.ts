import { describe, expect, test } from 'vitest'
import { ansiLines, applyOverwrites } from './ansi-lines'

const ESC = '\u001b'
const text = (source: string) => ansiLines(source).map(line => line.map(span => span.text).join(''))

describe('ansiLines', () => {
  test('keeps plain text as it is, empty lines included', () => {
    expect(text('a\n\nb')).toEqual(['a', '', 'b'])
  })

  test('turns named colours into classes and exact ones into values', () => {
    const [line] = ansiLines(
      `${ESC}[1;31mred${ESC}[0m ${ESC}[38;5;208mp${ESC}[0m${ESC}[48;2;1;2;3mt${ESC}[0m`,
    )
    expect(line?.map(span => span.text)).toEqual(['red', ' ', 'p', 't'])
    expect(line?.[0]?.classes).toBe('ansi-red ansi-bold')
    expect(line?.[2]?.color).toBe('rgb(255, 135, 0)')
    expect(line?.[3]?.background).toBe('rgb(1, 2, 3)')
  })

  test('carries a colour over line ends', () => {
    const lines = ansiLines(`${ESC}[32mone\ntwo${ESC}[0m\nthree`)
    expect(lines.map(line => line[0]?.classes)).toEqual(['ansi-green', 'ansi-green', ''])
  })

  test('drops links, titles, cursor movement and other controls, never the text', () => {
    expect(text(`${ESC}]8;;https://evil.example\u0007link${ESC}]8;;\u0007 end`)).toEqual(['link end'])
    expect(text(`${ESC}]0;title${ESC}\\text`)).toEqual(['text'])
    expect(text(`${ESC}[2J${ESC}[1;1Hshown\u0000\u0007`)).toEqual(['shown'])
    expect(text(`torn ${ESC}]8;;https://evil.example\nnext`)).toEqual(['torn ', 'next'])
  })

  test('knows escapes that are one character, and drops those that are left', () => {
    expect(ansiLines('\u009b31mred\u009b0m end')[0]?.[0]).toMatchObject({ text: 'red', classes: 'ansi-red' })
    expect(text('\u009d0;title\u009ctext \u009b2Jshown\u0080\u009a')).toEqual(['text shown'])
    expect(text('next\u0085line')).toEqual(['next\u0085line'])
  })

  test('shows markup as text', () => {
    expect(text('<b>&amp;</b>')).toEqual(['<b>&amp;</b>'])
    expect(text(`${ESC}[31m<script>${ESC}[0m`)).toEqual(['<script>'])
  })

  test('applies carriage returns and backspaces', () => {
    expect(applyOverwrites('10%\r50%\r100%\ndone\r\nab\bc')).toBe('100%\ndone\nac')
  })
})
