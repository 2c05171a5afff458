/**
 * Looks for the bytes of a prefilter at the speed of memory. Node.js finds a few bytes by the first of them, as fast as that one is rare;
 * longer ones it soon finds by skipping, which is several times slower. So a few bytes of each needle are looked for, from one that is rare in what
 * is searched: how frequent each is, is counted in the first pieces. The whole needle is compared where they stand.
 */
import type { Prefilter } from './prefilter'

/** Bytes that are looked for at most. */
const PROBE_BYTES = 7
/** Pieces that are counted, and bytes of each. */
const PIECES = 16
const SAMPLE_BYTES = 16 * 1024

/** The share of places, where the bytes before fit, at which one more byte fits. */
const NEXT_FITS = 0.25
/** What it costs to compare a whole needle, in times of passing over its first byte. */
const COMPARING = 16

type Probe = { needle: Buffer; at: number; bytes: Buffer }

export class ByteFinder {
  private readonly needles: readonly Buffer[] | null
  private readonly counts = new Uint32Array(256)
  private counted = 0
  private probes: readonly Probe[] = []

  constructor(filter: Prefilter) {
    this.needles = filter?.needles ?? null
  }

  /** There is nothing to look for: everything can match. */
  get isOpen(): boolean {
    return this.needles === null
  }

  /** Whether one of the needles stands in these bytes; without a prefilter, always. */
  isIn(bytes: Buffer): boolean {
    if (this.needles === null) return true
    if (this.counted < PIECES) this.learn(bytes, this.needles)
    return this.probes.some(probe => isThere(bytes, probe))
  }

  private learn(bytes: Buffer, needles: readonly Buffer[]): void {
    this.counted++
    for (const byte of bytes.subarray(0, SAMPLE_BYTES)) this.counts[byte] = (this.counts[byte] ?? 0) + 1
    this.probes = needles.map(needle => probeOf(needle, this.counts))
  }
}

function probeOf(needle: Buffer, counts: Uint32Array): Probe {
  let best = { at: 0, cost: Number.POSITIVE_INFINITY }
  for (const [at, first] of needle.entries()) {
    const length = Math.min(PROBE_BYTES, needle.length - at)
    const cost = ((counts[first] ?? 0) + 1) * (1 + COMPARING * NEXT_FITS ** (length - 1))
    if (cost < best.cost) best = { at, cost }
  }
  return { needle, at: best.at, bytes: needle.subarray(best.at, best.at + PROBE_BYTES) }
}

function isThere(bytes: Buffer, { needle, at, bytes: probe }: Probe): boolean {
  for (let found = bytes.indexOf(probe); found !== -1; found = bytes.indexOf(probe, found + 1)) {
    const start = found - at
    const end = start + needle.length
    if (start >= 0 && end <= bytes.length && needle.compare(bytes, start, end) === 0) return true
  }
  return false
}
