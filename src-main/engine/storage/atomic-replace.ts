/**
 * ATOMIC REPLACE: a file's new content, whole or not at all.
 *
 * Guarantees
 *   Readers, and whoever comes after a crash or power loss, find the old content or the new one, never a part.
 *   `replaceFile` refuses (`changed-on-disk`) when the target is no longer the file the decision was made on.
 *   `publishNew` refuses (`conflict`) when the target exists; it never overwrites.
 *   The target's permissions are kept (`replaceFile`) or as given (`publishNew`); times on request.
 *   Content is taken chunk by chunk: a journal of any size costs the memory of one chunk.
 *   The temporary file is taken away at every failure that the process survives.
 *
 * Not guaranteed
 *   A process that is killed leaves its temporary file, `.<name>.<16 hex>.tmp`, which no reader takes for a session.
 *   A writer that ignores locks can still write between the comparison and the rename; take the lock, and look
 *   whether someone has the file open, before deciding.
 *   Owner, extended attributes and hard links of the target are not carried over.
 *
 * Order of calls
 *   open temp (exclusive), write all, set mode, set times, fsync, close, compare target, rename (or link and unlink),
 *   fsync directory.
 *
 * Failures
 *   up to the comparison   old content stands, temp removed, the error of the system
 *   comparison differs     old content stands, temp removed, `changed-on-disk`
 *   rename or link         old content stands, temp removed, the error of the system
 *   fsync of the directory `replaceFile`: the new content stands for readers; error `io` says that it may not survive
 *                          a power loss. `publishNew`: the new file is removed again
 *   a chunk source throws  old content stands, temp removed, its error (cancelled included)
 */
