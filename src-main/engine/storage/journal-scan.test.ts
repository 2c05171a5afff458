/** Every kind of docs/format.md, Damage, one by one. Trees and whole files: `read-samples.test.ts`. */
import { encodeTitleSlot } from '@shared/session/title-slot'
import { describe, expect, it } from 'vitest'
import { HEADER, journal, message, type Scanned, scanOf } from './journal.test-support'

const SLOT = encodeTitleSlot({
  title: 'Hello',
  source: 'user',
  updatedAt: '2026-01-02T03:04:05.006Z',
}).trimEnd()
const ids = ({ scan }: Scanned) => Array.from({ length: scan.index.count }, (_, at) => scan.index.id(at))
const reasons = ({ scan }: Scanned) => scan.damaged.map(({ line, reason }) => `${line}: ${reason}`)
const plain = journal(HEADER, message('a', null), message('b', 'a'))

describe('the head of a journal', () => {
  it('is a slot, a header and entries', () => {
    const { scan } = scanOf(journal(SLOT, HEADER, message('a', null)))
    expect(scan.slot).toMatchObject({ title: 'Hello', source: 'user', exact: true })
    expect(scan.header).toMatchObject({ id: 'sid', cwd: '/w/app', version: 3 })
    expect(scan).toMatchObject({ headerLate: false, damaged: [], pending: null })
  })

  it('has a slot that may be overwritten only when it is alone and 256 bytes long', () => {
    const exact = (text: string | Uint8Array) => scanOf(text).scan.slot?.exact
    expect(exact(journal(SLOT, HEADER))).toBe(true)
    expect(exact(journal(SLOT.replace('"pad":" ', '"pad":"'), HEADER))).toBe(false)
    expect(exact(`${SLOT}\r\n${journal(HEADER)}`)).toBe(false)
    expect(exact(`\ufeff${journal(SLOT, HEADER)}`)).toBe(false)
    expect(exact(SLOT)).toBe(false)
    // Glued to the header, in whole 256 bytes: overwriting it would take the header's first byte.
    expect(exact(`${SLOT}${journal(HEADER)}`)).toBe(false)
  })

  it('reads on without a header, and finds one that stands late', () => {
    const without = scanOf(journal(message('a', null)))
    expect(without.scan.header).toBeNull()
    expect(ids(without)).toEqual(['a'])
    const late = scanOf(journal(message('a', null), HEADER, message('b', 'a')))
    expect(late.scan).toMatchObject({ headerLate: true, header: { id: 'sid' } })
    expect(ids(late)).toEqual(['a', 'b'])
    expect(scanOf(journal('{"type":"session","ver', HEADER)).scan.headerLate).toBe(true)
  })

  it('keeps a second session line as an entry without id', () => {
    const twice = scanOf(journal(HEADER, { ...HEADER, id: 'other' }, message('a', null)))
    expect(ids(twice)).toEqual([null, 'a'])
    expect(twice.scan.header?.id).toBe('sid')
  })
})

