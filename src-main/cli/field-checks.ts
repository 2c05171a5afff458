/** What the fields of entries and messages must be, as tables; and what is wrong with a given object, in words. Pure. */
import { isJsonObject, type JsonObject } from '@shared/session/json'

export type Check = { is: string; fits(value: unknown): boolean }

/** Fields by name; a name that ends in `?` may be left out. */
export type Fields = Readonly<Record<string, Check>>

export const text: Check = { is: 'text', fits: value => typeof value === 'string' }
export const name: Check = {
  is: 'text that is not empty',
  fits: value => typeof value === 'string' && value !== '',
}
export const flag: Check = { is: 'true or false', fits: value => typeof value === 'boolean' }
export const amount: Check = {
  is: 'a number that is not negative',
  fits: value => typeof value === 'number' && value >= 0,
}
export const object: Check = { is: 'an object', fits: isJsonObject }
export const anything: Check = { is: 'anything', fits: () => true }
export const texts: Check = {
  is: 'a list of texts',
  fits: value => Array.isArray(value) && value.every(item => typeof item === 'string'),
}
export const blocks: Check = {
  is: 'a list of blocks, each an object with a type',
  fits: value =>
    Array.isArray(value) && value.every(item => isJsonObject(item) && typeof item.type === 'string'),
}
export const content: Check = {
  is: `text, or ${blocks.is}`,
  fits: value => typeof value === 'string' || blocks.fits(value),
}
export const orNull = ({ is, fits }: Check): Check => ({
  is: `${is}, or null`,
  fits: value => value === null || fits(value),
})
export const matching = (pattern: RegExp, is: string): Check => ({
  is,
  fits: value => typeof value === 'string' && pattern.test(value),
})
export const oneOf = (...values: readonly string[]): Check => ({
  is: `one of ${values.join(', ')}`,
  fits: value => typeof value === 'string' && values.includes(value),
})

/** The first thing that is wrong, or null. `what` names the object: "custom". */
export function fieldProblem(what: string, given: JsonObject, fields: Fields): string | null {
  for (const [field, { is, fits }] of Object.entries(fields)) {
    const key = field.replace(/\?$/, '')
    if (!Object.hasOwn(given, key)) {
      if (key === field) return `${what} needs ${key}, ${is}.`
    } else if (!fits(given[key])) return `${key} of ${what} must be ${is}.`
  }
  return null
}
