/**
 * What all jobs that change files share. One owner for the whole worker: recovery takes the operations of another
 * instance in the same process for those of a worker that died.
 */
import type { Environment } from '../engine/environment'
import { changeContext } from '../library/changes/change-context'
import type { ChangeContext } from '../library/changes/change-handlers'
import type { LibraryRoot } from '../library/roots'

export type WorkerChanges = {
  context: ChangeContext
  /** The roots whose terminals are asked who uses a session. */
  lookAt(roots: readonly LibraryRoot[]): void
}

export function workerChanges(env: Environment): WorkerChanges {
  let breadcrumbDirs: readonly string[] = []
  return {
    context: changeContext(env, () => breadcrumbDirs),
    lookAt: roots => {
      breadcrumbDirs = [...new Set(roots.map(({ layout }) => layout.breadcrumbsDir))]
    },
  }
}
