/** What lies in each root, and by which signs one sees that a session changed: no journal is opened for it. */
import path from 'node:path'
import { DRAFT_FILE } from '../../engine/artifacts/artifact-directory'
import type { Environment } from '../../engine/environment'
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

export function listRoots(env: Environment, roots: readonly LibraryRoot[]): RootListing[] {
  return roots.map((root, number) => {
    const list = listSessionFiles(env, root)
    if (!list.ok) return { state: 'unreadable', note: list.error.message, notes: [], files: [] }
    return {
      state: list.value.present ? 'ok' : 'absent',
      note: list.value.present ? null : `${root.layout.sessionsDir} does not exist yet.`,
      notes: list.value.notes,
      files: list.value.files.map(({ file }) => ({
        file,
        root: number,
        fingerprint: fingerprintOf(env, file),
      })),
    }
  })
}

/** Identity, size and time of the journal, and the times of the artifact directory and the draft in it. */
function fingerprintOf(env: Environment, file: string): string {
  const directory = artifactDirectoryOf(file)
  const draft = directory === null ? '' : signOf(env, path.join(directory, DRAFT_FILE))
  return `${signOf(env, file)} ${directory === null ? '' : signOf(env, directory)} ${draft}`
}

function signOf(env: Environment, file: string): string {
  try {
    const stat = env.fs.stat(file)
    return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}`
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === undefined) throw thrown
    return errno
  }
}
