/**
 * The use of many sessions at once. What can be in use leaves a sign that is seen without asking about each session: a lock
 * in the list of its directory, a fresh time, an open file, a breadcrumb. Only those are checked one by one; for all others the
 * folder alone decides, and it is asked about once.
 *
 * Guarantees: the answer for each file is the one that checking it alone would give.
 * Cost: one list per directory, one stat per session, one list more for each that has an artifact directory; no file is opened for
 * a session without a sign.
 */
import path from 'node:path'
import { limits } from '@shared/limits'
import type { Environment, WorkContext } from '../environment'
import { artifactDirectoryOf, lockPathOf, parentJournalOf } from '../layout/session-paths'
import { attempt } from '../storage/errors'
import type { DirectoryEntry, FileStat, FileSystem } from '../storage/file-system'
import type { InUseState } from './in-use'
import { filesBelow } from './subagent-journals'

/** A session that is asked about: its journal, and the folder that its header names. */
export type AskedFile = { journal: string; cwd: string | null }

export type UseSigns = {
  env: Environment
  /** `dev:ino` of every file that a process has open, and their paths. */
  openIds: ReadonlySet<string>
  openPaths: readonly string[]
  /** Sessions that the breadcrumbs of running omps name, by path and by `dev:ino`. */
  tiedRoots: ReadonlySet<string>
  tiedIds: ReadonlySet<string>
  /** The answer for one session, from everything that can be known of it. */
  check(journal: string, cwd: string | null): InUseState
  /** The answer for a session that shows no sign of its own. */
  byFolder(cwd: string | null): InUseState
}

/** Files looked at between two pauses. */
const FILES_PER_BREATH = 64

/** One answer per file, in the order given. Throws only `cancelled`. */
export async function usedAmong(
  signs: UseSigns,
  files: readonly AskedFile[],
  work: WorkContext,
): Promise<InUseState[]> {
  const directories = new Map<string, Directory>()
  const folders = new Map<string | null, InUseState>()
  const openBelow = ancestorsOf(signs.openPaths)
  const states: InUseState[] = []
  for (const [at, { journal, cwd }] of files.entries()) {
    if (at % FILES_PER_BREATH === 0) await work.breathe()
    const name = path.dirname(journal)
    const directory = directories.get(name) ?? directoryOf(signs.env.fs, name)
    directories.set(name, directory)
    if (hasSign(signs, directory, openBelow, journal)) {
      states.push(signs.check(journal, cwd))
      continue
    }
    const folder = folders.get(cwd) ?? signs.byFolder(cwd)
    folders.set(cwd, folder)
    states.push(folder)
  }
  return states
}

type Directory = {
  /** Null: it cannot be listed, so that nothing is known of what lies in it. */
  entries: ReadonlyMap<string, DirectoryEntry['kind']> | null
  /** With links resolved, as open files are named. */
  real: string
  /** It is the artifact directory of a journal: another session decides for those in it. */
  ofSubagents: boolean
}

function directoryOf(fs: FileSystem, directory: string): Directory {
  const entries = attempt('read', directory, () => fs.readDirectory(directory))
  const real = attempt('look at', directory, () => fs.realPath(directory))
  const owner = statOf(fs, parentJournalOf(path.join(directory, 'any')))
  return {
    entries: entries.ok && real.ok ? new Map(entries.value.map(({ name, kind }) => [name, kind])) : null,
    real: real.ok ? real.value : directory,
    ofSubagents: owner?.kind === 'file',
  }
}

function hasSign(
  signs: UseSigns,
  directory: Directory,
  openBelow: ReadonlySet<string>,
  journal: string,
): boolean {
  const { entries, real, ofSubagents } = directory
  if (entries === null || ofSubagents) return true
  if (entries.has(path.basename(lockPathOf(journal))) || signs.tiedRoots.has(journal)) return true
  if (isTouched(signs, journal)) return true
  const artifacts = artifactDirectoryOf(journal)
  const kind = artifacts === null ? undefined : entries.get(path.basename(artifacts))
  // Where a link stands in its place, open files below it go by other names.
  if (artifacts === null || kind !== 'directory') return kind === 'symlink'
  if (openBelow.has(path.join(real, path.basename(artifacts)))) return true
  const below = filesBelow(signs.env.fs, artifacts)
  return below.locked || below.journals.some(file => isTouched(signs, file))
}

/** Written to a moment ago, open, or the session of a terminal. */
function isTouched({ env, openIds, tiedIds }: UseSigns, journal: string): boolean {
  const stat = statOf(env.fs, journal)
  if (stat === undefined) return false
  const id = `${stat.dev}:${stat.ino}`
  return openIds.has(id) || tiedIds.has(id) || Math.abs(env.now() - stat.mtimeMs) < limits.recentGrowthMs
}

/** Every directory that one of these paths lies below. */
function ancestorsOf(paths: readonly string[]): Set<string> {
  const found = new Set<string>()
  for (const file of paths) {
    for (let at = path.dirname(file); !found.has(at); at = path.dirname(at)) found.add(at)
  }
  return found
}

function statOf(fs: FileSystem, target: string): FileStat | undefined {
  const stat = attempt('look at', target, () => fs.stat(target))
  return stat.ok ? stat.value : undefined
}
