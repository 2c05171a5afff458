/** Entry of the worker thread: wires jobs to messages. */
import '../node-globals'
import { parentPort } from 'node:worker_threads'
import { nodeEnvironment } from '../engine/node-environment'
import { createCatalogJobs } from './catalog-jobs'
import { createChangeJobs } from './change-jobs'
import { createDraftJobs } from './draft-jobs'
import { createEditJobs } from './edit-jobs'
import { type AnyJob, createJobRunner } from './job-runner'
import type { JobHandlers } from './jobs'
import { createMoveJobs } from './move-jobs'
import type { ToWorker } from './protocol'
import { createReadingJobs } from './reading-jobs'
import { createUseJobs } from './use-jobs'
import { workerChanges } from './worker-changes'

const port = parentPort
if (port === null) throw new Error('The worker entry runs in a worker thread only.')

const env = nodeEnvironment()
const changes = workerChanges(env)
const jobs: JobHandlers = {
  ...createCatalogJobs(env),
  ...createReadingJobs(env),
  ...createUseJobs(env),
  ...createChangeJobs(env, changes),
  ...createDraftJobs(env, changes),
  ...createEditJobs(changes),
  ...createMoveJobs(changes),
}
// The runner takes what main sends; `JobHandlers` types both ends of each job.
const runner = createJobRunner(
  jobs as unknown as Record<string, AnyJob>,
  message => port.postMessage(message),
  env.now,
)
port.on('message', (message: ToWorker) => runner.take(message))
