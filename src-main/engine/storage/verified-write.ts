/**
 * VERIFIED WRITE: a file that was read back before anyone can see it under its name.
 *
 * Guarantees
 *   `publishVerified` and `replaceVerified` write a temporary file beside the target, sync it, read it back from the
 *   start and compare its SHA-256, and only then give it its name: exclusively, or over what was there.
 *   Readers find nothing (or the old content) or the whole new one.
 *   The temporary file is taken away at every failure that the process survives.
 *
 * Not guaranteed
 *   The name is on the disk only once the caller has synced the directory (`syncDirectory`): only the caller knows
 *   what a failure of that means.
 *   Reading back tells what the system would answer a reader; it cannot look past the system's own cache.
 *   A process that is killed leaves `.<name>.<16 hex>.tmp`.
 *
 * Order of calls
 *   open temp (exclusive), write all, fsync, close, open, read, close, compare, link and unlink (or rename).
 *
 * Failures
 *   any call               thrown as the system's error; temp removed; what was at the target stands
 *   reads back otherwise   `io`; temp removed; what was at the target stands
 *   temp cannot be removed after it got its second name: tried twice; the target is whole
 */
import { createHash } from 'node:crypto'
import type { Environment } from '../environment'
import { addName, temporaryPathFor, writeAll } from './atomic-replace'
import { readChunks } from './copy-verify'
import { EngineError, errnoOf } from './errors'
import type { FileSystem } from './file-system'

/** Makes the file at `target`; false when that name is taken, and nothing was done. Throws. */
export function publishVerified(env: Environment, target: string, bytes: Uint8Array): boolean {
  const temp = writeVerifiedTemporary(env, target, bytes)
  const made = publishTemporary(env.fs, temp, target)
  if (!made) removeQuietly(env.fs, temp)
  return made
}

/** Puts a new file in the place of what is at `target`; no link there is followed. Throws. */
export function replaceVerified(env: Environment, target: string, bytes: Uint8Array): void {
  const temp = writeVerifiedTemporary(env, target, bytes)
  try {
    env.fs.rename(temp, target)
  } catch (thrown) {
    removeQuietly(env.fs, temp)
    throw thrown
  }
}

/** A synced temporary file beside `target` that was read back; its path. Throws, and then leaves none. */
export function writeVerifiedTemporary(env: Environment, target: string, bytes: Uint8Array): string {
  const { fs } = env
  const temp = temporaryPathFor(env, target)
  const fd = fs.open(temp, 'wx', 0o666)
  try {
    try {
      writeAll(fs, fd, bytes)
      fs.fsync(fd)
    } finally {
      fs.close(fd)
    }
    if (hashOfFile(fs, temp) !== hashOfBytes(bytes)) {
      const message = `${target} does not read back as it was written; check the disk and try again.`
      throw new EngineError('io', message, target)
    }
  } catch (thrown) {
    removeQuietly(fs, temp)
    throw thrown
  }
  return temp
}

/** Gives `temp` the name `target`. False when that is taken, and `temp` stays; at any failure `temp` is removed. Throws. */
export function publishTemporary(fs: FileSystem, temp: string, target: string): boolean {
  try {
    if (addName(fs, temp, target)) removeQuietly(fs, temp)
    return true
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return false
    removeQuietly(fs, temp)
    throw thrown
  }
}

/** Takes away what this process made. A failure that passes must not leave it; one that lasts cannot be helped. */
export function removeQuietly(fs: FileSystem, target: string): void {
  for (let tries = 0; tries < 2; tries++) {
    try {
      fs.unlink(target)
      return
    } catch (thrown) {
      if (errnoOf(thrown) === 'ENOENT') return
    }
  }
}

/** SHA-256 of the bytes of a file, in hex. Throws the system's error. */
export function hashOfFile(fs: FileSystem, file: string): string {
  const hash = createHash('sha256')
  for (const chunk of readChunks(fs, file)) hash.update(chunk)
  return hash.digest('hex')
}

/** SHA-256 of bytes, in hex. */
export function hashOfBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
