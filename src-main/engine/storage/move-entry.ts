/**
 * MOVE: one name to another place on the same file system, never over something.
 *
 * Guarantees
 *   `moveNoReplace` of a file is exclusive: link, then unlink; a target that appears at the last moment is EEXIST and
 *   nothing is lost. Links and directories are renamed after a look: a directory's rename refuses a target that holds
 *   anything, so at worst an empty directory made in that moment is taken over.
 *
 * After a kill between link and unlink both names exist with the same inode. `isSameEntry` tells, and the caller
 * removes the one it does not want.
 *
 * Throws what the system throws; EXDEV means that the places lie on different file systems (copy-verify.ts).
 */
import { isWithoutHardLinks } from './atomic-replace'
import { lstatOrUndefined } from './directory-sync'
import { EngineError } from './errors'
import type { FileSystem } from './file-system'

export function moveNoReplace(fs: FileSystem, from: string, to: string): void {
  if (lstatOrUndefined(fs, to) !== undefined) {
    throw new EngineError('conflict', `${to} is already there; nothing is overwritten.`, to)
  }
  if (fs.lstat(from).kind === 'file' && linkOver(fs, from, to)) return
  fs.rename(from, to)
}

/** False when this file system has no hard links. */
function linkOver(fs: FileSystem, from: string, to: string): boolean {
  try {
    fs.link(from, to)
  } catch (thrown) {
    if (isWithoutHardLinks(thrown)) return false
    throw thrown
  }
  try {
    fs.unlink(from)
  } catch (thrown) {
    // Back to one name, so that a failure leaves what was there before.
    unlinkQuietly(fs, to)
    throw thrown
  }
  return true
}

function unlinkQuietly(fs: FileSystem, target: string): void {
  try {
    fs.unlink(target)
  } catch {}
}

/** Whether both names are the same inode: a move that was interrupted between its two steps. */
export function isSameEntry(fs: FileSystem, a: string, b: string): boolean {
  const first = lstatOrUndefined(fs, a)
  const second = lstatOrUndefined(fs, b)
  if (first === undefined || second === undefined) return false
  return first.dev === second.dev && first.ino === second.ino
}
