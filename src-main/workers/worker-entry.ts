/** Entry of the worker thread that reads and changes sessions. */
import '../node-globals'
import { nodeEnvironment } from '../engine/node-environment'
import { createChangeJobs } from './change-jobs'
import { createDraftJobs } from './draft-jobs'
import { createEditJobs } from './edit-jobs'
import { createFolderJobs } from './folder-jobs'
import type { JobHandlers } from './jobs'
import { createMoveJobs } from './move-jobs'
import { createReadingJobs } from './reading-jobs'
import { serveJobs } from './serve-jobs'
import { createUseJobs } from './use-jobs'
import { workerChanges } from './worker-changes'

const env = nodeEnvironment()
const changes = workerChanges(env)
const jobs: JobHandlers = {
  ...createReadingJobs(env),
  ...createUseJobs(env),
  ...createFolderJobs(env),
  ...createChangeJobs(env, changes),
  ...createDraftJobs(env, changes),
  ...createEditJobs(changes),
  ...createMoveJobs(changes),
}
serveJobs(jobs, env.now)
