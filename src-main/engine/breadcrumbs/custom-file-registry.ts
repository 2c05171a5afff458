/**
 * REGISTRY: notes of session files that lie where omp would not look for them (docs/format.md, Registry). omp's gc takes the
 * pictures of a session that it finds neither in its root nor here for garbage.
 *
 * Guarantees
 *   Acknowledged means: one file in the registry holds exactly the absolute path of the session, and is on the disk.
 *   Idempotent: a session that is noted already costs two looks.
 *   The note of another session is never overwritten, not even where both paths have one short hash.
 *
 * Not guaranteed
 *   omp overwrites a note whose short hash is the same; registering the session again notes it anew.
 *   A note is never removed; one of a session that is gone names nothing.
 *
 * Failures: as state-file.ts.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment } from '../environment'
import type { AgentLayout } from '../layout/agent-directories'
import { isPathInside } from '../layout/path-inside'
import { JOURNAL_SUFFIX } from '../layout/session-paths'
import { attempt } from '../storage/errors'
import type { FileSystem } from '../storage/file-system'
import { readWholeText } from '../storage/read-whole'
import { writeStateFile } from './state-file'
import { wyhash } from './wyhash'

/** Hex digits of a note's name. */
const SHORT = 7

/**
 * Notes a session file, unless omp finds it by itself: below `sessionsDir` and ending in `.jsonl`.
 *
 * @param file absolute path; it need not exist yet
 * @returns path of the note, or null when none is needed
 */
export function registerCustomFile(
  env: Environment,
  layout: AgentLayout,
  file: string,
): Result<string | null> {
  if (!path.isAbsolute(file)) return err('invalid-argument', `${file} is not an absolute path.`, file)
  const session = path.resolve(file)
  const isFound =
    session.endsWith(JOURNAL_SUFFIX) &&
    isPathInside(realPathOf(env.fs, layout.sessionsDir), realPathOf(env.fs, session))
  if (isFound) return ok(null)
  const hash = wyhash(Buffer.from(session, 'utf8')).toString(16).padStart(16, '0')
  // Readers take every file of the registry, whatever it is called: the whole hash is as good a name.
  for (const name of [hash.slice(-SHORT), hash]) {
    const note = path.join(layout.customFilesDir, name)
    const noted = readNote(env.fs, note)
    if (!noted.ok) return noted
    if (noted.value === session) return ok(note)
    // A torn note names nothing, and is nobody's.
    if (noted.value !== null && path.isAbsolute(noted.value)) continue
    const written = writeStateFile(env, note, session)
    return written.ok ? ok(note) : written
  }
  return err(
    'conflict',
    `${session} cannot be noted: both its names in ${layout.customFilesDir} are taken.`,
    session,
  )
}

/** The path in a note, or null when there is no note. */
function readNote(fs: FileSystem, note: string): Result<string | null> {
  const read = attempt('read the registry', note, () => readWholeText(fs, note, limits.namesBytes).trim())
  return !read.ok && read.error.code === 'not-found' ? ok(null) : read
}

/** The path with links resolved as far as it exists. */
function realPathOf(fs: FileSystem, target: string): string {
  const missing: string[] = []
  for (let at = target; ; ) {
    const real = attempt('look at', at, () => fs.realPath(at))
    if (real.ok) return path.join(real.value, ...missing)
    const parent = path.dirname(at)
    if (parent === at) return target
    missing.unshift(path.basename(at))
    at = parent
  }
}
