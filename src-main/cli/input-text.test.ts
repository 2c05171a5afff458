/** Standard input as text, cut anywhere. */
import { expect, it } from 'vitest'
import { inputLines, wholeInput } from './input-text'

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function linesOf(text: string | Uint8Array, size: number, max?: number) {
  const lines = []
  for await (const line of inputLines(pieces(Buffer.from(text), size), max)) lines.push(line)
  return lines
}

it('gives the same lines wherever it is cut, blank ones counted and left out', async () => {
  const text = 'one\n\n  \r\nzwö 😀\r\nlast'
  for (let size = 1; size <= 30; size++)
    expect(await linesOf(text, size)).toEqual([
      { number: 1, text: 'one' },
      { number: 4, text: 'zwö 😀\r' },
      { number: 5, text: 'last' },
    ])
  expect(await linesOf('', 1)).toEqual([])
  expect(await linesOf('\n', 1)).toEqual([])
})

it('refuses a line that is too long, and bytes that are no text', async () => {
  expect(await linesOf('12345\n12345\n', 4, 5)).toHaveLength(2)
  await expect(linesOf('1\n123456', 4, 5)).rejects.toThrow('Line 2 of standard input is longer than 5 bytes')
  await expect(linesOf(Uint8Array.of(0x61, 0x0a, 0xff), 1)).rejects.toThrow(
    'Line 2 of standard input is not text',
  )
})

it('gives all of it exactly', async () => {
  const text = '\uFEFFeins\r\n\n zwei 😀 '
  for (const size of [1, 2, 3, 100]) expect(await wholeInput(pieces(Buffer.from(text), size), 100)).toBe(text)
  await expect(wholeInput(pieces(Buffer.from('abc'), 1), 2)).rejects.toThrow('longer than 2 bytes')
  await expect(wholeInput(pieces(Uint8Array.of(0xc3), 1), 2)).rejects.toThrow('not text in UTF-8')
})
