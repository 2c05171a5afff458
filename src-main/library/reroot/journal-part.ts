/**
 * The new journal before it has its name: the old bytes with one line replaced, written beside the target, read
 * back and compared, synced. Nothing else on the disk changes.
 */
import { createHash } from 'node:crypto'
import type { Environment, WorkContext } from '../../engine/environment'
import { writeAll } from '../../engine/storage/atomic-replace'
import { readChunks } from '../../engine/storage/copy-verify'
import { EngineError, errnoOf } from '../../engine/storage/errors'
import type { FileSystem } from '../../engine/storage/file-system'
import { type Relocation, relocationPaths, writtenSize } from './relocation'

/** Writes the part file. Throws; the caller removes what is there. */
export async function writePart(env: Environment, move: Relocation, work: WorkContext): Promise<void> {
  const { fs } = env
  const { part } = relocationPaths(move)
  const stat = fs.lstat(move.from)
  const size = await writePartFile(env, part, movedChunks(fs, move), stat.mode & 0o7777, work)
  if (size !== writtenSize(move))
    throw new EngineError('changed-on-disk', `${move.from} changed while it was copied.`, move.from)
  // omp takes the newest file of a folder for the latest session: the time is part of what is moved.
  fs.setTimes(part, stat.atimeMs, stat.mtimeMs)
}

/**
 * Writes `chunks` to `part`, in place of what an earlier attempt left there, syncs, and reads it back. Answers its size.
 * Throws; the caller removes what is there.
 */
export async function writePartFile(
  env: Environment,
  part: string,
  chunks: Iterable<Uint8Array>,
  mode: number,
  work: WorkContext,
): Promise<number> {
  const { fs } = env
  const hash = createHash('sha256')
  removeIfThere(fs, part)
  const fd = fs.open(part, 'wx', mode & 0o777)
  try {
    for (const chunk of chunks) {
      hash.update(chunk)
      writeAll(fs, fd, chunk)
      await work.breathe()
    }
    fs.fsync(fd)
  } finally {
    fs.close(fd)
  }
  const back = createHash('sha256')
  let size = 0
  for (const chunk of readChunks(fs, part)) {
    back.update(chunk)
    size += chunk.length
    await work.breathe()
  }
  if (back.digest('hex') !== hash.digest('hex'))
    throw new EngineError('io', `${part} does not read back as it was written; check the disk.`, part)
  fs.setMode(part, mode)
  return size
}

/** The journal's bytes as far as they were known when the move was decided, with the header line replaced. */
function* movedChunks(fs: FileSystem, move: Relocation): Generator<Uint8Array> {
  const { offset, length } = move.header
  const before = Buffer.from(move.header.before, 'base64')
  const after = Buffer.from(move.header.after, 'base64')
  const seen = Buffer.alloc(length)
  let position = 0
  let replaced = false
  for (const all of readChunks(fs, move.from)) {
    const chunk = all.subarray(0, Math.max(0, move.identity.size - position))
    if (chunk.length === 0) break
    const start = position
    position += chunk.length
    const from = Math.min(Math.max(offset - start, 0), chunk.length)
    const to = Math.min(Math.max(offset + length - start, 0), chunk.length)
    if (from > 0) yield chunk.subarray(0, from)
    if (to > from) seen.set(chunk.subarray(from, to), start + from - offset)
    if (!replaced && position >= offset + length) {
      if (!seen.equals(before))
        throw new EngineError('changed-on-disk', `The first lines of ${move.from} changed.`, move.from)
      replaced = true
      yield after
    }
    if (to < chunk.length && replaced) yield chunk.subarray(to)
  }
  if (!replaced) throw new EngineError('changed-on-disk', `${move.from} is shorter than it was.`, move.from)
}

/** Removes a file that may not be there. Throws for any other failure. */
export function removeIfThere(fs: FileSystem, file: string): void {
  try {
    fs.unlink(file)
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno !== 'ENOENT' && errno !== 'ENOTDIR') throw thrown
  }
}
