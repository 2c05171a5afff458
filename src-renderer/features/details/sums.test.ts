import { expect, test } from 'vitest'
import { share, sumUsage } from './sums'

const row = { model: 'm', messages: 1, input: 2, output: 3, cacheRead: 4, cacheWrite: 5, withoutCost: 0 }

test('costs that are not known do not make the sum unknown, and none makes it null', () => {
  const known = { ...row, cost: 0.5 }
  const unknown = { ...row, cost: null, withoutCost: 1 }
  expect(sumUsage([known, unknown])).toMatchObject({ messages: 2, cost: 0.5, withoutCost: 1 })
  expect(sumUsage([unknown]).cost).toBeNull()
})

test('shares', () => {
  expect([share(0, 0), share(1, 1000), share(620, 1000)]).toEqual(['0 %', '< 1 %', '62 %'])
})
