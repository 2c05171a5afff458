/**
 * What a process that was killed while it saved a draft left in the artifact directory: the draft's temporary file.
 *
 * Why it is safe
 *   Whoever saves a draft holds the lock of its journal for as long as its temporary file is there; so do we. A file that is
 *   there all the same is that of a process whose lock was taken over: a dead one, or one on another machine, whose pid means
 *   nothing here. Such a one is given far more time than its lock. Should it still live, its rename finds no file: its save
 *   fails, and the draft is what it was.
 *   Only the draft's own pattern is removed, in the folder of this one session, and only regular files. omp writes drafts in
 *   place and leaves none.
 */
import path from 'node:path'
import type { Environment } from '../environment'
import { attempt } from '../storage/errors'
import { DRAFT_FILE } from './artifact-directory'

/** Age in ms of a leftover. A lock is taken over after half a second (`limits.lockOrphanMs`). */
const LEFTOVER_MS = 60_000

const RANDOM_END = /^[0-9a-f]{16}\.tmp$/

/** To be called under the lock of the journal. Best effort: what cannot be removed harms nobody. */
export function removeDraftLeftovers(env: Environment, directory: string): void {
  const entries = attempt('read', directory, () => env.fs.readDirectory(directory))
  for (const { name, kind } of entries.ok ? entries.value : []) {
    if (kind !== 'file' || !isDraftTemporary(name)) continue
    const file = path.join(directory, name)
    attempt('remove', file, () => {
      if (env.now() - env.fs.lstat(file).mtimeMs >= LEFTOVER_MS) env.fs.unlink(file)
    })
  }
}

/** As `temporaryPathFor` names them. */
function isDraftTemporary(name: string): boolean {
  const start = `.${DRAFT_FILE}.`
  return name.startsWith(start) && RANDOM_END.test(name.slice(start.length))
}
