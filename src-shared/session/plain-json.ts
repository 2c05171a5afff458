/** Values that JSON gives back as they are. Pure. */

/** Deeper values are not looked into. */
const DEPTH = 100

/**
 * Whether `JSON.parse(JSON.stringify(value))` says the same as `value`: only texts, finite numbers, booleans, null, and plain
 * arrays and objects of these. No for what it would leave out or change (`undefined`, dates, anything with a class), and for
 * what nests deeper than 100 levels.
 */
export function isPlainJson(value: unknown, depth = 0): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return value === null || (depth < DEPTH && isPlainContainer(value, depth))
    default:
      return false
  }
}

function isPlainContainer(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (!isPlainJson(value[at], depth + 1)) return false
    return true
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const field of Object.values(value)) if (!isPlainJson(field, depth + 1)) return false
  return true
}
