/**
 * Which session files there are. One reading per directory; nothing is made, migrated or promoted because
 * someone looked. Rule: docs/format.md, Listing.
 */
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { ok } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment } from '../../engine/environment'
import { isPathInside } from '../../engine/layout/path-inside'
import { JOURNAL_SUFFIX } from '../../engine/layout/session-paths'
import { attempt, errnoOf } from '../../engine/storage/errors'
import { readWholeText } from '../../engine/storage/read-whole'
import type { LibraryRoot } from '../roots'

export type SessionFile = {
  file: string
  root: LibraryRoot
  /** Named by the registry of sessions kept elsewhere. */
  registered: boolean
}

export type SessionFileList = {
  files: SessionFile[]
  /** Whether the sessions directory is there at all. */
  present: boolean
  /** Directories that could not be read or are not followed, one sentence each. */
  notes: string[]
  /** False when files may be missing because a directory could not be read. */
  complete: boolean
}

/** Grove's trash lies in the sessions directory under this name, below the depth that omp lists. */
export const TRASH_DIRECTORY = 'grove-trash'

/** The top-level session files of a root. An unreadable root is an error, one that is not there an empty list. */
export function listSessionFiles(env: Environment, root: LibraryRoot): Result<SessionFileList> {
  const list: SessionFileList = { files: [], present: false, notes: [], complete: true }
  const { sessionsDir } = root.layout
  const top = attempt('read the sessions folder', sessionsDir, () => env.fs.readDirectory(sessionsDir))
  if (!top.ok && (top.error.code !== 'not-found' || isThere(env, sessionsDir))) return top
  if (!top.ok) return ok(withRegistered(env, root, list))
  list.present = true
  for (const entry of top.value) {
    if (entry.name === TRASH_DIRECTORY || entry.kind === 'file' || entry.kind === 'other') continue
    addDirectory(env, root, path.join(sessionsDir, entry.name), entry.kind === 'symlink', list)
  }
  return ok(withRegistered(env, root, list))
}

/** True for what stands in a directory's place without being one: a file, or a link that leads nowhere. */
function isThere(env: Environment, place: string): boolean {
  try {
    env.fs.lstat(place)
    return true
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown
    return false
  }
}

function addDirectory(
  env: Environment,
  root: LibraryRoot,
  directory: string,
  isLink: boolean,
  list: SessionFileList,
): void {
  try {
    // A link that leads out of the root shows files that are not this root's.
    if (isLink && !isInside(env, root.layout.sessionsDir, directory)) {
      list.notes.push(`${directory} is a link that leads out of the sessions folder and is not followed.`)
      return
    }
    for (const entry of env.fs.readDirectory(directory)) {
      if (!entry.name.endsWith(JOURNAL_SUFFIX) || entry.name === JOURNAL_SUFFIX) continue
      list.files.push({ file: path.join(directory, entry.name), root, registered: false })
    }
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === undefined) throw thrown
    if (errno === 'ENOTDIR' || errno === 'ENOENT') return
    list.notes.push(`${directory} cannot be read (${errno}).`)
    list.complete = false
  }
}

/** True when a path, links resolved, lies at or below a directory. */
export function isInside(env: Environment, directory: string, inner: string): boolean {
  return isPathInside(env.fs.realPath(directory), env.fs.realPath(inner))
}

/** Sessions that omp was told to keep elsewhere; not with `--agent-dir`, which means only that directory. */
function withRegistered(env: Environment, root: LibraryRoot, list: SessionFileList): SessionFileList {
  if (root.kind === 'added' || root.kind === 'pi') return list
  const known = new Set(list.files.map(({ file }) => file))
  for (const file of registeredFiles(env, root.layout.customFilesDir)) {
    if (!known.has(file)) list.files.push({ file, root, registered: true })
    known.add(file)
  }
  return list
}

/** What the registry names and is still there. A registry file that cannot be read costs only itself. */
function registeredFiles(env: Environment, directory: string): string[] {
  const entries = attempt('read the registry', directory, () => env.fs.readDirectory(directory))
  if (!entries.ok) return []
  return entries.value
    .filter(entry => entry.kind === 'file')
    .flatMap(entry => {
      const named = attempt('read the registry', directory, () =>
        readWholeText(env.fs, path.join(directory, entry.name), limits.namesBytes).trim(),
      )
      return named.ok && path.isAbsolute(named.value) && exists(env, named.value) ? [named.value] : []
    })
}

function exists(env: Environment, file: string): boolean {
  return attempt('look at', file, () => env.fs.stat(file)).ok
}
