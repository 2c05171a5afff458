/**
 * STATE FILE: a small file that omp reads and overwrites itself, written whole (breadcrumbs, registry).
 *
 * Guarantees: readers find the old content or the new one; acknowledged means on the disk; a directory that is missing is
 * made, and taken away again after a failure; no temporary file is left. The last writer wins, as it does with omp.
 * Not guaranteed: a link in the place of the file is not written through (`conflict`), although omp would.
 * Failures: before the rename the old content stands; when the directory cannot be synced the new content stands and the
 * answer is `io`; writing again is always right.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../environment'
import { publishNewNow, replaceFileNow } from '../storage/atomic-replace'
import { ensureDirectory, lstatOrUndefined, removeMadeDirectories } from '../storage/directory-sync'
import { attempt } from '../storage/errors'

/** How often the file may come or go in the moment of writing. */
const ATTEMPTS = 3

/** Makes `file`, or puts a new one in its place. */
export function writeStateFile(env: Environment, file: string, content: string): Result<void> {
  const directory = path.dirname(file)
  const made = attempt('make', directory, () => ensureDirectory(env, directory))
  if (!made.ok) return made
  const written = write(env, file, [Buffer.from(content, 'utf8')])
  if (!written.ok) removeMadeDirectories(env.fs, made.value)
  return written
}

function write(env: Environment, file: string, chunks: readonly Uint8Array[]): Result<void> {
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    const there = attempt('look at', file, () => lstatOrUndefined(env.fs, file) !== undefined)
    if (!there.ok) return there
    const written = there.value
      ? replaceFileNow(env, file, chunks, { expected: null })
      : publishNewNow(env, file, chunks, {})
    if (written.ok) return ok(undefined)
    // It went, or came, since the look.
    const again = written.error.code === (there.value ? 'not-found' : 'conflict')
    if (!again) return written
  }
  return err('conflict', `${file} comes and goes as it is written; try again.`, file)
}
