/**
 * CATALOG CACHE: the summaries of a root's sessions as they were read last, in Grove's own data, with the fingerprint that each
 * file had and the point where its reading may go on. One file for each root; a log that is written anew when most of it is old.
 *
 * Guarantees
 *   Never a reason for an error: what is missing, damaged, of another version or cannot be read is as if it were not there,
 *   and what cannot be written is not written. It may be thrown away at any time.
 *   What it tells of a file is true of the file with that fingerprint, however many processes use it: rows are whole and
 *   checked (cache-blocks.ts), and the caller compares the fingerprint.
 *
 * Not guaranteed
 *   A row that one process appends while another writes the file anew may be lost; that session is read again.
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Environment } from '../../engine/environment'
import { writeAll } from '../../engine/storage/atomic-replace'
import { bufferOf, withByteSource } from '../../engine/storage/byte-source'
import { ensureDirectory } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import { groveData } from '../grove-data'
import type { LibraryRoot } from '../roots'
import { type RowBlock, readBlocks } from './cache-blocks'
import { blockOfRows, CachePoints, OtherPlaces } from './cache-points'
import { type CachedRow, type PointPlace, rowOfLine } from './cached-row'
import type { ResumePoint } from './resume-point'

/** More rows than this are old before the file is written anew, however few are in use. */
const SPARE_ROWS = 1_000
/** Bytes of a cache that is read at all: that of hundreds of thousands of sessions. */
const MOST_BYTES = 512 * 1024 * 1024
const LF = 0x0a

export class CatalogCache {
  private readonly env: Environment
  private readonly file: string
  /** Rows in the file, those that are not in use any more with them. */
  private rows = 0
  /** What is there is not to be added to. */
  private isSpoilt = false
  /** Where points lie since another process wrote the file anew. */
  private readonly others: OtherPlaces

  constructor(env: Environment, root: LibraryRoot) {
    this.env = env
    const name = createHash('sha1').update(`${root.id}\0${root.layout.sessionsDir}`).digest('hex')
    this.file = path.join(groveData(env).directory, 'catalog', `${name}.cache`)
    this.others = new OtherPlaces(() => readRows(env, this.file).found)
  }

  /** What was noted last of each file. */
  load(): Map<string, CachedRow> {
    const { found, lines, isWhole } = readRows(this.env, this.file)
    this.rows = lines
    this.isSpoilt = !isWhole
    return found
  }

  /** Where the reading of a row's file may go on; null: nowhere, or it is not to be had any more. */
  pointOf(row: CachedRow): ResumePoint | null {
    const text = this.withPoints(points => bufferOf(points.textOf(row)).toString('utf8'))
    // Written by `pointText` of this version.
    return text === '' ? null : (JSON.parse(text) as ResumePoint)
  }

  private withPoints<T>(use: (points: CachePoints) => T): T {
    const points = new CachePoints(this.env, this.file, this.others)
    try {
      return use(points)
    } finally {
      points.close()
    }
  }

  /**
   * Notes what changed since: `rows` anew, `gone` no more. `all` are the rows in use, for the case that the file is written
   * anew.
   */
  save(rows: readonly CachedRow[], gone: readonly string[], all: () => Iterable<CachedRow>): void {
    const added = rows.length + gone.length
    if (added === 0) return
    const inUse = [...all()]
    const isDue = this.isSpoilt || this.rows + added > inUse.length * 2 + SPARE_ROWS
    if (!isDue && attempt('append to', this.file, () => this.append(rows, gone)).ok) this.rows += added
    else if (attempt('write', this.file, () => this.rewrite(inUse)).ok) {
      this.rows = inUse.length
      this.isSpoilt = false
    }
  }

  /** Throws where there is no file. In one write, so that blocks of two processes do not mix. */
  private append(rows: readonly CachedRow[], gone: readonly string[]): void {
    const { fs } = this.env
    const { block } = this.withPoints(points => blockOfRows(rows, gone, points))
    const fd = fs.open(this.file, 'append')
    try {
      writeAll(fs, fd, block)
    } finally {
      fs.close(fd)
    }
  }

  private rewrite(rows: readonly CachedRow[]): void {
    const { env, file } = this
    ensureDirectory(env, path.dirname(file), 0o700)
    const temporary = `${file}.${env.uuid()}.tmp`
    const fd = env.fs.open(temporary, 'wx', 0o600)
    const places = new Map<CachedRow, PointPlace>()
    try {
      this.withPoints(points => {
        let written = 0
        for (let at = 0; at < rows.length; at += SPARE_ROWS) {
          const { block, pointPlaces } = blockOfRows(rows.slice(at, at + SPARE_ROWS), [], points)
          writeAll(env.fs, fd, block)
          for (const [row, place] of pointPlaces) places.set(row, { ...place, at: place.at + written })
          written += block.length
        }
      })
      env.fs.close(fd)
      env.fs.rename(temporary, file)
      // Where they lay before is something else now.
      for (const [row, place] of places) row.point = place
    } catch (thrown) {
      attempt('close', temporary, () => env.fs.close(fd))
      attempt('remove', temporary, () => env.fs.unlink(temporary))
      throw thrown
    }
  }
}

/** The rows of a cache as they are now, the lines that there are, and whether these are all: of a damaged one, those before the damage. */
function readRows(
  env: Environment,
  file: string,
): { found: Map<string, CachedRow>; lines: number; isWhole: boolean } {
  const found = new Map<string, CachedRow>()
  let lines = 0
  const read = attempt('read', file, () =>
    withByteSource(env.fs, file, source => {
      if (source.size > MOST_BYTES) return false
      return readBlocks(source, block => {
        lines += takeRows(block, found)
      })
    }),
  )
  return { found, lines, isWhole: read.ok && read.value }
}

/** Of a file that is gone, only its name is noted. Answers how many lines there are. */
function takeRows({ rows, pointsAt }: RowBlock, found: Map<string, CachedRow>): number {
  let lines = 0
  for (let start = 0; start < rows.length; lines++) {
    const end = rows.indexOf(LF, start)
    if (end === -1) throw new Error('A row is cut off.')
    const row = rowOfLine(rows.toString('utf8', start, end), pointsAt)
    if (typeof row === 'string') found.delete(row)
    else found.set(row.file, row)
    start = end + 1
  }
  return lines
}

export function pointText(point: ResumePoint | null): Uint8Array {
  return point === null ? new Uint8Array() : Buffer.from(JSON.stringify(point), 'utf8')
}
