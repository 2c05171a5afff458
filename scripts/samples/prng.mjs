/**
 * Seeded random numbers (sfc32 keyed by the SHA-256 of a text), one independent stream per seed,
 * so that adding a session never changes the ids of another.
 */
import { createHash } from 'node:crypto'

/** A stream of pseudo-random values that depends on `seed` alone. */
export function createRandom(seed) {
  const key = createHash('sha256').update(String(seed)).digest()
  let a = key.readInt32LE(0)
  let b = key.readInt32LE(4)
  let c = key.readInt32LE(8)
  let d = key.readInt32LE(12)
  const u32 = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return t >>> 0
  }
  for (let i = 0; i < 12; i++) u32()
  const float = () => u32() / 4294967296
  const int = n => Math.floor(float() * n)
  return {
    u32,
    float,
    /** Integer in 0 … n-1. */
    int,
    /** Integer in low … high, both included. */
    between: (low, high) => low + int(high - low + 1),
    chance: p => float() < p,
    pick: list => list[int(list.length)],
    /** `n` lowercase hexadecimal digits. */
    hex: n => {
      let text = ''
      while (text.length < n) text += u32().toString(16).padStart(8, '0')
      return text.slice(0, n)
    },
  }
}