describe('damage', () => {
  it('costs only its own line, counted from 1 with its bytes', () => {
    const scanned = scanOf(
      journal(HEADER, 'null', '[1]', '42', '"text"', 'not json', '{"torn', message('a', null)),
    )
    expect(ids(scanned)).toEqual(['a'])
    expect(reasons(scanned)).toEqual([
      '2: null instead of a record',
      '3: a list instead of a record',
      '4: a number instead of a record',
      '5: a string instead of a record',
      '6: not JSON',
      '7: broken JSON',
    ])
    const { offset, bytes } = scanned.scan.damaged[0] ?? { offset: 0, bytes: 0 }
    expect(journal(HEADER, 'null').slice(offset, offset + bytes)).toBe('null')
  })

  it('keeps what parses of a glued line', () => {
    const torn = JSON.stringify(message('x', 'a')).slice(0, 60)
    const scanned = scanOf(journal(HEADER, message('a', null), `${torn}${JSON.stringify(message('b', 'a'))}`))
    expect(ids(scanned)).toEqual(['a', 'b'])
    expect(scanned.scan.damaged).toMatchObject([{ line: 3, bytes: Buffer.byteLength(torn) }])
  })

  it('takes a byte order mark at the start for nothing and elsewhere for three bytes of damage', () => {
    const start = scanOf(`\ufeff${plain}`)
    expect(ids(start)).toEqual(['a', 'b'])
    expect(start.scan).toMatchObject({ hasBom: true, damaged: [] })
    const middle = scanOf(journal(HEADER, `\ufeff${JSON.stringify(message('a', null))}`))
    expect(ids(middle)).toEqual(['a'])
    expect(reasons(middle)).toEqual(['2: a byte order mark in the middle of the file'])
  })

  it('does not mind CR LF, blank lines and separators inside strings', () => {
    const text = 'x\u2028y\u2029z\u0085'
    const scanned = scanOf(
      `${JSON.stringify(HEADER)}\r\n\r\n \t\n${JSON.stringify(message('a', null, text))}\r\n`,
    )
    expect(scanned.scan.damaged).toEqual([])
    expect(scanned.records[0]).toMatchObject({ message: { content: [{ text }] } })
  })

  it('counts records that stand there twice once, and the leaf is where the file ends', () => {
    const doubled = scanOf(plain.replace(/[^\n]*\n/g, '$&$&'))
    expect(ids(doubled)).toEqual(['a', 'b'])
    expect(doubled.scan).toMatchObject({ repeated: 3, damaged: [] })
    const again = scanOf(`${plain}${journal(message('a', null))}`)
    expect(again.scan.index.leaf).toBe(0)
    const other = scanOf(`${plain}${journal(message('a', null, 'of another text'))}`)
    expect(ids(other)).toEqual(['a', 'b', 'a'])
  })
})

describe('the end of a journal', () => {
  it('is an entry when it parses, with or without a line feed', () => {
    const scanned = scanOf(plain.trimEnd())
    expect(ids(scanned)).toEqual(['a', 'b'])
    expect(scanned.scan).toMatchObject({ pending: null, damaged: [], resumable: false })
  })

  it('is pending while it is cut, in the middle of a character too', () => {
    const bytes = Buffer.from(plain + JSON.stringify(message('c', 'b', '上传失败')))
    for (const cut of [1, 5, 9, 10, 11, 12]) {
      const scanned = scanOf(bytes.subarray(0, bytes.length - cut))
      expect(ids(scanned)).toEqual(['a', 'b'])
      expect(scanned.scan).toMatchObject({ damaged: [], pending: { line: 4 } })
    }
  })

  it('is damage when it can become nothing: NUL bytes, other text', () => {
    expect(reasons(scanOf(`${plain}\0\0\0\0`))).toEqual(['4: NUL bytes'])
    expect(reasons(scanOf(`${plain}hello`))).toEqual(['4: not JSON'])
  })

  it('keeps a whole record that stands before the cut', () => {
    const scanned = scanOf(`${plain}${JSON.stringify(message('c', 'b'))}{"type":"mess`)
    expect(ids(scanned)).toEqual(['a', 'b', 'c'])
    expect(scanned.scan.pending).toMatchObject({ line: 4, bytes: 13 })
  })
})

describe('old versions', () => {
  const old = (...records: object[]) => journal({ ...HEADER, version: undefined }, ...records)
  const bare = (text: string) => ({ type: 'message', message: { role: 'hookMessage', content: text } })

  it('gives version 1 a chain of ids that are the same from run to run', () => {
    const text = old(bare('one'), { type: 'compaction', summary: 's', firstKeptEntryIndex: 1 }, bare('two'))
    const [once, again] = [scanOf(text), scanOf(text)]
    expect(ids(once)).toEqual(ids(again))
    expect(once.scan.index.path(2)).toEqual([0, 1, 2])
    expect(once.records[1]).toMatchObject({ firstKeptEntryId: ids(once)[0] })
    expect(once.records[1]).not.toHaveProperty('firstKeptEntryIndex')
    expect(once.records[0]).toMatchObject({ message: { role: 'custom' } })
  })

  it('keeps the chain over a second session line', () => {
    const scanned = scanOf(old(bare('one'), { ...HEADER, id: 'x' }, bare('two')))
    expect(scanned.scan.index.path(2)).toEqual([0, 2])
  })

  it('knows version 1 without a header by its entries', () => {
    const scanned = scanOf(journal(bare('one'), bare('two')))
    expect(scanned.scan.index.path(1)).toEqual([0, 1])
  })

  it('leaves the ids of a version that is told as text', () => {
    expect(ids(scanOf(journal({ ...HEADER, version: '3' }, message('a', null))))).toEqual(['a'])
  })
})
