/**
 * FILE IDENTITY: is this still the file on which the decision was made?
 *
 * Guarantees
 *   An identity is device, inode, size, modification time in nanoseconds, and a hash of the last 4 KiB. Two
 *   equal identities mean: same file, nothing appended, nothing replaced; a rewrite of equal length is told by
 *   time or, where the clock is coarse, by the tail, which is where a journal changes.
 *   A symbolic link is identified as itself (its target text is hashed), never as what it points to.
 *   An identity is plain JSON: it crosses to the worker, and lies in journals on disk.
 *
 * Not guaranteed
 *   A rewrite in the middle, of equal length, with the time set back, is not seen. Nothing here locks: between
 *   the comparison and what follows another process can write, which is why changes look again afterwards.
 *
 * Failures
 *   gone -> `changed-on-disk` when compared, `not-found` when captured; unreadable -> `permission`; else `io`.
 */
import { createHash } from 'node:crypto'
import { err, ok, type Result } from '@shared/ipc/result'
import { attempt } from './errors'
import type { FileStat, FileSystem } from './file-system'

const TAIL_BYTES = 4096

export type FileIdentity = {
  kind: 'file' | 'symlink'
  dev: string
  ino: string
  size: number
  mtimeNs: string
  tailHash: string
}

/** Identity of what lies at `target` now. Directories and devices have none: `invalid-argument`. */
export function captureIdentity(fs: FileSystem, target: string): Result<FileIdentity> {
  const captured = attempt('look at', target, () => capture(fs, target))
  if (!captured.ok) return captured
  if (captured.value === undefined) {
    return err('invalid-argument', `${target} is neither a file nor a link.`, target)
  }
  return ok(captured.value)
}

function capture(fs: FileSystem, target: string): FileIdentity | undefined {
  const stat = fs.lstat(target)
  if (stat.kind === 'symlink') return identityOf(stat, 'symlink', hash(Buffer.from(fs.readLink(target))))
  if (stat.kind !== 'file') return undefined
  const fd = fs.open(target, 'r')
  try {
    const opened = fs.fstat(fd)
    return identityOf(opened, 'file', hash(readTail(fs, fd, opened.size)))
  } finally {
    fs.close(fd)
  }
}

function identityOf(stat: FileStat, kind: FileIdentity['kind'], tailHash: string): FileIdentity {
  return {
    kind,
    dev: stat.dev.toString(),
    ino: stat.ino.toString(),
    size: stat.size,
    mtimeNs: stat.mtimeNs.toString(),
    tailHash,
  }
}

function readTail(fs: FileSystem, fd: number, size: number): Uint8Array {
  const start = Math.max(0, size - TAIL_BYTES)
  const tail = Buffer.alloc(size - start)
  let filled = 0
  while (filled < tail.length) {
    const count = fs.read(fd, tail, filled, tail.length - filled, start + filled)
    if (count === 0) break
    filled += count
  }
  return tail.subarray(0, filled)
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** What differs, in words ("its size went from 10 to 20 bytes"), or null when it is the same file unchanged. */
export function identityDifference(expected: FileIdentity, actual: FileIdentity): string | null {
  if (expected.kind !== actual.kind) return `it was a ${expected.kind} and is a ${actual.kind}`
  if (expected.dev !== actual.dev || expected.ino !== actual.ino) return 'another file took its place'
  if (expected.size !== actual.size) return `its size went from ${expected.size} to ${actual.size} bytes`
  if (expected.tailHash !== actual.tailHash) return 'its last bytes are different'
  if (expected.mtimeNs !== actual.mtimeNs) return 'it was written to'
  return null
}

/** Ok when `target` is still what `expected` says; else `changed-on-disk`, saying what differs. */
export function verifyIdentity(fs: FileSystem, target: string, expected: FileIdentity): Result<FileIdentity> {
  const actual = captureIdentity(fs, target)
  if (!actual.ok) {
    return actual.error.code === 'not-found' || actual.error.code === 'invalid-argument'
      ? changedOnDisk(target, 'it is gone or of another kind')
      : actual
  }
  const difference = identityDifference(expected, actual.value)
  return difference === null ? actual : changedOnDisk(target, difference)
}

/** The refusal of a change whose file is no longer what the decision was made on. */
export function changedOnDisk(target: string, difference: string): Result<never> {
  return err('changed-on-disk', `${target} changed on disk meanwhile: ${difference}.`, target)
}
