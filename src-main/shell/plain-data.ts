/**
 * Whether the input of a call is plain data of a bearable size: what JSON can say, and nothing else that a structured
 * clone carries (maps, dates, buffers, cycles). Looked at value by value, without recursion and without making a copy.
 * Pure.
 */

export type PlainData = 'fits' | 'too-large' | 'not-plain'

/** More values than any call needs: ten thousand refs, each an object. */
const MOST_VALUES = 200_000

/** Bytes are counted as JSON would have them, text as UTF-16: near enough for a limit. */
export function checkPlainData(input: unknown, maxBytes: number): PlainData {
  const open: unknown[] = [input]
  let bytes = 0
  for (let seen = 0; open.length > 0; seen++) {
    // A cycle has no end either.
    if (seen >= MOST_VALUES) return 'too-large'
    const value = open.pop()
    const own = scalarBytes(value)
    if (own !== null) bytes += own
    else if (Array.isArray(value)) {
      bytes += 2 + value.length
      // Holes and long empty arrays are not walked.
      if (bytes > maxBytes || value.length > MOST_VALUES) return 'too-large'
      for (const item of value) open.push(item)
    } else if (isPlainObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        bytes += key.length + 4
        open.push(item)
      }
    } else return 'not-plain'
    if (bytes > maxBytes) return 'too-large'
  }
  return 'fits'
}

/** Bytes of a value that holds no others; null for one that may. */
function scalarBytes(value: unknown): number | null {
  if (typeof value === 'string') return value.length + 2
  if (value === null || value === undefined) return 4
  return typeof value === 'number' || typeof value === 'boolean' ? 8 : null
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
