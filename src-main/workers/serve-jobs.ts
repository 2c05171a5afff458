/** What every worker's entry does with its jobs: takes them from main and answers. */
import { parentPort } from 'node:worker_threads'
import { type AnyJob, createJobRunner } from './job-runner'
import type { AnyHandlers } from './jobs'
import type { ToWorker } from './protocol'

/** Runs the jobs that main sends. Only in a worker thread. */
export function serveJobs(jobs: AnyHandlers, now: () => number): void {
  const port = parentPort
  if (port === null) throw new Error('A worker entry runs in a worker thread only.')
  // The runner takes what main sends; the list of jobs types both ends of each.
  const runner = createJobRunner(
    jobs as unknown as Record<string, AnyJob>,
    message => port.postMessage(message),
    now,
  )
  port.on('message', (message: ToWorker) => runner.take(message))
}
