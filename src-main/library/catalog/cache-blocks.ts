/**
 * The file of a catalog cache: blocks of rows with the points that belong to them. Whole blocks are appended, so that two processes
 * may write to one file. Rows are read, points are passed over: they are asked for one by one, later (catalog-cache.ts).
 *
 * Of rows that do not fit their hash, and of all behind them, nothing is believed. The hash of each point stands in its row.
 */
import { createHash } from 'node:crypto'
import { type ByteSource, bufferOf, readRange } from '../../engine/storage/byte-source'

/** Raised whenever what a summary says, or how it is kept, changes: what another version wrote is then not read. */
const VERSION = 3
const MAGIC = Buffer.from(`GroveCatalog${String(VERSION).padStart(4, '0')}`, 'latin1')
const HASH_BYTES = 20
/** Magic, lengths of rows and points in 4 bytes each, hash of the lengths and the rows. */
const HEAD_BYTES = MAGIC.length + 8 + HASH_BYTES

export type RowBlock = {
  /** True until the next block is read. */
  rows: Buffer
  /** Where in the file its points begin. */
  pointsAt: number
}

export function blockOf(rows: string, points: Uint8Array): Buffer {
  const body = Buffer.from(rows, 'utf8')
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32LE(body.length)
  lengths.writeUInt32LE(points.length, 4)
  return Buffer.concat([MAGIC, lengths, hashOf(lengths, body), body, points])
}

/**
 * Gives `take` the rows of each block, up to the first that is damaged. Answers whether that was all there is. Throws the system's
 * error.
 */
export function readBlocks(source: ByteSource, take: (block: RowBlock) => void): boolean {
  let room = Buffer.alloc(0)
  let at = 0
  while (at < source.size) {
    const head = bufferOf(readRange(source, at, at + HEAD_BYTES))
    if (head.length < HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC)) break
    const lengths = head.subarray(MAGIC.length, MAGIC.length + 8)
    const start = at + HEAD_BYTES
    const bytes = lengths.readUInt32LE()
    const end = start + bytes + lengths.readUInt32LE(4)
    // A length that reaches beyond the file would reach over what is appended later.
    if (end > source.size) break
    // Memory that is new for each block costs more than reading it.
    if (room.length < bytes) room = Buffer.allocUnsafeSlow(bytes * 2)
    const rows = room.subarray(0, source.read(room.subarray(0, bytes), start))
    if (!hashOf(lengths, rows).equals(head.subarray(HEAD_BYTES - HASH_BYTES))) break
    take({ rows, pointsAt: start + bytes })
    at = end
  }
  return at === source.size
}

function hashOf(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
