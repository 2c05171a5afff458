/**
 * The file of a catalog cache: blocks, each with its length and a hash of its text. Whole blocks are appended, so that two
 * processes may write to one file; of what does not fit its hash, and of all behind it, nothing is believed. Pure.
 */
import { createHash } from 'node:crypto'

/** Raised whenever what a summary says, or how it is kept, changes: what another version wrote is then not read. */
const VERSION = 2
const MAGIC = Buffer.from(`GroveCatalog${String(VERSION).padStart(4, '0')}`, 'latin1')
const HASH_BYTES = 20
const HEAD_BYTES = MAGIC.length + 4 + HASH_BYTES

export function blockOf(text: string): Buffer {
  const body = Buffer.from(text, 'utf8')
  const head = Buffer.alloc(HEAD_BYTES)
  MAGIC.copy(head)
  head.writeUInt32LE(body.length, MAGIC.length)
  hashOf(body).copy(head, MAGIC.length + 4)
  return Buffer.concat([head, body])
}

/** The bodies of the blocks, up to the first that is damaged. */
export function readBlocks(bytes: Buffer): { bodies: Buffer[]; isWhole: boolean } {
  const bodies: Buffer[] = []
  let at = 0
  while (at < bytes.length) {
    const start = at + HEAD_BYTES
    if (start > bytes.length || !bytes.subarray(at, at + MAGIC.length).equals(MAGIC)) break
    const end = start + bytes.readUInt32LE(at + MAGIC.length)
    // A length that reaches beyond the file would reach over what is appended later.
    if (end > bytes.length) break
    const body = bytes.subarray(start, end)
    if (!hashOf(body).equals(bytes.subarray(start - HASH_BYTES, start))) break
    bodies.push(body)
    at = start + body.length
  }
  return { bodies, isWhole: at === bytes.length }
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha1').update(bytes).digest()
}
