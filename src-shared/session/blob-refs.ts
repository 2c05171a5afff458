/**
 * References to blobs inside a record. Rule: docs/format.md, Blob store. The strict pattern is the only way
 * from text to a file name, so that nothing else can be named.
 */

const REFERENCE = /^blob:sha256:([0-9a-f]{64})$/

/** The hash of a reference, or null when the text is not one. */
export function blobHashOf(text: unknown): string | null {
  if (typeof text !== 'string' || text.length !== 76) return null
  return REFERENCE.exec(text)?.[1] ?? null
}

/** Every blob hash in a record, in order of appearance, repetitions included. Iterative: any depth. */
export function blobHashesIn(record: unknown): string[] {
  const hashes: string[] = []
  const open: unknown[] = [record]
  while (open.length > 0) {
    const value = open.pop()
    const hash = blobHashOf(value)
    if (hash !== null) hashes.push(hash)
    else if (Array.isArray(value)) for (let at = value.length - 1; at >= 0; at--) open.push(value[at])
    else if (typeof value === 'object' && value !== null) {
      const fields: unknown[] = Object.values(value)
      for (let at = fields.length - 1; at >= 0; at--) open.push(fields[at])
    }
  }
  return hashes
}
