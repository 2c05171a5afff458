/** What lies in each root, and by which signs one sees that a session changed: no journal is opened for it. */
import path from 'node:path'
import { DRAFT_FILE } from '../../engine/artifacts/artifact-directory'
import type { Environment, WorkContext } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { errnoOf } from '../../engine/storage/errors'
import type { LibraryRoot } from '../roots'
import { listSessionFiles } from './session-files'

export type ListedFile = {
  file: string
  /** Index of its root in the list that was asked for. */
  root: number
  /** Changes when journal or artifact directory change; equal means that nothing need be read. */
  fingerprint: string
}

export type RootListing = {
  state: 'ok' | 'absent' | 'unreadable'
  note: string | null
  notes: string[]
  files: ListedFile[]
}

/** Files looked at between two pauses; what waits for the worker is not kept waiting by a large library. */
const FILES_PER_BREATH = 64

/** Lists every root, in the order given. Throws only `cancelled`. */
export async function listRoots(
  env: Environment,
  roots: readonly LibraryRoot[],
  work: WorkContext,
): Promise<RootListing[]> {
  const listings: RootListing[] = []
  for (const [number, root] of roots.entries()) listings.push(await listRoot(env, root, number, work))
  return listings
}

async function listRoot(
  env: Environment,
  root: LibraryRoot,
  number: number,
  work: WorkContext,
): Promise<RootListing> {
  const list = listSessionFiles(env, root)
  if (!list.ok) return { state: 'unreadable', note: list.error.message, notes: [], files: [] }
  const files: ListedFile[] = []
  for (const [at, { file }] of list.value.files.entries()) {
    if (at % FILES_PER_BREATH === 0) await work.breathe()
    files.push({ file, root: number, fingerprint: fingerprintOf(env, file) })
  }
  const { present, notes } = list.value
  const note = present ? null : `${root.layout.sessionsDir} does not exist yet.`
  return { state: present ? 'ok' : 'absent', note, notes, files }
}

/**
 * Signs of the journal, of the artifact directory and of the draft in it. The mode is one: a file that could not be
 * read may be readable now.
 */
function fingerprintOf(env: Environment, file: string): string {
  const directory = artifactDirectoryOf(file)
  const draft = directory === null ? '' : signOf(env, path.join(directory, DRAFT_FILE))
  return `${signOf(env, file)} ${directory === null ? '' : signOf(env, directory)} ${draft}`
}

function signOf(env: Environment, file: string): string {
  try {
    const stat = env.fs.stat(file)
    return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.mode}`
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === undefined) throw thrown
    return errno
  }
}
