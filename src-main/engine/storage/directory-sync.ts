/**
 * Making changes of names durable, and making directories.
 *
 * A rename, link or unlink is on the disk only when the directory that holds the name has been synced.
 * Windows cannot open a directory for that, and some network file systems answer EINVAL or ENOTSUP: there the
 * name is as durable as the system makes it by itself, and nothing better can be had.
 */
import path from 'node:path'
import type { Environment } from '../environment'
import { errnoOf } from './errors'
import type { FileStat, FileSystem } from './file-system'

const CANNOT_SYNC_DIRECTORIES = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Waits until the names in `directory` are on the disk. Throws what the system throws. */
export function syncDirectory(env: Environment, directory: string): void {
  if (env.platform === 'win32') return
  const fd = env.fs.open(directory, 'r')
  try {
    env.fs.fsync(fd)
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === undefined || !CANNOT_SYNC_DIRECTORIES.has(errno)) throw thrown
  } finally {
    env.fs.close(fd)
  }
}

/** What is at `target` itself (a link is not followed), or undefined when nothing is. */
export function lstatOrUndefined(fs: FileSystem, target: string): FileStat | undefined {
  try {
    return fs.lstat(target)
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return undefined
    throw thrown
  }
}

/**
 * Makes `directory` and what is missing above it, each synced into its parent; answers the ones that were
 * made, outermost first, so that a failing change can take them away again.
 */
export function ensureDirectory(env: Environment, directory: string, permissions?: number): string[] {
  const missing: string[] = []
  let at = directory
  while (!isDirectory(env.fs, at)) {
    missing.push(at)
    const parent = path.dirname(at)
    if (parent === at) break
    at = parent
  }
  const made: string[] = []
  try {
    for (const next of missing.reverse()) {
      if (!makeOne(env.fs, next)) continue
      made.push(next)
      if (permissions !== undefined) env.fs.setMode(next, permissions)
      syncDirectory(env, path.dirname(next))
    }
  } catch (thrown) {
    removeMadeDirectories(env.fs, made)
    throw thrown
  }
  return made
}

/** False when another process made the same directory at the same moment. */
function makeOne(fs: FileSystem, directory: string): boolean {
  try {
    fs.makeDirectory(directory)
    return true
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST' || !isDirectory(fs, directory)) throw thrown
    return false
  }
}

/** Takes away directories that `ensureDirectory` made, innermost first, where they are empty. Never throws. */
export function removeMadeDirectories(fs: FileSystem, made: readonly string[]): void {
  for (const directory of [...made].reverse()) {
    try {
      fs.removeDirectory(directory)
    } catch {
      // Not empty (someone uses it by now) or not ours to remove: it stays.
    }
  }
}

function isDirectory(fs: FileSystem, target: string): boolean {
  try {
    return fs.stat(target).kind === 'directory'
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return false
    throw thrown
  }
}
