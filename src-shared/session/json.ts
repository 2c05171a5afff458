/** Reading values of unknown shape. Session files are hostile input: nothing is assumed of any field. */

export type JsonObject = { [key: string]: unknown }

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function finiteOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** The JSON of a value; null when it nests deeper than a program can follow, which parsing does not mind. Never throws. */
export function jsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return null
  }
}

/** As `jsonText`, laid out; null when it nests deeper than anybody can read, where the indentation would be most of it. */
export function laidOutJson(value: unknown): string | null {
  return isDeeperThan(value, READABLE_DEPTH) ? null : (JSON.stringify(value, null, 2) ?? '')
}

const READABLE_DEPTH = 200

/** Whether something stands more than `depth` levels down. Iterative: any depth. */
function isDeeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value]
  for (let at = 0; at <= depth; at++) {
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}

/** The value as far as `depth` levels down; what lies below is left out and said to be. */
export function shallowJson(value: unknown, depth = 500): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return 'nested too deeply to be told'
  if (Array.isArray(value)) return value.map(item => shallowJson(item, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shallowJson(field, depth - 1)]))
}

/** The object that `text` holds, or null when it is not JSON or not an object. Never throws. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
