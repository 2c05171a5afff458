/**
 * Jobs that look at the whole library: which sessions there are, what each holds, and what lies around them. They have a worker
 * of their own, so that opening a session never waits behind them.
 */
import { ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../engine/environment'
import { attempt, attemptAsync } from '../engine/storage/errors'
import { LibraryScan, type LookAnswer, type RowsAnswer } from '../library/catalog/library-scan'
import { readPins } from '../library/catalog/pins'
import { groveData } from '../library/grove-data'
import { notePresentProjects } from '../library/projects/project-memory'
import type { LibraryRoot } from '../library/roots'
import { createFolderJobs } from './folder-jobs'

export type ScanHandlers = ReturnType<typeof createScanJobs>

export function createScanJobs(env: Environment) {
  const scan = new LibraryScan(env)
  return {
    ...createFolderJobs(env),

    /** Lets `rows` tell what was known when Grove ran last. Answers the name of the scan. */
    recall: (input: { roots: LibraryRoot[] }): Result<string> =>
      attempt('read the catalog cache', undefined, () => scan.recall(input.roots)),

    /** Lists all roots. `scan`: the one that told what is known, null for none. */
    look: (
      input: { roots: LibraryRoot[]; scan: string | null },
      work: WorkContext,
    ): Promise<Result<LookAnswer>> =>
      attemptAsync('list the sessions', undefined, () => scan.look(input.roots, input.scan, work)),

    /** The next rows of what is new or changed; `counting`: with the true counts of those that have none yet. */
    rows: (input: { scan: string; counting: boolean }, work: WorkContext): Promise<Result<RowsAnswer>> =>
      scan.rows(input.scan, input.counting, work),

    /** Notes what was read since, for the next start. */
    save: (_input: null): Result<null> => {
      scan.save()
      return ok(null)
    },

    pins: (input: { files: string[] }): Result<string[]> => ok([...readPins(env, input.files)]),

    /** Notes the identity of folders that are there, for the day they are moved. */
    noteProjects: (input: { cwds: string[] }, work: WorkContext): Promise<Result<number>> =>
      notePresentProjects(env, groveData(env), input.cwds, work),
  }
}
