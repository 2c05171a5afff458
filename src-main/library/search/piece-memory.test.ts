import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assemble, MOST_APART, PIECE_BYTES, PieceMemory, pieceMemory } from './piece-memory'

const memories: [string, PieceMemory][] = [
  ['WebAssembly', new PieceMemory(assemble())],
  ['Node.js', new PieceMemory(null)],
]

function pairIn(bytes: Buffer, from: number, end: number, first: number, apart: number, second: number) {
  for (let at = from; at < end; at++) if (bytes[at] === first && bytes[at + apart] === second) return at
  return -1
}

describe.each(memories)('a piece, by %s', (_, memory) => {
  it('knows each place where two bytes stand at a distance, up to its end', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ max: 3, maxLength: 400 }),
        fc.nat(400),
        fc.nat(400),
        fc.nat(3),
        fc.nat(MOST_APART),
        fc.nat(3),
        (bytes, from, end, first, apart, second) => {
          memory.piece.fill(0, 0, 1000)
          memory.piece.set(bytes)
          expect(memory.pairFrom(from, end, first, apart, second)).toBe(
            pairIn(memory.piece, from, end, first, apart, second),
          )
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('knows its last place', () => {
    memory.piece.fill(0)
    memory.piece[PIECE_BYTES - 1] = 7
    memory.piece[PIECE_BYTES - 4] = 9
    expect(memory.pairFrom(0, PIECE_BYTES, 9, 3, 7)).toBe(PIECE_BYTES - 4)
    expect(memory.pairFrom(0, PIECE_BYTES, 7, 0, 7)).toBe(PIECE_BYTES - 1)
    expect(memory.pairFrom(0, PIECE_BYTES - 1, 7, 0, 7)).toBe(-1)
    expect(memory.pairFrom(0, PIECE_BYTES, 9, MOST_APART, 7)).toBe(-1)
  })
})

it('is assembled on this machine, once for a thread', () => {
  expect(assemble()).not.toBeNull()
  expect(pieceMemory()).toBe(pieceMemory())
})
