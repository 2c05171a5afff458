/**
 * COPY AND VERIFY: a file or a tree at another place, byte for byte, for moves that a rename cannot do (another
 * file system).
 *
 * Guarantees
 *   The target appears whole: each file is written under a temporary name, synced, read back from the start and
 *   compared by SHA-256 with what was read from the source, and only then given its name, exclusively.
 *   Modes and modification times are kept. Links are copied as links and never followed.
 *   Nothing is overwritten: a target that exists is `conflict`. The source is never changed.
 *   A source that changes while it is copied is `changed-on-disk`.
 *   On failure everything that this call made at the target is removed.
 *
 * Not guaranteed
 *   Owners, extended attributes, hard links between files, and sockets, pipes or devices: the latter are refused
 *   (`conflict`), since a unit that cannot be copied whole is not copied.
 *   A kill leaves a partial tree at the target; the operation journal knows it.
 *
 * Order of calls for a move
 *   copy (this module), sync, note in the journal, verify the source, remove the source (`removeListed`).
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { type AppError, err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment, WorkContext } from '../environment'
import { publishNew } from './atomic-replace'
import { syncDirectory } from './directory-sync'
import { attempt, attemptAsync, EngineError, failure } from './errors'
import { captureIdentity, identityDifference } from './file-identity'
import type { FileSystem } from './file-system'
import { absolutePath, type TreeEntry, type TreeInventory, treeDifference, walkTree } from './tree-walk'

const COPY_BYTES = Math.min(1 << 20, limits.chunkBytes)

/** Copies the file or link at `from` to `to`, which must not exist; answers the bytes' SHA-256 (of the link: its text). */
export async function copyFileVerified(
  env: Environment,
  from: string,
  to: string,
  work: WorkContext,
): Promise<Result<{ bytes: number; sha256: string }>> {
  const fs = env.fs
  const before = captureIdentity(fs, from)
  if (!before.ok) return before
  if (before.value.kind === 'symlink') return copyLink(env, from, to)
  const stat = attempt('look at', from, () => fs.lstat(from))
  if (!stat.ok) return stat
  const hash = createHash('sha256')
  let bytes = 0
  const chunks = function* () {
    for (const chunk of readChunks(fs, from)) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const times = { atimeMs: stat.value.atimeMs, mtimeMs: stat.value.mtimeMs }
  const made = await publishNew(env, to, chunks(), { mode: stat.value.mode & 0o7777, times }, work)
  if (!made.ok) return made
  const sha256 = hash.digest('hex')
  const checked = await verifyCopy(env, from, to, before.value, sha256, work)
  if (!checked.ok) {
    removeOwn(fs, to)
    return checked
  }
  return ok({ bytes, sha256 })
}

async function verifyCopy(
  env: Environment,
  from: string,
  to: string,
  before: Parameters<typeof identityDifference>[0],
  sha256: string,
  work: WorkContext,
): Promise<Result<void>> {
  const copied = await hashFile(env, to, work)
  if (!copied.ok) return copied
  if (copied.value !== sha256) {
    return err('io', `The copy ${to} does not read back as it was written; check the disk.`, to)
  }
  const after = captureIdentity(env.fs, from)
  if (!after.ok) return after
  const difference = identityDifference(before, after.value)
  return difference === null
    ? ok(undefined)
    : err('changed-on-disk', `${from} changed while it was copied: ${difference}.`, from)
}

/** SHA-256 of a file's bytes, read chunk by chunk. */
export function hashFile(env: Environment, target: string, work: WorkContext): Promise<Result<string>> {
  return attemptAsync('read', target, async () => {
    const hash = createHash('sha256')
    for (const chunk of readChunks(env.fs, target)) {
      hash.update(chunk)
      await work.breathe()
    }
    return hash.digest('hex')
  })
}

/** The bytes of a file, in order. The chunk is only valid until the next one is taken. */
export function* readChunks(fs: FileSystem, target: string): Generator<Uint8Array, void, void> {
  const fd = fs.open(target, 'r')
  try {
    const buffer = Buffer.alloc(COPY_BYTES)
    for (let position = 0; ; ) {
      const count = fs.read(fd, buffer, 0, buffer.length, position)
      if (count === 0) return
      position += count
      yield buffer.subarray(0, count)
    }
  } finally {
    fs.close(fd)
  }
}

function copyLink(env: Environment, from: string, to: string): Result<{ bytes: number; sha256: string }> {
  return attempt('copy the link', from, () => {
    const target = env.fs.readLink(from)
    env.fs.symlink(target, to)
    try {
      syncDirectory(env, path.dirname(to))
    } catch (thrown) {
      removeOwn(env.fs, to)
      throw thrown
    }
    return { bytes: 0, sha256: createHash('sha256').update(target).digest('hex') }
  })
}

/**
 * Copies what lies at `from` (file, link or whole directory) to `to`, which must not exist. Answers the inventory of
 * the source as it was before and after.
 */
export async function copyTreeVerified(
  env: Environment,
  from: string,
  to: string,
  work: WorkContext,
): Promise<Result<TreeInventory>> {
  const source = await walkTree(env, from, work)
  if (!source.ok) return source
  const strange = source.value.entries.find(entry => entry.kind === 'other')
  if (strange !== undefined) {
    const where = absolutePath(from, strange.path)
    return err('conflict', `${where} is neither file, folder nor link and cannot be copied.`, where)
  }
  const made: TreeEntry[] = []
  const copied = await copyEntries(env, from, to, source.value, made, work)
  if (!copied.ok) removeMade(env, to, made)
  return copied.ok ? source : copied
}

async function copyEntries(
  env: Environment,
  from: string,
  to: string,
  source: TreeInventory,
  made: TreeEntry[],
  work: WorkContext,
): Promise<Result<void>> {
  let bytes = 0
  for (const entry of source.entries) {
    const target = absolutePath(to, entry.path)
    if (entry.kind === 'directory') {
      const directory = attempt('make', target, () => env.fs.makeDirectory(target))
      if (!directory.ok) return directory
      made.push(entry)
    } else {
      const file = await copyFileVerified(env, absolutePath(from, entry.path), target, work)
      if (!file.ok) return file
      made.push(entry)
    }
    bytes += entry.size
    work.progress(bytes, source.bytes, entry.path)
    const breathed = await attemptAsync('copy', from, () => work.breathe())
    if (!breathed.ok) return breathed
  }
  const settled = attempt('sync', to, () => settleDirectories(env, from, to, source.entries))
  if (!settled.ok) return settled
  const now = await walkTree(env, from, work)
  if (!now.ok) return now
  const difference = treeDifference(source.entries, now.value.entries)
  if (difference === null) return ok(undefined)
  return err('changed-on-disk', `${from} changed while it was copied: ${difference}.`, from)
}

/** Modes and times of directories, innermost first, since adding a file changes them. */
function settleDirectories(env: Environment, from: string, to: string, entries: readonly TreeEntry[]): void {
  for (const entry of [...entries].reverse()) {
    if (entry.kind !== 'directory') continue
    const stat = env.fs.lstat(absolutePath(from, entry.path))
    const target = absolutePath(to, entry.path)
    env.fs.setMode(target, stat.mode & 0o7777)
    env.fs.setTimes(target, stat.atimeMs, stat.mtimeMs)
    syncDirectory(env, target)
  }
  syncDirectory(env, path.dirname(to))
}

function removeMade(env: Environment, to: string, made: readonly TreeEntry[]): void {
  for (const entry of [...made].reverse()) {
    const target = absolutePath(to, entry.path)
    if (entry.kind === 'directory') tryTwice(() => env.fs.removeDirectory(target))
    else removeOwn(env.fs, target)
  }
}

function removeOwn(fs: FileSystem, target: string): void {
  tryTwice(() => fs.unlink(target))
}

/** A passing failure must not leave behind what we made; a lasting one cannot be helped. */
function tryTwice(step: () => void): void {
  try {
    step()
  } catch {
    try {
      step()
    } catch {}
  }
}

export type Removal = {
  files: number
  bytes: number
  /** What was listed and is still there, with the reason. */
  left: { path: string; error: AppError }[]
}

/**
 * Removes exactly the listed entries of `root`, children before parents: files and links are unlinked, directories
 * removed when empty. An entry that is no longer what was listed (kind, size, time) stays, and so do the directories
 * above it. Never throws for one entry; `cancelled` only between entries.
 */
export async function removeListed(
  env: Environment,
  root: string,
  entries: readonly TreeEntry[],
  work: WorkContext,
): Promise<Result<Removal>> {
  const removal: Removal = { files: 0, bytes: 0, left: [] }
  try {
    for (const entry of [...entries].reverse()) {
      await work.breathe()
      const target = absolutePath(root, entry.path)
      const removed = removeTwice(env.fs, target, entry)
      if (!removed.ok) {
        // Gone already: an earlier, interrupted removal did it, or someone else.
        if (removed.error.code === 'not-found') continue
        removal.left.push({ path: target, error: removed.error })
      } else if (entry.kind !== 'directory') {
        removal.files++
        removal.bytes += entry.size
      }
    }
  } catch (thrown) {
    return failure(thrown, 'remove', root)
  }
  return ok(removal)
}

/** A failure that passes must not leave half a tree. */
function removeTwice(fs: FileSystem, target: string, entry: TreeEntry): Result<void> {
  const first = attempt('remove', target, () => removeOne(fs, target, entry))
  if (first.ok || first.error.code === 'changed-on-disk' || first.error.code === 'not-found') return first
  return attempt('remove', target, () => removeOne(fs, target, entry))
}

function removeOne(fs: FileSystem, target: string, entry: TreeEntry): void {
  if (entry.kind === 'directory') {
    fs.removeDirectory(target)
    return
  }
  const now = fs.lstat(target)
  const same =
    now.kind === entry.kind &&
    now.mtimeNs.toString() === entry.mtimeNs &&
    (entry.kind !== 'file' || now.size === entry.size)
  if (!same) throw new EngineError('changed-on-disk', `${target} is not what was listed and stays.`, target)
  fs.unlink(target)
}
