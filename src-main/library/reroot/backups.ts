/**
 * omp's backups of a journal move with it: left behind, omp would promote one to a session of the old place. Never over
 * something; between file systems copied and read back before the old one goes. Repeatable after a crash.
 */
import path from 'node:path'
import type { Environment, WorkContext } from '../../engine/environment'
import { isTemporaryName } from '../../engine/storage/atomic-replace'
import { copyFileVerified, hashFile } from '../../engine/storage/copy-verify'
import { attempt, EngineError, errnoOf } from '../../engine/storage/errors'
import type { Relocation } from './relocation'
import { exists } from './trees'

/** Moves the backups from beside `from` to beside `to`. Throws; calling again goes on. */
export async function moveBackups(
  env: Environment,
  move: Relocation,
  from: string,
  to: string,
  work: WorkContext,
): Promise<void> {
  for (const name of move.backups) {
    const source = path.join(path.dirname(from), name)
    if (exists(env.fs, source)) await moveBackup(env, source, path.join(path.dirname(to), name), work)
  }
}

async function moveBackup(
  env: Environment,
  source: string,
  target: string,
  work: WorkContext,
): Promise<void> {
  if (exists(env.fs, target)) {
    // Copied before, by a move that was interrupted before the old one went.
    if ((await hashOf(env, source, work)) !== (await hashOf(env, target, work))) throw taken(target)
    env.fs.unlink(source)
    return
  }
  try {
    env.fs.rename(source, target)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EXDEV') throw thrown
    const copied = await copyFileVerified(env, source, target, work)
    if (!copied.ok) throw new EngineError(copied.error.code, copied.error.message, copied.error.path)
    env.fs.unlink(source)
  }
}

async function hashOf(env: Environment, file: string, work: WorkContext): Promise<string> {
  const hash = await hashFile(env, file, work)
  if (!hash.ok) throw new EngineError(hash.error.code, hash.error.message, hash.error.path)
  return hash.value
}

function taken(target: string): EngineError {
  return new EngineError('conflict', `${target} is already there.`, target)
}

/** Renames to a name that nothing has. Throws `conflict`, and what the system throws. */
export function renameToFree(env: Environment, from: string, to: string): void {
  if (exists(env.fs, to)) throw taken(to)
  env.fs.rename(from, to)
}

/** A temporary file is this old before it is taken for one that a killed process left. */
const LEFTOVER_MS = 30_000

/** Takes away what a killed Grove left of a backup that it was copying. Best effort. */
export function sweepBackupLeftovers(env: Environment, move: Relocation): void {
  if (move.backups.length === 0) return
  for (const directory of new Set([path.dirname(move.from), path.dirname(move.to)])) {
    const entries = attempt('read', directory, () => env.fs.readDirectory(directory))
    for (const { name, kind } of entries.ok ? entries.value : []) {
      if (kind !== 'file' || !isTemporaryName(name)) continue
      if (!move.backups.some(backup => name.startsWith(`.${backup}.`))) continue
      const file = path.join(directory, name)
      attempt('remove', file, () => {
        if (env.now() - env.fs.lstat(file).mtimeMs >= LEFTOVER_MS) env.fs.unlink(file)
      })
    }
  }
}
