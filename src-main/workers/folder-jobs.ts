/** Whether project folders are there. Asked of both workers: for all projects by the scan, for one when it is opened. */
import { ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../engine/environment'
import { type ProjectStateAnswer, projectState } from '../library/projects/project-state'

export function createFolderJobs(env: Environment) {
  return {
    projectStates: (input: { cwds: string[] }): Result<(ProjectStateAnswer & { cwd: string })[]> =>
      ok(input.cwds.map(cwd => ({ cwd, ...projectState(env, cwd) }))),
  }
}
