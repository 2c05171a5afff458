/** Jobs that look at the whole library: which files there are, and what each holds. */
import { ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../engine/environment'
import { attemptAsync } from '../engine/storage/errors'
import { listRoots, type RootListing } from '../library/catalog/list-roots'
import { readPins } from '../library/catalog/pins'
import { type SessionSummary, summarizeSession } from '../library/catalog/session-summary'
import { groveData } from '../library/grove-data'
import { notePresentProjects } from '../library/projects/project-memory'
import { type ProjectStateAnswer, projectState } from '../library/projects/project-state'
import type { LibraryRoot } from '../library/roots'

export function createCatalogJobs(env: Environment) {
  return {
    /** Files of every root, with what tells whether one changed. */
    listFiles: (input: { roots: LibraryRoot[] }, work: WorkContext): Promise<Result<RootListing[]>> =>
      attemptAsync('list the sessions', undefined, () => listRoots(env, input.roots, work)),

    /** Reads the given files whole, yielding between them. */
    summarize: async (input: { files: string[] }, work: WorkContext): Promise<Result<SessionSummary[]>> => {
      const summaries: SessionSummary[] = []
      for (const file of input.files) {
        await work.breathe()
        summaries.push(summarizeSession(env, file))
      }
      return ok(summaries)
    },

    pins: (input: { files: string[] }): Result<string[]> => ok([...readPins(env, input.files)]),

    /** Notes the identity of folders that are there, for the day they are moved. */
    noteProjects: (input: { cwds: string[] }, work: WorkContext): Promise<Result<number>> =>
      notePresentProjects(env, groveData(env), input.cwds, work),

    projectStates: (input: { cwds: string[] }): Result<(ProjectStateAnswer & { cwd: string })[]> =>
      ok(input.cwds.map(cwd => ({ cwd, ...projectState(env, cwd) }))),
  }
}
