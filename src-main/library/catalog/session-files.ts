/**
 * Which session files there are. One reading per directory; nothing is made, migrated or promoted because
 * someone looked. Rule: docs/format.md, Listing.
 */
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { ok } from '@shared/ipc/result'
import type { Environment } from '../../engine/environment'
import { JOURNAL_SUFFIX } from '../../engine/layout/session-paths'
import { attempt, errnoOf } from '../../engine/storage/errors'
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
  /** Directories that could not be read, one sentence each. */
  notes: string[]
}

/** Grove's trash lies in the sessions directory under this name, below the depth that omp lists. */
export const TRASH_DIRECTORY = 'grove-trash'

/** The top-level session files of a root. An unreadable root is an error, one that is not there an empty list. */
export function listSessionFiles(env: Environment, root: LibraryRoot): Result<SessionFileList> {
  const list: SessionFileList = { files: [], present: false, notes: [] }
  const { sessionsDir } = root.layout
  const top = attempt('read the sessions folder', sessionsDir, () => env.fs.readDirectory(sessionsDir))
  if (!top.ok && top.error.code !== 'not-found') return top
  if (!top.ok) return ok(withRegistered(env, root, list))
  list.present = true
  for (const entry of top.value) {
    if (entry.name === TRASH_DIRECTORY || entry.kind === 'file' || entry.kind === 'other') continue
    addDirectory(env, root, path.join(sessionsDir, entry.name), entry.kind === 'symlink', list)
  }
  return ok(withRegistered(env, root, list))
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
    if (errno !== 'ENOTDIR' && errno !== 'ENOENT') list.notes.push(`${directory} cannot be read (${errno}).`)
  }
}

/** True when a path, links resolved, lies at or below a directory. */
export function isInside(env: Environment, directory: string, inner: string): boolean {
  const relative = path.relative(env.fs.realPath(directory), env.fs.realPath(inner))
  return (
    relative === '' ||
    (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
  )
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

function registeredFiles(env: Environment, directory: string): string[] {
  try {
    return env.fs
      .readDirectory(directory)
      .filter(entry => entry.kind === 'file')
      .map(entry => readSmallFile(env, path.join(directory, entry.name)))
      .filter(file => path.isAbsolute(file) && exists(env, file))
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown
    return []
  }
}

function readSmallFile(env: Environment, file: string): string {
  const fd = env.fs.open(file, 'r')
  try {
    const buffer = Buffer.alloc(8192)
    return buffer.toString('utf8', 0, env.fs.read(fd, buffer, 0, buffer.length, 0)).trim()
  } finally {
    env.fs.close(fd)
  }
}

function exists(env: Environment, file: string): boolean {
  try {
    env.fs.stat(file)
    return true
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown
    return false
  }
}
