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
import { readRange, withByteSource } from '../../engine/storage/byte-source'
import { ensureDirectory } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import { groveData } from '../grove-data'
import type { LibraryRoot } from '../roots'
import { blockOf, readBlocks } from './cache-blocks'
import type { ResumePoint } from './resume-point'
import type { SessionSummary } from './session-summary'

export type CachedRow = {
  file: string
  fingerprint: string
  summary: SessionSummary
  /** A `ResumePoint` as JSON; empty: none. Read when it is needed, which for most sessions is never. */
  point: Uint8Array
}

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

  constructor(env: Environment, root: LibraryRoot) {
    this.env = env
    const name = createHash('sha1').update(`${root.id}\0${root.layout.sessionsDir}`).digest('hex')
    this.file = path.join(groveData(env).directory, 'catalog', `${name}.cache`)
  }

  /** What was noted last of each file. */
  load(): Map<string, CachedRow> {
    const found = new Map<string, CachedRow>()
    const read = attempt('read', this.file, () =>
      withByteSource(this.env.fs, this.file, source =>
        readRange(source, 0, Math.min(source.size, MOST_BYTES)),
      ),
    )
    if (!read.ok) return found
    const { buffer, byteOffset, byteLength } = read.value
    const { bodies, isWhole } = readBlocks(Buffer.from(buffer, byteOffset, byteLength))
    const taken = attempt('read', this.file, () => {
      for (const body of bodies) this.takeBody(body, found)
    })
    this.isSpoilt = !isWhole || !taken.ok
    return found
  }

  /** A row is a line of its own and one for its point; of a file that is gone, only its name is noted. */
  private takeBody(body: Buffer, found: Map<string, CachedRow>): void {
    for (let start = 0; start < body.length; ) {
      const end = body.indexOf(LF, start)
      const pointEnd = body.indexOf(LF, end + 1)
      if (end === -1 || pointEnd === -1) throw new Error('A row is cut off.')
      // A block whose hash is right was written by `lineOf` of this version.
      const [file, fingerprint, noted] = JSON.parse(body.toString('utf8', start, end)) as Line
      if (noted === undefined) found.delete(file)
      else {
        const summary = Object.assign(noted, { file, realFile: noted.realFile ?? file })
        found.set(file, { file, fingerprint, summary, point: body.subarray(end + 1, pointEnd) })
      }
      this.rows++
      start = pointEnd + 1
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
    const text = [...rows.map(lineOf), ...gone.map(file => `${JSON.stringify([file, ''])}\n\n`)].join('')
    const fd = fs.open(this.file, 'append')
    try {
      writeAll(fs, fd, blockOf(text))
    } finally {
      fs.close(fd)
    }
  }

  private rewrite(rows: readonly CachedRow[]): void {
    const { env, file } = this
    ensureDirectory(env, path.dirname(file), 0o700)
    const temporary = `${file}.${env.uuid()}.tmp`
    const fd = env.fs.open(temporary, 'wx', 0o600)
    try {
      for (let at = 0; at < rows.length; at += SPARE_ROWS)
        writeAll(
          env.fs,
          fd,
          blockOf(
            rows
              .slice(at, at + SPARE_ROWS)
              .map(lineOf)
              .join(''),
          ),
        )
      env.fs.close(fd)
      env.fs.rename(temporary, file)
    } catch (thrown) {
      attempt('close', temporary, () => env.fs.close(fd))
      attempt('remove', temporary, () => env.fs.unlink(temporary))
      throw thrown
    }
  }
}

/** Paths are most of a row: they stand in it once. */
type NotedSummary = Omit<SessionSummary, 'file' | 'realFile'> & { realFile?: string | undefined }
type Line = [file: string, fingerprint: string, summary?: NotedSummary]

function lineOf({ file, fingerprint, summary, point }: CachedRow): string {
  const { file: _file, realFile, ...rest } = summary
  const noted: NotedSummary = realFile === file ? rest : { ...rest, realFile }
  return `${JSON.stringify([file, fingerprint, noted])}\n${Buffer.from(point).toString('utf8')}\n`
}

export function pointText(point: ResumePoint | null): Uint8Array {
  return point === null ? new Uint8Array() : Buffer.from(JSON.stringify(point), 'utf8')
}

export function pointIn({ point }: CachedRow): ResumePoint | null {
  if (point.length === 0) return null
  // Written by `pointText` of this version.
  return JSON.parse(
    Buffer.from(point.buffer, point.byteOffset, point.byteLength).toString('utf8'),
  ) as ResumePoint
}
