import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitLine } from './record-splitter'

const entry = (id: string, more: object = {}) => ({ type: 'message', id, parentId: null, ...more })
const json = (value: unknown) => JSON.stringify(value)
const split = (text: string) => {
  const { records, fragments } = splitLine(Buffer.from(text))
  const bytes = Buffer.from(text)
  return {
    ids: records.map(({ record }) => record.id),
    left: fragments.map(({ start, end }) => bytes.subarray(start, end).toString('utf8')),
  }
}

describe('splitLine', () => {
  it('reads two whole records on one line', () => {
    expect(split(json(entry('a')) + json(entry('b')))).toEqual({ ids: ['a', 'b'], left: [] })
  })

  it('keeps the record behind one that was cut off in the middle of a string', () => {
    const cut = json(entry('a', { text: 'cut off in the middle' })).slice(0, -9)
    expect(split(cut + json(entry('b')))).toEqual({ ids: ['b'], left: [cut] })
  })

  it('never splits a string, whatever it holds', () => {
    const tricky = '}{ "}{" {"type":"message","id":"fake","parentId":null} \\" }{ 败'
    const two = json(entry('a', { text: tricky })) + json(entry('b', { text: tricky }))
    expect(split(two)).toEqual({ ids: ['a', 'b'], left: [] })
  })

  it('does not take a part of a record for a record', () => {
    const broken = `{"type":"message","id":"a","message":{"type":"text","text":"x"},"parentId":`
    expect(split(broken)).toEqual({ ids: [], left: [broken] })
  })

  it('keeps nothing of what is no session', () => {
    expect(split('null').ids).toEqual([])
    expect(split('[{"a":1}]').ids).toEqual([])
    expect(split('}{').left).toEqual(['}{'])
  })

  it('stays within bounded work on hostile nesting', () => {
    const hostile = '{"type":'.repeat(20_000)
    expect(split(hostile).ids).toEqual([])
  })

  it('finds every whole record between fragments, and accounts for every byte', () => {
    const records = fc.array(fc.record({ text: fc.string(), cut: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(records, list => {
        const whole = list.map(({ text }, at) => json(entry(`id${at}`, { text })))
        const line = Buffer.from(whole.join(''))
        const found = splitLine(line)
        expect(found.records.map(({ record }) => record.id)).toEqual(list.map((_, at) => `id${at}`))
        const ranges = [...found.records, ...found.fragments]
        expect(ranges.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(line.length)
      }),
    )
  })
})
