/**
 * The points in the file of a catalog cache, which are asked for one by one. The file is opened with the first, and closed by
 * whoever made this. Where another process wrote the file anew, a point is looked for by its row; one that is not there any more is
 * as none.
 */
import { createHash } from 'node:crypto'
import type { Environment } from '../../engine/environment'
import { type ByteSource, bufferOf, openByteSource, readRange } from '../../engine/storage/byte-source'
import { attempt } from '../../engine/storage/errors'
import { blockOf } from './cache-blocks'
import { type CachedRow, lineOfGone, lineOfRow, type PointPlace } from './cached-row'

export class CachePoints {
  private readonly env: Environment
  private readonly file: string
  private readonly others: OtherPlaces
  /** Null: it cannot be opened; undefined: nobody asked yet. */
  private source: ByteSource | null | undefined
  private isLookedThrough = false

  constructor(env: Environment, file: string, others: OtherPlaces) {
    this.env = env
    this.file = file
    this.others = others
  }

  /** The text of a row's point; empty for none. Notes in the row where it lies when it lies elsewhere now. */
  textOf(row: CachedRow): Uint8Array {
    const { point } = row
    if (point instanceof Uint8Array) return point
    if (point.bytes === 0) return NOTHING
    const text = this.textAt(point)
    return text.length > 0 ? text : this.textElsewhere(row)
  }

  /** Where another process wrote the file anew; it is looked through once. */
  private textElsewhere(row: CachedRow): Uint8Array {
    for (;;) {
      const place = this.others.placeOf(row)
      const text = place === null ? NOTHING : this.textAt(place)
      if (place !== null && text.length > 0) row.point = place
      if (text.length > 0 || this.isLookedThrough || this.opened() === null) return text
      this.isLookedThrough = true
      this.others.lookAgain()
    }
  }

  private textAt({ at, bytes, hash }: PointPlace): Uint8Array {
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

/** Where points lie in the file of another process, as it was when it was looked through last. */
export class OtherPlaces {
  private readonly read: () => Iterable<[string, CachedRow]>
  private places = new Map<string, { fingerprint: string; place: PointPlace }>()

  constructor(read: () => Iterable<[string, CachedRow]>) {
    this.read = read
  }

  /** Null: there is no point of this row, or of another state of its file. */
  placeOf({ file, fingerprint }: CachedRow): PointPlace | null {
    const found = this.places.get(file)
    return found?.fingerprint === fingerprint && found.place.bytes > 0 ? found.place : null
  }

  lookAgain(): void {
    this.places = new Map()
    for (const [file, { fingerprint, point }] of this.read())
      if (!(point instanceof Uint8Array)) this.places.set(file, { fingerprint, place: point })
  }
}

/**
 * Rows with their points, and the names of files that are gone, as a block of the file; and where in the block the points of the rows
 * lie.
 */
export function blockOfRows(
  rows: readonly CachedRow[],
  gone: readonly string[],
  points: CachePoints,
): { block: Buffer; pointPlaces: Map<CachedRow, PointPlace> } {
  const texts: Buffer[] = []
  const pointPlaces = new Map<CachedRow, PointPlace>()
  let at = 0
  const lines = rows.map(row => {
    const text = bufferOf(points.textOf(row))
    const place = { at, bytes: text.length, hash: text.length === 0 ? '' : hashOf(text) }
    pointPlaces.set(row, place)
    texts.push(text)
    at += text.length
    return lineOfRow(row, place)
  })
  const block = blockOf([...lines, ...gone.map(lineOfGone)].join(''), Buffer.concat(texts))
  for (const [row, place] of pointPlaces) pointPlaces.set(row, { ...place, at: place.at + block.length - at })
  return { block, pointPlaces }
}

const NOTHING = new Uint8Array()

function hashOf(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64')
}
