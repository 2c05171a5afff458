/**
 * Looks for the needles of a prefilter. In the pieces of files, of which there are gigabytes, two bytes of each are looked for that are rare
 * in what is searched: how frequent each is, is counted in the first pieces. The whole needle is compared where they stand.
 */
import { MOST_APART, type PieceMemory } from './piece-memory'
import type { Prefilter } from './prefilter'

/** Pieces that are counted, and bytes of each. */
const PIECES = 16
const SAMPLE_BYTES = 16 * 1024

/** A needle, and where in it the two bytes stand. */
type Probe = { needle: Buffer; at: number; apart: number }

export class ByteFinder {
  /** Null: there is nothing to look for, everything can match. */
  readonly needles: readonly Buffer[] | null
  private readonly counts = new Uint32Array(256)
  private counted = 0
  private probes: readonly Probe[] = []

  constructor(filter: Prefilter) {
    this.needles = filter?.needles ?? null
  }

  /** Whether one of the needles stands in these bytes; without a prefilter, always. */
  isIn(bytes: Buffer): boolean {
    return this.needles === null || this.needles.some(needle => bytes.includes(needle))
  }

  /** The same of the first `end` bytes of a piece. */
  isInPiece(memory: PieceMemory, end: number): boolean {
    if (this.needles === null) return true
    if (this.counted < PIECES) this.learn(memory.piece.subarray(0, end), this.needles)
    return this.probes.some(probe => isThere(memory, end, probe))
  }

  private learn(bytes: Buffer, needles: readonly Buffer[]): void {
    this.counted++
    for (const byte of bytes.subarray(0, SAMPLE_BYTES)) this.counts[byte] = (this.counts[byte] ?? 0) + 1
    this.probes = needles.map(needle => probeOf(needle, this.counts))
  }
}

/** The two rarest bytes of a needle, each at its first place; of equally rare ones the first. */
function probeOf(needle: Buffer, counts: Uint32Array): Probe {
  const places = [...needle.subarray(0, MOST_APART).keys()]
  const count = (place: number) => counts[needle[place] ?? 0] ?? 0
  places.sort((a, b) => count(a) - count(b))
  const [first = 0, second = first] = places
  return { needle, at: Math.min(first, second), apart: Math.abs(first - second) }
}

function isThere(memory: PieceMemory, end: number, { needle, at, apart }: Probe): boolean {
  const { piece } = memory
  const [first = 0, second = 0] = [needle[at], needle[at + apart]]
  for (
    let place = memory.pairFrom(0, end, first, apart, second);
    place !== -1;
    place = memory.pairFrom(place + 1, end, first, apart, second)
  ) {
    const start = place - at
    const stop = start + needle.length
    if (start >= 0 && stop <= end && needle.compare(piece, start, stop) === 0) return true
  }
  return false
}
