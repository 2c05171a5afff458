/** Records and their pictures as short texts that differ when anything in them does. Node.js and bun both read this file. Pure. */
import { createHash } from 'node:crypto'

/** The beginning is for whoever reads a difference. */
const SHOWN_CHARS = 90

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A record as its JSON says it: keys in their order, pictures in it. */
export function digestOf(record: object): string {
  const text = JSON.stringify(record)
  return `${text.slice(0, SHOWN_CHARS)} ${text.length} ${sha256(text)}`
}

const PICTURE_KEYS = new Set(['data', 'result', 'image_url'])

/** Every text in a record that may be a picture, in the order in which they stand there; a reference as it is. */
export function picturesIn(value: unknown, key: string | null = null): string[] {
  if (typeof value === 'string') return key !== null && PICTURE_KEYS.has(key) ? [pictureOf(value)] : []
  if (Array.isArray(value)) return value.flatMap(item => picturesIn(item, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([inner, child]) => picturesIn(child, inner))
}

function pictureOf(text: string): string {
  return text.startsWith('blob:') ? text : `${text.length} characters ${sha256(text)}`
}
