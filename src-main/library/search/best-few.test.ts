import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BestFew } from './best-few'

it('keeps what sorting all would put first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ score: fc.nat(8), age: fc.nat(3) }), { maxLength: 100 }),
      fc.integer({ min: 1, max: 10 }),
      (all, most) => {
        const best = new BestFew<number>(most, (a, b) => (all[a]?.age ?? 0) - (all[b]?.age ?? 0))
        for (const [at, { score }] of all.entries()) best.add(at, score)
        const sorted = all
          .map((one, at) => ({ ...one, at }))
          .sort((a, b) => b.score - a.score || a.age - b.age)
          .map(({ at }) => at)
        expect(best.all()).toEqual(sorted.slice(0, most))
      },
    ),
    { numRuns: 1000 },
  )
})