import path from 'node:path'
import { err, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../environment'
import { lstatOrUndefined, syncDirectory } from './directory-sync'
import { attempt, EngineError, errnoOf, failure } from './errors'
import { captureIdentity, type FileIdentity, verifyIdentity } from './file-identity'
import type { FileSystem } from './file-system'

/** The new content, in order. Lazily produced: the next chunk is asked for when the last one is written. */
export type Chunks = Iterable<Uint8Array>

export type FileTimes = { atimeMs: number; mtimeMs: number }

export type ReplaceOptions = {
  /** What the target must still be; null when the decision did not depend on its content. */
  expected: FileIdentity | null
  /** Keep the target's access and modification time instead of now. */
  keepTimes?: boolean
}

export type PublishOptions = { mode?: number; times?: FileTimes }

/** Replaces the file at `target`. The target must exist and be a regular file (a link is refused). */
export async function replaceFile(
  env: Environment,
  target: string,
  chunks: Chunks,
  options: ReplaceOptions,
  work: WorkContext,
): Promise<Result<FileIdentity>> {
  return drainWaiting(replaceSteps(env, target, chunks, options), target, work)
}

/** As `replaceFile`, at once: for content that is small. */
export function replaceFileNow(
  env: Environment,
  target: string,
  chunks: Chunks,
  options: ReplaceOptions,
): Result<FileIdentity> {
  return drainNow(replaceSteps(env, target, chunks, options), target)
}

/** Makes a new file at `target`, whole from its first moment. `conflict` when something is there. */
export async function publishNew(
  env: Environment,
  target: string,
  chunks: Chunks,
  options: PublishOptions,
  work: WorkContext,
): Promise<Result<FileIdentity>> {
  return drainWaiting(publishSteps(env, target, chunks, options), target, work)
}

/** As `publishNew`, at once: for content that is small. */
export function publishNewNow(
  env: Environment,
  target: string,
  chunks: Chunks,
  options: PublishOptions,
): Result<FileIdentity> {
  return drainNow(publishSteps(env, target, chunks, options), target)
}

/** Replaces or makes the file at `target`, at once, whatever was there: for Grove's own small files. */
export function writeWholeNow(
  env: Environment,
  target: string,
  content: string,
  mode: number,
): Result<FileIdentity> {
  const bytes = [Buffer.from(content, 'utf8')]
  const present = attempt('look at', target, () => lstatOrUndefined(env.fs, target) !== undefined)
  if (!present.ok) return present
  return present.value
    ? replaceFileNow(env, target, bytes, { expected: null })
    : publishNewNow(env, target, bytes, { mode })
}

/** Name of a temporary file for `target`, in the same directory; as omp names its own. */
export function temporaryPathFor(env: Environment, target: string): string {
  const suffix = `.${env.uuid().replace(/-/g, '').slice(0, 16)}.tmp`
  // 255 bytes is the longest name common file systems take; a name near it must not make the change impossible.
  const name = Buffer.from(path.basename(target))
    .subarray(0, 255 - 1 - suffix.length)
    .toString('utf8')
  return path.join(path.dirname(target), `.${name.replace(/\uFFFD/g, '')}${suffix}`)
}

/** Whether `name` is that of a temporary file of omp's or Grove's. */
export function isTemporaryName(name: string): boolean {
  return /^\..+\.[0-9a-f]{16}\.tmp$/.test(name)
}

/** Whether `name` is that of a temporary file for `file`, a name as well. */
export function isTemporaryNameOf(name: string, file: string): boolean {
  return isTemporaryName(name) && name.replace(/\.[0-9a-f]{16}\.tmp$/, '') === `.${file}`
}

/** One step per chunk: the driver decides whether others may run in between. */
type Steps = Generator<void, Result<FileIdentity>, void>

function* replaceSteps(env: Environment, target: string, chunks: Chunks, options: ReplaceOptions): Steps {
  const fs = env.fs
  const before = attempt('look at', target, () => fs.lstat(target))
  if (!before.ok) return before
  if (before.value.kind !== 'file') {
    return err('conflict', `${target} is not a regular file; it is left as it is.`, target)
  }
  const times = options.keepTimes === true ? before.value : undefined
  const temp = temporaryPathFor(env, target)
  try {
    yield* writeTemporary(fs, temp, chunks, before.value.mode & 0o7777, times)
    if (options.expected !== null) {
      const same = verifyIdentity(fs, target, options.expected)
      if (!same.ok) {
        discard(fs, temp)
        return same
      }
    }
    fs.rename(temp, target)
  } catch (thrown) {
    discard(fs, temp)
    return failure(thrown, 'write', target)
  }
  return settle(env, target)
}

function* publishSteps(env: Environment, target: string, chunks: Chunks, options: PublishOptions): Steps {
  const fs = env.fs
  const occupied = attempt('look at', target, () => lstatOrUndefined(fs, target))
  if (!occupied.ok) return occupied
  if (occupied.value !== undefined) return alreadyThere(target)
  const temp = temporaryPathFor(env, target)
  try {
    yield* writeTemporary(fs, temp, chunks, options.mode, options.times)
    giveName(fs, temp, target)
  } catch (thrown) {
    discard(fs, temp)
    if (errnoOf(thrown) === 'EEXIST') return alreadyThere(target)
    return failure(thrown, 'write', target)
  }
  const settled = settle(env, target)
  // The name is ours and nobody was told of it yet: a failure means that nothing was made.
  if (!settled.ok) discard(fs, target)
  return settled
}

function alreadyThere(target: string): Result<never> {
  return err('conflict', `${target} is already there; nothing is overwritten.`, target)
}

function* writeTemporary(
  fs: FileSystem,
  temp: string,
  chunks: Chunks,
  mode: number | undefined,
  times: FileTimes | undefined,
): Generator<void, void, void> {
  // Never more open than the final mode while the content is on its way.
  const fd = fs.open(temp, 'wx', mode === undefined ? 0o666 : mode & 0o777)
  let open = true
  try {
    for (const chunk of chunks) {
      writeAll(fs, fd, chunk)
      yield
    }
    if (mode !== undefined) fs.setMode(temp, mode)
    if (times !== undefined) fs.setTimes(temp, times.atimeMs, times.mtimeMs)
    fs.fsync(fd)
    open = false
    fs.close(fd)
  } finally {
    if (open) closeQuietly(fs, fd)
  }
}

/** Writes the whole chunk, however little the system takes at a time: from `position` on, or where the descriptor stands. */
export function writeAll(
  fs: FileSystem,
  fd: number,
  chunk: Uint8Array,
  position: number | null = null,
): void {
  let written = 0
  while (written < chunk.length) {
    const at = position === null ? null : position + written
    const count = fs.write(fd, chunk, written, chunk.length - written, at)
    if (count <= 0) throw new EngineError('io', 'The system took no more bytes and gave no reason.')
    written += count
  }
}

/**
 * Makes `target` a name of the file `temp`, failing with EEXIST when it is taken. False when `temp` is gone by that,
 * true when both names are there.
 */
export function addName(fs: FileSystem, temp: string, target: string): boolean {
  try {
    fs.link(temp, target)
    return true
  } catch (thrown) {
    if (!isWithoutHardLinks(thrown)) throw thrown
  }
  // No hard links here (FAT, some network shares): reserve the name exclusively, then rename over the reservation.
  fs.close(fs.open(target, 'wx'))
  try {
    fs.rename(temp, target)
  } catch (failed) {
    discard(fs, target)
    throw failed
  }
  return false
}

/** Gives `temp` the name `target`, failing with EEXIST when that is taken. */
function giveName(fs: FileSystem, temp: string, target: string): void {
  if (!addName(fs, temp, target)) return
  try {
    fs.unlink(temp)
  } catch (thrown) {
    // The caller is told that nothing was made, so nothing may be there.
    discard(fs, target)
    throw thrown
  }
}

/** Whether `link` failed because this file system has no hard links. */
export function isWithoutHardLinks(thrown: unknown): boolean {
  const errno = errnoOf(thrown)
  return (
    errno === 'EPERM' ||
    errno === 'ENOTSUP' ||
    errno === 'EOPNOTSUPP' ||
    errno === 'ENOSYS' ||
    errno === 'EMLINK'
  )
}

function settle(env: Environment, target: string): Result<FileIdentity> {
  try {
    syncDirectory(env, path.dirname(target))
  } catch (thrown) {
    const text = failure(thrown, 'sync the folder of', target).error.message
    return err('io', `${text} The new content may not survive a power loss.`, target)
  }
  return captureIdentity(env.fs, target)
}

function discard(fs: FileSystem, target: string): void {
  try {
    fs.unlink(target)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return
    try {
      // A passing failure must not leave the file behind; a lasting one cannot be helped.
      fs.unlink(target)
    } catch {}
  }
}

function closeQuietly(fs: FileSystem, fd: number): void {
  try {
    fs.close(fd)
  } catch {}
}

function drainNow(steps: Steps, target: string): Result<FileIdentity> {
  try {
    let step = steps.next()
    while (step.done !== true) step = steps.next()
    return step.value
  } catch (thrown) {
    return failure(thrown, 'write', target)
  }
}

async function drainWaiting(steps: Steps, target: string, work: WorkContext): Promise<Result<FileIdentity>> {
  try {
    let step = steps.next()
    while (step.done !== true) {
      const stopped = await breathe(work)
      // Cancelled: thrown into the generator, so that it removes its temporary file.
      step = stopped === null ? steps.next() : steps.throw(stopped.thrown)
    }
    return step.value
  } catch (thrown) {
    return failure(thrown, 'write', target)
  }
}

async function breathe(work: WorkContext): Promise<{ thrown: unknown } | null> {
  try {
    await work.breathe()
    return null
  } catch (thrown) {
    return { thrown }
  }
}
