/**
 * A record with some of its values changed, the record itself untouched: what stays the same is shared. Pure.
 * Depth is bounded, since a file can nest deeper than a program can call.
 */
import { isJsonObject, type JsonObject } from './json'

/** Deeper than anything that a program of omp's writes, and far from the end of the stack. */
export const RECORD_DEPTH = 2_000

/** What to change. `key` is the key under which a value stands; the items of an array stand under the array's key. */
export type RecordRules = {
  /** What stands for `value`, which may be the same. What it answers is not looked into, unless `inside` is set. */
  replace?(value: unknown, key: string | null): unknown
  inside?: boolean
  /** Whether an object stays as it is, with all that is in it. */
  keep?(value: JsonObject, key: string | null): boolean
  /** Whether a key is left out of every object. */
  drop?(key: string): boolean
  /** Last word on an object in which something was changed. */
  changed?(value: JsonObject): JsonObject
}

export type MappedRecord = {
  record: JsonObject
  /** Something lies deeper than `RECORD_DEPTH`; it was not looked at and is as it was. */
  tooDeep: boolean
}

/** Applies `rules` from the outside to the inside. */
export function mapRecord(record: JsonObject, rules: RecordRules): MappedRecord {
  const walk = new RecordWalk(rules)
  const mapped = walk.visit(record, null, 0)
  return { record: isJsonObject(mapped) ? mapped : record, tooDeep: walk.tooDeep }
}

class RecordWalk {
  private readonly rules: RecordRules
  tooDeep = false

  constructor(rules: RecordRules) {
    this.rules = rules
  }

  visit(value: unknown, key: string | null, depth: number): unknown {
    const replaced = this.rules.replace === undefined ? value : this.rules.replace(value, key)
    if (!Object.is(replaced, value) && this.rules.inside !== true) return replaced
    if (typeof replaced !== 'object' || replaced === null) return replaced
    if (depth >= RECORD_DEPTH) {
      this.tooDeep = true
      return replaced
    }
    if (Array.isArray(replaced)) return this.visitArray(replaced, key, depth)
    return isJsonObject(replaced) ? this.visitObject(replaced, key, depth) : replaced
  }

  private visitArray(array: readonly unknown[], key: string | null, depth: number): unknown {
    let copy: unknown[] | null = null
    for (let at = 0; at < array.length; at++) {
      const mapped = this.visit(array[at], key, depth + 1)
      if (copy === null && !Object.is(mapped, array[at])) copy = array.slice(0, at)
      copy?.push(mapped)
    }
    return copy ?? array
  }

  private visitObject(object: JsonObject, key: string | null, depth: number): unknown {
    const { rules } = this
    if (rules.keep?.(object, key) === true) return object
    const keys = Object.keys(object)
    let fields: [string, unknown][] | null = null
    let at = -1
    for (const name of keys) {
      at++
      const value = object[name]
      const dropped = rules.drop?.(name) === true
      const mapped = dropped ? undefined : this.visit(value, name, depth + 1)
      if (fields === null && (dropped || !Object.is(mapped, value)))
        fields = keys.slice(0, at).map(before => [before, object[before]])
      if (!dropped) fields?.push([name, mapped])
    }
    if (fields === null) return object
    // Not by assignment, which would take the key `__proto__` for something else.
    const copy: JsonObject = Object.fromEntries(fields)
    return rules.changed === undefined ? copy : rules.changed(copy)
  }
}
