/**
 * Runs jobs in the worker: one handler per job, progress and cancel for each. A job that throws answers an
 * error value; it cannot take the worker down.
 */

import type { Result } from '@shared/ipc/result'
import type { WorkContext } from '../engine/environment'
import { EngineError, failure } from '../engine/storage/errors'
import type { FromWorker, ToWorker } from './protocol'

/** A job as the runner sees it: its types are held by `jobs.ts`. */
export type AnyJob = (input: unknown, work: WorkContext) => Promise<Result<unknown>> | Result<unknown>

export type Post = (message: FromWorker) => void

/** Milliseconds between two progress messages of one job: more is not seen. */
const PROGRESS_MS = 80

export function createJobRunner(jobs: Readonly<Record<string, AnyJob>>, post: Post, now: () => number) {
  const cancelled = new Set<number>()
  const running = new Set<number>()

  async function run(id: number, name: string, input: unknown): Promise<void> {
    running.add(id)
    let result: Result<unknown>
    try {
      const job = jobs[name]
      if (job === undefined) throw new EngineError('internal', `There is no job ${name}.`)
      result = await job(input, contextOf(id))
    } catch (thrown) {
      result = failure(thrown, `run ${name}`)
    }
    running.delete(id)
    cancelled.delete(id)
    try {
      post({ kind: 'done', id, result })
    } catch (thrown) {
      // The answer cannot be handed over as it is; whoever waits is told instead.
      post({ kind: 'done', id, result: failure(thrown, `hand over the answer of ${name}`) })
    }
  }

  function contextOf(id: number): WorkContext {
    let last = 0
    return {
      async breathe() {
        // A macrotask: messages that came meanwhile, a cancel among them, are taken first.
        await new Promise<void>(resolve => setImmediate(resolve))
        if (cancelled.has(id)) throw new EngineError('cancelled', 'Cancelled.')
      },
      progress(done, total, text) {
        const time = now()
        if (time - last < PROGRESS_MS && done < total) return
        last = time
        post({ kind: 'progress', id, done, total, text })
      },
    }
  }

  return {
    take(message: ToWorker): void {
      if (message.kind === 'run') void run(message.id, message.job, message.input)
      else if (running.has(message.id)) cancelled.add(message.id)
    },
  }
}
