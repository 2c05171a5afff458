import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlainJson } from './plain-json'

describe('isPlainJson', () => {
  it('says yes to what JSON gives back, and to nothing that it changes', () => {
    const odd = fc.constantFrom<unknown>(undefined, Number.NaN, Number.POSITIVE_INFINITY, new Date(0), 1n)
    const made = fc.constantFrom<unknown>(Symbol('s'), () => 1, new Map([[1, 2]]), new (class A {})(), /x/)
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      odd,
      made,
    )
    const { value } = fc.letrec(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    }))
    fc.assert(
      fc.property(value, one => {
        if (!isPlainJson(one)) return
        expect(JSON.parse(JSON.stringify(one))).toEqual(noNegativeZero(one))
      }),
    )
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), one => {
        expect(isPlainJson(one)).toBe(true)
      }),
    )
  })

  it.each([
    ['a key without a value', { a: undefined }],
    ['a hole in a list', new Array<unknown>(2)],
    ['a number that is none', { a: [Number.NaN] }],
    ['a date', { a: new Date(0) }],
    ['an object that says something else of itself', { toJSON: () => 'x' }],
    ['an object of a class', { a: Object.create({ b: 1 }) }],
    ['a big number', { a: 1n }],
    ['what nests very deep', Array.from({ length: 200 }).reduce<unknown>(inner => [inner], 1)],
  ])('says no to %s', (_, value) => {
    expect(isPlainJson(value)).toBe(false)
  })
})

/** JSON knows one zero. */
function noNegativeZero(value: unknown): unknown {
  if (typeof value === 'number') return value + 0
  if (Array.isArray(value)) return value.map(noNegativeZero)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, noNegativeZero(field)]))
}
