import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryByteSource } from './byte-source'
import { type Line, type LineReaderOptions, readLines } from './line-reader'

type Seen = Omit<Line, 'bytes'> & { text: string }

/** Lines with their content copied: the reader's view is only good until the next line. */
function linesOf(text: string | Uint8Array, options: LineReaderOptions = {}): Seen[] {
  const source = memoryByteSource(typeof text === 'string' ? Buffer.from(text) : text)
  return [...lazily(source, options)]
}

function* lazily(source: ReturnType<typeof memoryByteSource>, options: LineReaderOptions): Generator<Seen> {
  for (const { bytes, ...rest } of readLines(source, options))
    yield { ...rest, text: Buffer.from(bytes).toString('utf8') }
}

const texts = (text: string) => linesOf(text).map(line => line.text)

/** What the lines must be, from the whole text at once. */
function expectedLines(bytes: Buffer, lineBytes: number): Seen[] {
  const lines: Seen[] = []
  let offset = 0
  while (offset < bytes.length) {
    const end = bytes.indexOf(0x0a, offset)
    const terminated = end !== -1
    const raw = bytes.subarray(offset, terminated ? end : bytes.length)
    const tooLarge = raw.length > lineBytes
    const crlf = terminated && !tooLarge && raw[raw.length - 1] === 0x0d
    const content = crlf ? raw.subarray(0, -1) : raw
    lines.push({
      number: lines.length + 1,
      offset,
      length: content.length,
      terminated,
      lineEnd: terminated ? (crlf ? 2 : 1) : 0,
      tooLarge,
      text: tooLarge ? '' : content.toString('utf8'),
    })
    offset += raw.length + 1
  }
  return lines
}

describe('readLines', () => {
  it('ends lines at line feeds and nowhere else', () => {
    const separators = 'a\u2028b\u2029c\u0085d\u000be\u000cf\rg'
    expect(texts(`${separators}\nnext\n`)).toEqual([separators, 'next'])
  })

  it('takes a carriage return before a line feed as part of the line end', () => {
    expect(linesOf('a\r\nb\r\n')).toMatchObject([
      { text: 'a', length: 1, lineEnd: 2, offset: 0 },
      { text: 'b', length: 1, lineEnd: 2, offset: 3 },
    ])
    expect(texts('a\r')).toEqual(['a\r'])
  })

  it('knows no empty last line, but empty lines between', () => {
    expect(texts('')).toEqual([])
    expect(texts('\n')).toEqual([''])
    expect(texts('a\n\nb')).toEqual(['a', '', 'b'])
    expect(linesOf('a\nb').map(({ terminated }) => terminated)).toEqual([true, false])
  })

  it('begins where it is told', () => {
    expect(linesOf('one\ntwo\nthree\n', { from: 4, firstNumber: 2 })).toMatchObject([
      { number: 2, offset: 4, text: 'two' },
      { number: 3, offset: 8, text: 'three' },
    ])
  })

  it('reports a line over the limit by its range and reads on behind it', () => {
    const text = `short\n${'x'.repeat(5_000)}\nlast\n`
    for (const chunkBytes of [1, 7, 64, 100_000]) {
      const lines = linesOf(text, { chunkBytes, lineBytes: 100 })
      expect(lines).toMatchObject([
        { text: 'short', tooLarge: false },
        { text: '', tooLarge: true, offset: 6, length: 5_000, number: 2 },
        { text: 'last', tooLarge: false, offset: 5_007, number: 3 },
      ])
    }
  })

  it('is the same whatever the chunk size, for any bytes', () => {
    const bytes = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            '\n',
            '\r\n',
            '\r',
            '\u2028',
            '\u2029',
            '\u0085',
            '\ufeff',
            '\0',
            'é',
            '败',
            '👩‍👧',
          ),
          fc.string({ maxLength: 12 }),
          fc.string({ minLength: 30, maxLength: 60 }),
        ),
        { maxLength: 40 },
      )
      .map(parts => Buffer.from(parts.join('')))
    fc.assert(
      fc.property(
        bytes,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 80 }),
        (all, chunkBytes, lineBytes) => {
          expect(linesOf(all, { chunkBytes, lineBytes })).toEqual(expectedLines(all, lineBytes))
        },
      ),
      { numRuns: 400 },
    )
  })
})
