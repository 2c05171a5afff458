/**
 * Which session files there are. One reading per directory; nothing is made, migrated or promoted because
 * someone looked. Rule: docs/format.md, Listing.
 */
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { ok } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment } from '../../engine/environment'
import { archivedSessionsDir } from '../../engine/layout/agent-directories'
import { isPathInside } from '../../engine/layout/path-inside'
import {
  ARCHIVE_SUFFIX,
  artifactDirectoryOf,
  isArchive,
  JOURNAL_SUFFIX,
} from '../../engine/layout/session-paths'
import { attempt, errnoOf } from '../../engine/storage/errors'
import type { DirectoryEntry } from '../../engine/storage/file-system'
import { readWholeText } from '../../engine/storage/read-whole'
import type { LibraryRoot } from '../roots'

export type SessionFile = {
  file: string
  root: LibraryRoot
  /** Named by the registry of sessions kept elsewhere. */
  registered: boolean
  /** Whether something lies where its artifact directory would be; null where nobody read the folder that it lies in. */
  hasArtifacts: boolean | null
  /** It is a link, or may be one. */
  isLink: boolean
}

export type SessionFileList = {
  files: SessionFile[]
  /** Whether the sessions directory is there at all. */
  present: boolean
  /** Directories that could not be read or are not followed, one sentence each. */
  notes: string[]
  /** False when files may be missing because a directory could not be read. */
  complete: boolean
  /** Journals that are not there, of artifact directories that are. */
  strays: string[]
}

/** Grove's trash lies in the sessions directory under this name, below the depth that omp lists. */
export const TRASH_DIRECTORY = 'grove-trash'

/** The top-level session files of a root, and those that omp archived. An unreadable root is an error, one that is not there an empty list. */
export function listSessionFiles(env: Environment, root: LibraryRoot): Result<SessionFileList> {
  const list: SessionFileList = { files: [], present: false, notes: [], complete: true, strays: [] }
  const { sessionsDir } = root.layout
  const top = attempt('read the sessions folder', sessionsDir, () => env.fs.readDirectory(sessionsDir))
  if (!top.ok && (top.error.code !== 'not-found' || isThere(env, sessionsDir))) return top
  list.present = top.ok
  for (const entry of top.ok ? top.value : []) {
    if (entry.name === TRASH_DIRECTORY || entry.kind === 'file' || entry.kind === 'other') continue
    addDirectory(env, root, path.join(sessionsDir, entry.name), entry.kind === 'symlink', list)
  }
  addArchived(env, root, archivedSessionsDir(root.layout), 0, list)
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
    addEntries(root, directory, env.fs.readDirectory(directory), list)
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === undefined) throw thrown
    if (errno === 'ENOTDIR' || errno === 'ENOENT') return
    list.notes.push(`${directory} cannot be read (${errno}).`)
    list.complete = false
  }
}

function addEntries(
  root: LibraryRoot,
  directory: string,
  entries: readonly DirectoryEntry[],
  list: SessionFileList,
): void {
  // By name: the artifact directory of a session is named as its journal, so that no look is needed to know of it.
  const folders = new Map(entries.filter(({ kind }) => kind !== 'file').map(({ name, kind }) => [name, kind]))
  // Not `path.join` for each of thousands: the directory's path is clean already.
  const inside = directory.endsWith(path.sep) ? directory : `${directory}${path.sep}`
  const stems = new Set<string>()
  for (const { name, kind } of entries) {
    if (!name.endsWith(JOURNAL_SUFFIX) || name === JOURNAL_SUFFIX) continue
    const stem = name.slice(0, -JOURNAL_SUFFIX.length)
    stems.add(stem)
    const hasArtifacts = folders.has(stem)
    list.files.push({ file: inside + name, root, registered: false, hasArtifacts, isLink: kind !== 'file' })
  }
  for (const [name, kind] of folders) {
    const journal = `${inside}${name}${JOURNAL_SUFFIX}`
    if (
      kind === 'directory' &&
      !name.startsWith('.') &&
      !stems.has(name) &&
      artifactDirectoryOf(journal) !== null
    )
      list.strays.push(journal)
  }
}

/**
 * Archived sessions, in the folder and below; links are not followed, and no artifact directory is looked into. Where there is no
 * archive, none is missing.
 */
function addArchived(
  env: Environment,
  root: LibraryRoot,
  directory: string,
  depth: number,
  list: SessionFileList,
): void {
  const read = attempt('read the archive', directory, () => env.fs.readDirectory(directory))
  if (!read.ok) {
    if (read.error.code === 'not-found') return
    list.notes.push(read.error.message)
    list.complete = false
    return
  }
  const folders = new Set(read.value.filter(({ kind }) => kind === 'directory').map(({ name }) => name))
  for (const { name, kind } of read.value) {
    if (!isArchive(name) || name === ARCHIVE_SUFFIX || kind !== 'file') continue
    // Its artifact directory, if it has one, is none of sessions.
    const hasArtifacts = folders.delete(name.slice(0, -ARCHIVE_SUFFIX.length))
    list.files.push({
      file: path.join(directory, name),
      root,
      registered: false,
      hasArtifacts,
      isLink: false,
    })
  }
  if (depth < limits.archiveDepth)
    for (const name of folders) addArchived(env, root, path.join(directory, name), depth + 1, list)
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
    if (!known.has(file)) list.files.push({ file, root, registered: true, hasArtifacts: null, isLink: true })
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
