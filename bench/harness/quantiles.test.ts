import fc from 'fast-check'
import { expect, it } from 'vitest'
import { medianOf, quantilesOf } from './quantiles'

it('takes the nearest rank, whatever the order', () => {
  const upTo100 = Array.from({ length: 100 }, (_, at) => 100 - at)
  expect(quantilesOf(upTo100)).toEqual({ p50: 50, p95: 95, p99: 99 })
  expect(quantilesOf([7])).toEqual({ p50: 7, p95: 7, p99: 7 })
  expect(medianOf([10, 9, 2])).toBe(9)
})

it('answers one of the values, with the right share of them at or below it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), values => {
      const { p95 } = quantilesOf(values)
      expect(values).toContain(p95)
      expect(values.filter(value => value <= p95).length).toBeGreaterThanOrEqual(values.length * 0.95)
      expect(values.filter(value => value < p95).length).toBeLessThan(values.length * 0.95)
    }),
  )
})
