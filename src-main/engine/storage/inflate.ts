/**
 * What a gzip file holds, in memory. Of one that is cut off or damaged, what comes before that; never an error but for one that
 * holds more than is allowed, which is told without unpacking it to its end.
 */
import { constants, gunzipSync } from 'node:zlib'
import { errnoOf } from './errors'

export type Inflated = {
  bytes: Uint8Array
  /** One sentence where it is not all; null for a whole file. */
  damage: string | null
}

const CUT = 'The archive is cut off: what stands before that is shown.'
const DAMAGED = 'The archive is damaged: what could be unpacked of it is shown.'
const NO_GZIP = 'The archive cannot be unpacked: it is no gzip file.'

/** Bytes that are made room for at once. */
const CHUNK = 256 * 1024

/** Null: it holds more than `limit` bytes. */
export function inflate(packed: Uint8Array, limit: number): Inflated | null {
  if (packed.length === 0) return { bytes: new Uint8Array(), damage: null }
  try {
    return { bytes: gunzipSync(packed, { maxOutputLength: limit, chunkSize: CHUNK }), damage: null }
  } catch (thrown) {
    const code = errnoOf(thrown)
    if (code === undefined) throw thrown
    if (code === 'ERR_BUFFER_TOO_LARGE') return null
    return salvaged(packed, limit, code === 'Z_BUF_ERROR' ? CUT : DAMAGED)
  }
}

/** The longest beginning that unpacks. */
function salvaged(packed: Uint8Array, limit: number, damage: string): Inflated | null {
  const whole = beginning(packed, packed.length, limit)
  if (whole === 'too-large') return null
  if (whole !== null) return { bytes: whole, damage: whole.length === 0 ? NO_GZIP : damage }
  // A beginning of one that unpacks does so too: the end of the longest is looked for by halving.
  let good = 0
  let bad = packed.length
  let bytes: Uint8Array = new Uint8Array()
  while (bad - good > 1) {
    const middle = good + Math.floor((bad - good) / 2)
    const part = beginning(packed, middle, limit)
    if (part === 'too-large') return null
    if (part === null) bad = middle
    else {
      good = middle
      bytes = part
    }
  }
  return { bytes, damage: bytes.length === 0 ? NO_GZIP : damage }
}

/** What the first `length` bytes unpack to, as far as they go; null where they are wrong. */
function beginning(packed: Uint8Array, length: number, limit: number): Uint8Array | 'too-large' | null {
  try {
    return gunzipSync(packed.subarray(0, length), {
      maxOutputLength: limit,
      chunkSize: CHUNK,
      finishFlush: constants.Z_SYNC_FLUSH,
    })
  } catch (thrown) {
    const code = errnoOf(thrown)
    if (code === undefined) throw thrown
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : null
  }
}
