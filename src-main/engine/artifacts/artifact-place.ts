/** The artifact directory of a journal as a place to write into. Rule: docs/format.md, Artifact directory. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../environment'
import { artifactDirectoryOf, isArchive } from '../layout/session-paths'
import { archivedRefusal } from '../storage/archived-session-storage'
import { ensureDirectory, removeMadeDirectories } from '../storage/directory-sync'
import { attempt } from '../storage/errors'

/**
 * Runs `work` in the artifact directory, which is made when missing, and taken away again when `work` fails.
 * `permission` for an archived session, `invalid-argument` for a journal that has none, `conflict` where a link stands in its place: it may lead anywhere.
 */
export async function inArtifactDirectory<T>(
  env: Environment,
  journal: string,
  work: (directory: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (isArchive(journal)) return archivedRefusal(journal)
  const directory = artifactDirectoryOf(journal)
  if (directory === null) {
    const message = `${journal} has no artifact directory: its name does not end in .jsonl.`
    return err('invalid-argument', message, journal)
  }
  const made = attempt('make', directory, () => ensureDirectory(env, directory))
  if (!made.ok) return made
  const real = refuseLink(env, directory)
  const done = real.ok ? await work(directory) : real
  if (!done.ok) removeMadeDirectories(env.fs, made.value)
  return done
}

function refuseLink(env: Environment, directory: string): Result<void> {
  const kind = attempt('look at', directory, () => env.fs.lstat(directory).kind)
  if (!kind.ok) return kind
  if (kind.value === 'directory') return ok(undefined)
  return err(
    'conflict',
    `${directory} is a link, and nothing is written through it; put a folder there.`,
    directory,
  )
}
