/**
 * BLOB WRITER: bytes into the blob store of an agent directory, under the SHA-256 of them.
 *
 * Guarantees
 *   Acknowledged means: `<hash>` holds exactly these bytes, was read back, and file and name are on the disk.
 *   A blob appears whole or not at all, and an existing one is never written into: other sessions refer to it.
 *   Idempotent. A blob that is there is trusted only after its bytes were hashed. For the life of this writer it stays
 *   trusted while device, inode, size and modification time are the same: putting a picture again costs one stat.
 *   A torn blob is repaired: a whole file takes its place at once.
 *   A directory that is missing is made.
 *
 * Not guaranteed
 *   The second name `<hash>.<extension>` is a convenience for other programs: a hard link, else a copy. When neither
 *   can be made, the blob is stored all the same.
 *   omp writes into blobs in place. While it does so a reader can find a part; this writer then puts a whole file there.
 *   Nothing is ever removed from the store; omp's own gc does that, five minutes after a file was written at the earliest.
 *
 * Order of calls
 *   stat; known: done. There: read, hash, sync, sync directory. Missing: make the directory, verified write (exclusive),
 *   sync directory. Torn: verified write (over it), sync directory. Then the second name.
 *
 * Failures
 *   up to the name         nothing or the old bytes are there, no temporary file; the error of the system
 *   directory sync         the error of the system; the blob stays, since it is whole and another may rely on it by now
 *   killed                 as above; perhaps a `.<hash>.<16 hex>.tmp`, which nothing refers to
 *   someone else made the same blob in that moment: it is checked as one that was there
 *
 * Rule: docs/format.md, Blob store.
 */
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../environment'
import { ensureDirectory, lstatOrUndefined, syncDirectory } from '../storage/directory-sync'
import { attempt, EngineError, errnoOf } from '../storage/errors'
import type { FileStat } from '../storage/file-system'
import { hashOfBytes, hashOfFile, publishVerified, replaceVerified } from '../storage/verified-write'
import { plainExtension } from './blob-extension'

export type PutOptions = {
  /** Extension of the second name, as of `blobExtensionOf`; one that cannot be part of a file name counts as none. */
  extension?: string | null
}

/** How often another process may make or remove the same blob in the very moment. */
const ATTEMPTS = 3

export class BlobWriter {
  private readonly env: Environment
  readonly directory: string
  /** Name of a blob that was found whole, and the identity that it had then. */
  private readonly whole = new Map<string, string>()
  /** Second names that were seen to. */
  private readonly named = new Set<string>()

  /** @param directory the blob store; it need not exist */
  constructor(env: Environment, directory: string) {
    this.env = env
    this.directory = directory
  }

  /** Stores `bytes`; answers their SHA-256 as 64 hex digits, by which `BlobStore` reads them. */
  put(bytes: Uint8Array, options: PutOptions = {}): Result<string> {
    const hash = hashOfBytes(bytes)
    const file = path.join(this.directory, hash)
    const stored = attempt('store the blob', file, () => this.keep(file, hash, bytes))
    if (!stored.ok) return stored
    const extension = plainExtension(options.extension)
    if (extension !== null && !this.named.has(`${hash}.${extension}`)) {
      this.addSecondName(file, `${file}.${extension}`, bytes)
      this.named.add(`${hash}.${extension}`)
    }
    return ok(hash)
  }

  private keep(file: string, hash: string, bytes: Uint8Array): void {
    const { env } = this
    for (let tries = 0; tries < ATTEMPTS; tries++) {
      const before = lstatOrUndefined(env.fs, file)
      if (before !== undefined && this.whole.get(hash) === identityOf(before)) return
      if (before !== undefined && this.isWhole(file, before, bytes.length, hash)) {
        // omp does not sync what it writes, and a name may be younger than the last sync of its directory.
        this.syncFile(file)
        this.settle(file, hash, before)
        return
      }
      if (before !== undefined) {
        replaceVerified(env, file, bytes)
        this.forgetSecondNames(hash)
      } else {
        ensureDirectory(env, this.directory)
        if (!publishVerified(env, file, bytes)) continue
      }
      this.settle(file, hash, env.fs.lstat(file))
      return
    }
    throw new EngineError('conflict', `${file} comes and goes as it is written; try again.`, file)
  }

  private settle(file: string, hash: string, stat: FileStat): void {
    syncDirectory(this.env, path.dirname(file))
    this.whole.set(hash, identityOf(stat))
  }

  private isWhole(file: string, stat: FileStat, size: number, hash: string): boolean {
    return stat.kind === 'file' && stat.size === size && hashOfFile(this.env.fs, file) === hash
  }

  private syncFile(file: string): void {
    // Windows syncs only what is open for writing.
    const fd = this.env.fs.open(file, this.env.platform === 'win32' ? 'r+' : 'r')
    try {
      this.env.fs.fsync(fd)
    } finally {
      this.env.fs.close(fd)
    }
  }

  /** The repaired blob is another inode than the one that its second names lead to. */
  private forgetSecondNames(hash: string): void {
    for (const name of this.named) if (name.startsWith(hash)) this.named.delete(name)
  }

  private addSecondName(file: string, second: string, bytes: Uint8Array): void {
    const { env } = this
    const fs = env.fs
    try {
      const there = lstatOrUndefined(fs, second)
      if (there !== undefined) {
        const isLink = there.ino === fs.lstat(file).ino
        if (!isLink && !this.isWhole(second, there, bytes.length, path.basename(file)))
          replaceVerified(env, second, bytes)
        return
      }
      try {
        fs.link(file, second)
      } catch (thrown) {
        if (errnoOf(thrown) !== 'EEXIST') publishVerified(env, second, bytes)
      }
    } catch (thrown) {
      // The blob is stored; what is missing is a name that nothing refers to.
      if (errnoOf(thrown) === undefined && !(thrown instanceof EngineError)) throw thrown
    }
  }
}

function identityOf(stat: FileStat): string {
  return `${stat.kind} ${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs}`
}
