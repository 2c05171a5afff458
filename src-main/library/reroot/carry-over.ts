/**
 * Bytes that were appended to the old journal while it was moved, taken over into the new one. Nothing that another
 * program wrote is lost, and what was taken over already (before a crash) is not written twice.
 */
import type { Environment } from '../../engine/environment'
import { writeAll } from '../../engine/storage/atomic-replace'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { EngineError } from '../../engine/storage/errors'
import type { FileSystem } from '../../engine/storage/file-system'
import { readBytes, readHead } from './journal-bytes'

/** A tail is lines of one process in one moment; more than this is not what happened here. */
const MAX_TAIL_BYTES = 256 * 1024 * 1024
const LF = 0x0a

/**
 * Appends the bytes of `source` from `offset` on to `target`, which is known to hold all before `offset` in its first
 * `written` bytes. Answers how many bytes were taken over.
 */
export function carryOver(
  env: Environment,
  source: string,
  offset: number,
  target: string,
  written: number,
): number {
  const { fs } = env
  const size = fs.stat(source).size
  if (size <= offset) return 0
  if (size - offset > MAX_TAIL_BYTES)
    throw new EngineError('too-large', `${source} grew by more than can be taken over.`, source)
  const tail = readBytes(fs, source, offset, size)
  const targetSize = fs.stat(target).size
  const behind =
    targetSize > written ? readBytes(fs, target, Math.max(0, written), targetSize) : Buffer.alloc(0)
  // Taken over before, whole or in part, or together with what others wrote since.
  if (targetSize >= written && tail.subarray(0, behind.length).equals(behind)) {
    append(env, target, tail.subarray(behind.length))
    return tail.length - behind.length
  }
  const haystack = targetSize < written ? readBytes(fs, target, 0, targetSize) : behind
  if (haystack.includes(tail)) return 0
  append(env, target, onItsOwnLine(fs, target, targetSize, tail))
  return tail.length
}

/** What another program put where the old journal was, if it is lines without a header: they belong to the session. */
export function isHeaderless(fs: FileSystem, file: string): boolean {
  const stat = lstatOrUndefined(fs, file)
  if (stat === undefined || stat.kind !== 'file') return false
  const head = readHead(fs, file)
  return head.header === null && head.slot === null
}

function append(env: Environment, target: string, bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const fd = env.fs.open(target, 'a')
  try {
    writeAll(env.fs, fd, bytes)
    env.fs.fsync(fd)
  } finally {
    env.fs.close(fd)
  }
}

function onItsOwnLine(fs: FileSystem, target: string, size: number, bytes: Uint8Array): Uint8Array {
  const last = size === 0 ? LF : readBytes(fs, target, size - 1, size)[0]
  return last === LF ? bytes : Buffer.concat([Buffer.from([LF]), bytes])
}
