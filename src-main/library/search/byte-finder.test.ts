import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteFinder } from './byte-finder'
import { pieceMemory } from './piece-memory'

function isInPiece(finder: ByteFinder, bytes: Buffer): boolean {
  const memory = pieceMemory()
  memory.piece.set(bytes)
  return finder.isInPiece(memory, bytes.length)
}

const bytes = (length: number) =>
  fc.array(fc.constantFrom(0x20, 0x61, 0x62, 0x7a, 0xe4), { maxLength: length })

it('says what looking for each whole needle says, whatever it has counted before', () => {
  fc.assert(
    fc.property(
      fc.array(bytes(60), { minLength: 1, maxLength: 20 }),
      fc.array(fc.array(fc.constantFrom(0x20, 0x61, 0x62, 0x7a), { minLength: 1, maxLength: 12 }), {
        minLength: 1,
        maxLength: 3,
      }),
      (pieces, wanted) => {
        const needles = wanted.map(needle => Buffer.from(needle))
        const finder = new ByteFinder({ needles })
        for (const piece of pieces) {
          const there = Buffer.from(piece)
          const holds = needles.some(needle => there.includes(needle))
          expect(finder.isIn(there)).toBe(holds)
          expect(isInPiece(finder, there)).toBe(holds)
        }
      },
    ),
    { numRuns: 1000 },
  )
})

it('compares the whole needle where two bytes of it stand, at both ends too', () => {
  const finder = new ByteFinder({ needles: [Buffer.from('the frequent needle zq')] })
  expect(isInPiece(finder, Buffer.from('e zq, not the frequent needle'))).toBe(false)
  expect(isInPiece(finder, Buffer.from('zq'))).toBe(false)
  expect(isInPiece(finder, Buffer.from('the frequent needle z'))).toBe(false)
  expect(isInPiece(finder, Buffer.from('the frequent needle zq'))).toBe(true)
  // What lay there before is no part of it.
  expect(isInPiece(finder, Buffer.from('the frequent'))).toBe(false)
})

it('has nothing to look for without a prefilter', () => {
  const finder = new ByteFinder(null)
  expect(finder.needles).toBeNull()
  expect(finder.isIn(Buffer.from('anything'))).toBe(true)
  expect(isInPiece(finder, Buffer.from('anything'))).toBe(true)
})
