/**
 * The blob store of an agent directory, for reading: files named by the SHA-256 of their bytes.
 *
 * Guarantees: only a 64-digit hash names a file, so that nothing outside the store can be reached; a symbolic
 * link in its place is not followed; bytes are checked against their name before they are handed out.
 * Rule: docs/format.md, Blob store.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { readRange, withByteSource } from '../storage/byte-source'
import { lstatOrUndefined } from '../storage/directory-sync'
import { attempt, errnoOf } from '../storage/errors'
import type { FileSystem } from '../storage/file-system'
import { hashOfBytes, hashOfFile } from '../storage/verified-write'
import { type ImageType, sniffImageType } from './image-type'

const HASH = /^[0-9a-f]{64}$/
/** Bytes that tell the type of a picture. */
const SNIFFED_BYTES = 64

/** `torn`: a file of that name is there, and its bytes are others. A link or folder in its place counts as missing. */
export type BlobState = 'present' | 'missing' | 'torn'

export class BlobStore {
  private readonly fs: FileSystem
  readonly directory: string

  constructor(fs: FileSystem, directory: string) {
    this.fs = fs
    this.directory = directory
  }

  /** Size of a blob in bytes, or null when it is missing. */
  size(hash: string): number | null {
    if (!HASH.test(hash)) return null
    try {
      const stat = this.fs.lstat(path.join(this.directory, hash))
      return stat.kind === 'file' ? stat.size : null
    } catch (thrown) {
      if (errnoOf(thrown) !== undefined) return null
      throw thrown
    }
  }

  /** Whether a file of that name is there, whatever is in it. */
  has(hash: string): boolean {
    return this.size(hash) !== null
  }

  /** How it stands with a blob: all its bytes are read. An error only when the system refuses to tell. */
  verify(hash: string): Result<BlobState> {
    const file = path.join(this.directory, hash)
    if (!HASH.test(hash)) return ok('missing')
    return attempt('read the blob', file, (): BlobState => {
      const stat = lstatOrUndefined(this.fs, file)
      if (stat?.kind !== 'file') return 'missing'
      return hashOfFile(this.fs, file) === hash ? 'present' : 'torn'
    })
  }

  /** What the first bytes of a blob say it is; null when it is missing, unreadable, or no picture that is shown. */
  imageType(hash: string): ImageType | null {
    if (this.size(hash) === null) return null
    const file = path.join(this.directory, hash)
    const head = attempt('read the blob', file, () =>
      withByteSource(this.fs, file, source => readRange(source, 0, Math.min(source.size, SNIFFED_BYTES))),
    )
    return head.ok ? sniffImageType(head.value) : null
  }

  /** The bytes of a blob, whole and checked. A torn blob is `damaged`, one over `maxBytes` `too-large`. */
  get(hash: string, maxBytes: number): Result<Uint8Array> {
    const file = path.join(this.directory, hash)
    const stat = HASH.test(hash)
      ? attempt('read the blob', file, () => lstatOrUndefined(this.fs, file))
      : ok(undefined)
    // One that the system refuses to look at is not missing.
    if (!stat.ok) return stat
    if (stat.value?.kind !== 'file')
      return err('not-found', `Blob ${hash.slice(0, 64)} is missing in ${this.directory}.`)
    const { size } = stat.value
    if (size > maxBytes) return err('too-large', `Blob ${file} is too large to show (${size} bytes).`, file)
    const read = attempt('read the blob', file, () =>
      withByteSource(this.fs, file, source => readRange(source, 0, source.size)),
    )
    if (!read.ok) return read
    if (hashOfBytes(read.value) !== hash)
      return err('damaged', `Blob ${file} is torn: its bytes do not match its name.`, file)
    return ok(read.value)
  }
}
