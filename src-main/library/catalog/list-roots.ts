/** What lies in each root, and by which signs one sees that a session changed: no journal is opened for it. */
import path from 'node:path'
import { DRAFT_FILE } from '../../engine/artifacts/artifact-directory'
import type { Environment, WorkContext } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { errnoOf } from '../../engine/storage/errors'
import type { FileStat } from '../../engine/storage/file-system'
import { countStrayDrafts } from '../drafts/draft-stat'
import type { LibraryRoot } from '../roots'
import { listSessionFiles, type SessionFile } from './session-files'

export type ListedFile = {
  file: string
  /** Index of its root in the list that was asked for. */
  root: number
  /** Changes when journal, artifact directory or draft change; equal means that nothing need be read. */
  fingerprint: string
  /** When the journal was written last, in Unix ms, and its bytes; 0 where it cannot be looked at. */
  modified: number
  bytes: number
  /** Something lies where its artifact directory would be. */
  hasArtifacts: boolean
  /** A draft that holds something lies in it. */
  hasDraft: boolean
  /** Where the file is a link, or may be one, its real path must be asked for. */
  isLink: boolean
}

export type RootListing = {
  state: 'ok' | 'absent' | 'unreadable'
  note: string | null
  notes: string[]
  files: ListedFile[]
  /** False when files may be missing because a directory could not be read. */
  complete: boolean
  /** Drafts whose session is gone. */
  strayDrafts: number
}

/** What an earlier listing found, so that this one need not look for it again. */
export type ListedBefore = {
  /** The fingerprint that a file had; undefined: it was not there. */
  fingerprint(file: string): string | undefined
  /** Artifact directories that changed so lately that a later change may leave no sign; brought up to date. */
  unsettled: Set<string>
}

/** Files looked at between two pauses; what waits for the worker is not kept waiting by a large library. */
const FILES_PER_BREATH = 64
/** Milliseconds after which a change leaves another time on any file system. */
const SETTLED_MS = 2_000
/** In a fingerprint: there is none. */
const NONE = '-'

/** Lists every root, in the order given. Throws only `cancelled`. */
export async function listRoots(
  env: Environment,
  roots: readonly LibraryRoot[],
  work: WorkContext,
  before: ListedBefore = { fingerprint: () => undefined, unsettled: new Set() },
): Promise<RootListing[]> {
  const listings: RootListing[] = []
  for (const [number, root] of roots.entries()) listings.push(await listRoot(env, root, number, work, before))
  return listings
}

async function listRoot(
  env: Environment,
  root: LibraryRoot,
  number: number,
  work: WorkContext,
  before: ListedBefore,
): Promise<RootListing> {
  const list = listSessionFiles(env, root)
  if (!list.ok) {
    const nothing = { notes: [], files: [], complete: false, strayDrafts: 0 }
    return { state: 'unreadable', note: list.error.message, ...nothing }
  }
  const files: ListedFile[] = []
  for (const [at, file] of list.value.files.entries()) {
    if (at % FILES_PER_BREATH === 0) await work.breathe()
    files.push(look(env, file, number, before))
  }
  const { present, notes, complete, strays } = list.value
  const note = present ? null : `${root.layout.sessionsDir} does not exist yet.`
  const strayDrafts = countStrayDrafts(env, strays)
  return { state: present ? 'ok' : 'absent', note, notes, files, complete, strayDrafts }
}

/** As `listRoots` finds one file. */
function look(env: Environment, found: SessionFile, root: number, before: ListedBefore): ListedFile {
  const { file, isLink } = found
  const stat = statOf(env, file)
  const directory = found.hasArtifacts === false ? null : artifactDirectoryOf(file)
  const around = directory === null ? NONE : signsAround(env, directory, before, before.fingerprint(file))
  const draft = around.slice(around.indexOf(' ') + 1)
  const isKnown = typeof stat !== 'string'
  return {
    file,
    root,
    fingerprint: `${signOf(stat)} ${around}`,
    modified: isKnown ? stat.mtimeMs : 0,
    bytes: isKnown && stat.kind === 'file' ? stat.size : 0,
    hasArtifacts: around !== NONE,
    // An empty one is none; device, inode and size begin the signs of one that can be looked at.
    hasDraft: /^\d+:\d+:[1-9]/.test(draft) && around !== draft,
    isLink,
  }
}

/**
 * Signs of the artifact directory and of the draft in it. A draft that was not there is looked for again only when the
 * directory changed: making one changes it.
 */
function signsAround(
  env: Environment,
  directory: string,
  { unsettled }: ListedBefore,
  earlier: string | undefined,
): string {
  const stat = statOf(env, directory)
  if (stat === 'ENOENT') return NONE
  const sign = signOf(stat)
  const was = unsettled.has(directory) ? undefined : earlier?.slice(earlier.indexOf(' ') + 1)
  if (typeof stat !== 'string' && env.now() - stat.mtimeMs < SETTLED_MS) unsettled.add(directory)
  else unsettled.delete(directory)
  if (was === `${sign} ${NONE}`) return was
  const draft = statOf(env, path.join(directory, DRAFT_FILE))
  return `${sign} ${draft === 'ENOENT' ? NONE : signOf(draft)}`
}

/** The mode is a sign: a file that could not be read may be readable now. */
function signOf(stat: FileStat | string): string {
  if (typeof stat === 'string') return stat
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.mode}`
}

/** The facts of a file, or the system's reason why there are none. */
function statOf(env: Environment, file: string): FileStat | string {
  try {
    return env.fs.stat(file)
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === undefined) throw thrown
    return errno
  }
}
