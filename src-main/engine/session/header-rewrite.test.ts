import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerMovedBack, movedHeader } from './header-rewrite'

const move = {
  cwd: '/new',
  previousFile: '/s/old.jsonl',
  mapDirectory: (directory: string) => (directory === '/old/lib' ? '/new/lib' : directory),
}
const back = (directory: string) => (directory === '/new/lib' ? '/old/lib' : directory)
const bytes = (text: string) => Buffer.from(text, 'utf8')
const text = (value: Uint8Array | null) => (value === null ? null : Buffer.from(value).toString('utf8'))

describe('movedHeader', () => {
  it('changes cwd where it stands and adds the old file last', () => {
    expect(text(movedHeader(bytes('{"type":"session","cwd":"/old","x":1}'), move))).toBe(
      '{"type":"session","cwd":"/new","x":1,"previousSessionFiles":["/s/old.jsonl"]}',
    )
  })

  it('keeps spacing, escapes, large numbers, integer keys and unknown keys', () => {
    const line = '{ "7" : 12345678901234567890 , "cwd" :"\\/old" ,"n":1.0,"a\\u0062":{"cwd":"/old"} }'
    expect(text(movedHeader(bytes(line), { ...move, previousFile: null }))).toBe(
      '{ "7" : 12345678901234567890 , "cwd" :"/new" ,"n":1.0,"a\\u0062":{"cwd":"/old"} }',
    )
  })

  it('does not name a file twice', () => {
    const line = '{"cwd":"/old","previousSessionFiles":["/s/old.jsonl","/s/older.jsonl"]}'
    expect(text(movedHeader(bytes(line), move))).toBe(line.replace('/old"', '/new"'))
  })

  it('maps additional directories and drops the new folder from them', () => {
    const line = '{"cwd":"/old","additionalDirectories":["/old/lib","/new","/else"]}'
    expect(text(movedHeader(bytes(line), { ...move, previousFile: null }))).toBe(
      '{"cwd":"/new","additionalDirectories":["/new/lib","/else"]}',
    )
    expect(
      text(
        movedHeader(bytes('{"additionalDirectories":["/new"],"cwd":"/old"}'), {
          ...move,
          previousFile: null,
        }),
      ),
    ).toBe('{"cwd":"/new"}')
  })

  it('sets the member that counts when a key stands twice', () => {
    expect(text(movedHeader(bytes('{"cwd":"/a","cwd":"/old"}'), { ...move, previousFile: null }))).toBe(
      '{"cwd":"/a","cwd":"/new"}',
    )
  })

  it('keeps bytes that are not UTF-8', () => {
    const line = Buffer.concat([bytes('{"t":"'), Buffer.from([0xff, 0x80]), bytes('","cwd":"/old"}')])
    const expected = Buffer.concat([bytes('{"t":"'), Buffer.from([0xff, 0x80]), bytes('","cwd":"/new"}')])
    expect(movedHeader(line, { ...move, previousFile: null })).toEqual(expected)
  })

  it('refuses what is not one object', () => {
    for (const line of ['', 'null', '[]', '{"a":1}{"b":2}', '{"a":'])
      expect(movedHeader(bytes(line), move)).toBeNull()
  })

  it('leaves every other byte alone, whatever the header holds', () => {
    const other = fc.dictionary(
      fc.string().filter(key => !['cwd', 'previousSessionFiles', 'additionalDirectories'].includes(key)),
      fc.jsonValue(),
      { maxKeys: 6 },
    )
    fc.assert(
      fc.property(other, other, fc.string(), fc.boolean(), (before, after, cwd, pretty) => {
        const indent = pretty ? 1 : undefined
        const head = JSON.stringify(before, null, indent).slice(0, -1)
        const tail = JSON.stringify(after, null, indent).slice(1)
        const join = (value: string) =>
          `${head}${head.trim() === '{' ? '' : ','}"cwd":${JSON.stringify(value)}${tail.trim() === '}' ? '' : ','}${tail}`
        const line = join(cwd)
        const moved = text(movedHeader(bytes(line), { ...move, previousFile: null }))
        expect(moved).toBe(cwd === '/new' ? line : join('/new'))
      }),
    )
  })
})

describe('headerMovedBack', () => {
  const original = bytes('{"type":"session","cwd":"/old","additionalDirectories":["/old/lib"],"id":"a"}')
  const written = movedHeader(original, move) ?? Buffer.alloc(0)

  it('gives the original bytes back while the header is as written', () => {
    expect(headerMovedBack(original, written, Buffer.from(written), back)).toEqual(original)
  })

  it('keeps what omp changed meanwhile', () => {
    const current = bytes(
      '{"type":"session","id":"a","cwd":"/new","title":"T","previousSessionFiles":["/s/old.jsonl"],"additionalDirectories":["/new/lib","/added"]}',
    )
    expect(text(headerMovedBack(original, written, current, back))).toBe(
      '{"type":"session","id":"a","cwd":"/old","title":"T","additionalDirectories":["/old/lib","/added"]}',
    )
  })

  it('puts back a directory that was dropped because it became the folder itself', () => {
    const was = bytes('{"cwd":"/old","additionalDirectories":["/new"]}')
    const wrote = movedHeader(was, move) ?? Buffer.alloc(0)
    const now = bytes('{"cwd":"/new","title":"T","previousSessionFiles":["/s/old.jsonl"]}')
    expect(text(headerMovedBack(was, wrote, now, back))).toBe(
      '{"cwd":"/old","title":"T","additionalDirectories":["/new"]}',
    )
  })

  it('refuses when the session was moved again', () => {
    expect(headerMovedBack(original, written, bytes('{"cwd":"/third"}'), back)).toBeNull()
  })

  it('is the inverse of movedHeader', () => {
    const record = fc.record(
      {
        id: fc.string(),
        cwd: fc.constant('/old'),
        previousSessionFiles: fc.array(fc.constantFrom('/a.jsonl', '/b.jsonl')),
        additionalDirectories: fc.array(fc.constantFrom('/old/lib', '/new', '/x')),
      },
      { requiredKeys: ['cwd'] },
    )
    fc.assert(
      fc.property(record, value => {
        const line = bytes(JSON.stringify(value))
        const moved = movedHeader(line, move) ?? Buffer.alloc(0)
        expect(headerMovedBack(line, moved, moved, back)).toEqual(line)
      }),
    )
  })
})
