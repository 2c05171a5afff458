/**
 * The points in the file of a catalog cache, which are asked for one by one. The file is opened with the first, and closed by
 * whoever made this. A point that is not there any more, since another process wrote the file anew, is as none.
 */
import { createHash } from 'node:crypto'
import type { Environment } from '../../engine/environment'
import { type ByteSource, openByteSource, readRange } from '../../engine/storage/byte-source'
import { attempt } from '../../engine/storage/errors'
import { blockOf, bufferOf } from './cache-blocks'
import { type CachedRow, lineOfGone, lineOfRow } from './cached-row'

export class CachePoints {
  private readonly env: Environment
  private readonly file: string
  /** Null: it cannot be opened; undefined: nobody asked yet. */
  private source: ByteSource | null | undefined

  constructor(env: Environment, file: string) {
    this.env = env
    this.file = file
  }

  /** The text of a row's point; empty for none. */
  textOf({ point }: CachedRow): Uint8Array {
    if (point instanceof Uint8Array) return point
    if (point.bytes === 0) return NOTHING
    const { at, bytes, hash } = point
    const text = attempt('read', this.file, () => {
      const source = this.opened()
      return source === null ? NOTHING : readRange(source, at, at + bytes)
    })
    return text.ok && hashOf(text.value) === hash ? text.value : NOTHING
  }

  private opened(): ByteSource | null {
    if (this.source === undefined) {
      const opened = attempt('read', this.file, () => openByteSource(this.env.fs, this.file))
      this.source = opened.ok ? opened.value : null
    }
    return this.source
  }

  close(): void {
    this.source?.close()
  }
}

/** Rows with their points, and the names of files that are gone, as a block of the file. */
export function blockOfRows(
  rows: readonly CachedRow[],
  gone: readonly string[],
  points: CachePoints,
): Buffer {
  const texts: Buffer[] = []
  let at = 0
  const lines = rows.map(row => {
    const text = bufferOf(points.textOf(row))
    const line = lineOfRow(row, { at, bytes: text.length, hash: text.length === 0 ? '' : hashOf(text) })
    texts.push(text)
    at += text.length
    return line
  })
  return blockOf([...lines, ...gone.map(lineOfGone)].join(''), Buffer.concat(texts))
}

const NOTHING = new Uint8Array()

function hashOf(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64')
}
