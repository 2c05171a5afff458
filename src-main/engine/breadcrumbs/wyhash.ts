/**
 * Wyhash, final version 4, 64 bits, seed 0: the hash by which omp's runtime names files after paths. Pure. Not for secrets.
 * Rule: docs/format.md, Registry.
 */

const SECRET = [0xa0761d6478bd642fn, 0xe7037ed1a0b428dbn, 0x8ebc6af09c88c6e3n, 0x589965cc75374cc3n] as const
const MASK = 0xffff_ffff_ffff_ffffn

/** Bytes that one round takes, 16 for each of its three lanes. */
const ROUND_BYTES = 48
const LANE_BYTES = 16

/** The hash of `bytes`, from 0 to 2^64 - 1. */
export function wyhash(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const word = (at: number) => view.getBigUint64(at, true)
  const [first, second] = SECRET
  const start = mix(first, second)
  if (bytes.length <= LANE_BYTES) {
    const [a, b] = shortWords(view)
    return finish(a, b, start, bytes.length)
  }
  let at = 0
  let state = start
  if (bytes.length >= ROUND_BYTES) {
    const lanes = [start, start, start]
    for (; at + ROUND_BYTES < bytes.length; at += ROUND_BYTES) {
      for (const [lane, value] of lanes.entries()) {
        const from = at + lane * LANE_BYTES
        lanes[lane] = mix(word(from) ^ (SECRET[lane + 1] ?? 0n), word(from + 8) ^ value)
      }
    }
    state = lanes.reduce((all, lane) => all ^ lane, 0n)
  }
  for (; at + LANE_BYTES < bytes.length; at += LANE_BYTES)
    state = mix(word(at) ^ second, word(at + 8) ^ state)
  return finish(word(bytes.length - 16), word(bytes.length - 8), state, bytes.length)
}

/** Two words out of at most 16 bytes, every byte in one of them. */
function shortWords(view: DataView): [bigint, bigint] {
  const length = view.byteLength
  if (length === 0) return [0n, 0n]
  if (length < 4) {
    const byte = (at: number) => BigInt(view.getUint8(at))
    return [(byte(0) << 16n) | (byte(length >> 1) << 8n) | byte(length - 1), 0n]
  }
  const half = (at: number) => BigInt(view.getUint32(at, true))
  const end = length - 4
  const quarter = (length >> 3) << 2
  return [(half(0) << 32n) | half(quarter), (half(end) << 32n) | half(end - quarter)]
}

function finish(a: bigint, b: bigint, state: bigint, length: number): bigint {
  const [first, second] = SECRET
  const product = (a ^ second) * (b ^ state)
  return mix((product & MASK) ^ first ^ BigInt(length), (product >> 64n) ^ second)
}

/** Both halves of the 128-bit product, one over the other. */
function mix(a: bigint, b: bigint): bigint {
  const product = a * b
  return (product & MASK) ^ (product >> 64n)
}
