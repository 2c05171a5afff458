import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldTitle, readHeader } from './header'
import { parseObject } from './json'
import { encodeTitleSlot, readTitleSlot, type TitleSource } from './title-slot'
import { utf8Length } from './utf8'

const updatedAt = '2026-01-02T03:04:05.006Z'
const read = (line: string) => readTitleSlot(parseObject(line) ?? {})
const round = (title: string, source: TitleSource | null) =>
  read(encodeTitleSlot({ title, source, updatedAt }))?.title ?? ''

describe('title slot', () => {
  it('is 256 bytes with its line feed, and reads back as the longest prefix in whole characters', () => {
    const titles = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.string(),
    )
    fc.assert(
      fc.property(titles, fc.constantFrom<TitleSource | null>('auto', 'user', null), (title, source) => {
        const line = encodeTitleSlot({ title, source, updatedAt })
        expect(Buffer.byteLength(line)).toBe(256)
        expect(line.indexOf('\n')).toBe(line.length - 1)
        const kept = read(line)
        expect(kept).toMatchObject({ source, updatedAt })
        expect(title.startsWith(kept?.title ?? '?')).toBe(true)
        const next = [...title][[...(kept?.title ?? '')].length]
        if (next !== undefined) {
          const room = (line.match(/"pad":"( *)"/)?.[1] ?? '').length
          expect(utf8Length(JSON.stringify(next)) - 2).toBeGreaterThan(room)
        }
      }),
    )
  })

  it('holds 174 bytes of plain title, 158 with a source', () => {
    expect(round('x'.repeat(400), null)).toHaveLength(174)
    expect(round('x'.repeat(400), 'auto')).toHaveLength(158)
    expect(round('x'.repeat(158), 'user')).toHaveLength(158)
    expect(round('"'.repeat(400), 'user')).toHaveLength(79)
    expect(round('败'.repeat(400), 'user')).toHaveLength(52)
  })

  it('is recognised by its keys, not by its length', () => {
    const slot = { type: 'title', v: 1, title: 't', updatedAt, pad: '' }
    expect(readTitleSlot(slot)).toEqual({ title: 't', source: null, updatedAt })
    for (const wrong of [
      { v: 2 },
      { title: 5 },
      { updatedAt: undefined },
      { pad: undefined },
      { source: 'me' },
    ])
      expect(readTitleSlot({ ...slot, ...wrong })).toBeNull()
  })

  it('replaces title and source of the header, and deletes them when empty', () => {
    const header = readHeader({ title: 'old', titleSource: 'user' })
    expect(foldTitle(null, header)).toEqual({ title: 'old', source: 'user' })
    expect(foldTitle({ title: 'new', source: null }, header)).toEqual({ title: 'new', source: null })
    expect(foldTitle({ title: '', source: 'user' }, header)).toEqual({ title: null, source: null })
    expect(foldTitle(null, null)).toEqual({ title: null, source: null })
  })
})

describe('header', () => {
  it('reads wrong types as absent, and an absent version as 1', () => {
    expect(
      readHeader({ id: 5, cwd: '', version: {}, previousSessionFiles: ['/a', 7], parentSession: '' }),
    ).toEqual({
      version: 1,
      id: null,
      timestamp: null,
      cwd: null,
      title: null,
      titleSource: null,
      parentSession: null,
      previousSessionFiles: ['/a'],
      additionalDirectories: [],
    })
    expect(readHeader({ version: '3' }).version).toBe(3)
  })
})
