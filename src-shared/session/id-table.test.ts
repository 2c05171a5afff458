import fc from 'fast-check'
import { expect, it } from 'vitest'
import { IdTable } from './id-table'

const ids = fc.array(
  fc.option(
    fc.oneof(fc.string({ maxLength: 3, unit: 'binary' }), fc.constantFrom('a', 'b', 'ab', 'ä', '\ud800')),
    {
      freq: 6,
    },
  ),
  { maxLength: 400 },
)
const bytesOf = (id: string) => Uint8Array.from(`<${id}>`, char => char.charCodeAt(0))
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant
const isAscii = (id: string) => /^[\u0000-\u007f]*$/.test(id)

it('names the last ordinal of each id, whether it came as text or as bytes', () => {
  fc.assert(
    fc.property(ids, fc.boolean(), (list, asBytes) => {
      const table = new IdTable()
      const last = new Map<string, number>()
      for (const [ordinal, id] of list.entries()) {
        const before =
          id !== null && asBytes && isAscii(id)
            ? table.push(bytesOf(id), 1, 1 + id.length)
            : table.pushText(id)
        expect(before).toBe(id === null ? -1 : (last.get(id) ?? -1))
        if (id !== null) last.set(id, ordinal)
      }
      for (const [ordinal, id] of list.entries()) expect(table.text(ordinal)).toBe(id)
      for (const [id, ordinal] of last) {
        expect(table.findText(id)).toBe(ordinal)
        if (isAscii(id)) expect(table.find(bytesOf(id), 1, 1 + id.length)).toBe(ordinal)
      }
      expect(table.findText('not there')).toBe(-1)
    }),
  )
})

it('names an earlier ordinal again', () => {
  for (const id of ['a', 'ä']) {
    const table = new IdTable()
    for (const one of [id, 'x', id]) table.pushText(one)
    table.nameAgain(0)
    expect(table.findText(id)).toBe(0)
    expect(table.pushText(id)).toBe(0)
  }
})

it('holds a hundred thousand ids', () => {
  const table = new IdTable()
  for (let at = 0; at < 100_000; at++) table.pushText((at * 7919).toString(16))
  for (let at = 0; at < 100_000; at += 997) expect(table.findText((at * 7919).toString(16))).toBe(at)
})
