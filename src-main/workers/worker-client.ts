/**
 * The worker as main sees it: typed jobs, progress, cancel. A worker that dies is started again; what it was
 * working on answers an error, nothing waits for ever.
 */
import { Worker } from 'node:worker_threads'
import { err, type Result } from '@shared/ipc/result'
import type { AnyHandlers, JobHandlers, JobInput, JobName, JobOutput } from './jobs'
import type { FromWorker } from './protocol'

export type JobOptions = {
  signal?: AbortSignal | undefined
  onProgress?: ((done: number, total: number, text: string) => void) | undefined
}

type Waiting = {
  settle(result: Result<unknown>): void
  onProgress: JobOptions['onProgress']
}

/** `H`: the list of jobs that the worker of `script` has; that of the worker for reading and changes unless said. */
export class WorkerClient<H extends AnyHandlers = JobHandlers> {
  /** Workers that ended by themselves until now: the next one knows nothing of what they were told. */
  losses = 0
  private readonly script: string
  private readonly died: () => void
  private worker: Worker | null = null
  private nextId = 1
  private readonly waiting = new Map<number, Waiting>()
  private closed = false
  private onIdle: (() => void) | null = null

  /** `died` is called when a worker ended by itself: what it was changing may be half done. */
  constructor(script: string, died: () => void = () => undefined) {
    this.script = script
    this.died = died
  }

  /** Runs a job; resolves always. */
  run<N extends JobName<H>>(
    job: N,
    input: JobInput<H, N>,
    options: JobOptions = {},
  ): Promise<Result<JobOutput<H, N>>> {
    if (this.closed) return Promise.resolve(err('cancelled', 'Grove is closing.'))
    const id = this.nextId++
    const worker = this.started()
    return new Promise(resolve => {
      const cancel = () => worker.postMessage({ kind: 'cancel', id })
      this.waiting.set(id, {
        settle: result => {
          options.signal?.removeEventListener('abort', cancel)
          // The worker answers a job with that job's output: `jobs.ts` types both ends.
          resolve(result as Result<JobOutput<H, N>>)
        },
        onProgress: options.onProgress,
      })
      if (options.signal?.aborted) {
        this.settle(id, err('cancelled', 'Cancelled.'))
        return
      }
      options.signal?.addEventListener('abort', cancel)
      try {
        worker.postMessage({ kind: 'run', id, job, input })
      } catch (thrown) {
        // An input that cannot be handed over: a fault of ours, told like any other.
        const reason = thrown instanceof Error ? thrown.message : String(thrown)
        this.settle(id, err('internal', `Cannot start ${job}: ${reason}`))
      }
    })
  }

  /**
   * Cancels what runs, waits until it has come to a stop between two of its steps, at most `graceMs`, and ends the
   * worker. What a change left unfinished then is recovered at the next start.
   */
  async close(graceMs: number): Promise<void> {
    this.closed = true
    for (const id of this.waiting.keys()) this.worker?.postMessage({ kind: 'cancel', id })
    await this.idle(graceMs)
    await this.worker?.terminate()
    this.failAll('Grove is closing.')
  }

  /** Resolves once no job is waited for, or after `graceMs`. */
  private idle(graceMs: number): Promise<void> {
    if (this.waiting.size === 0) return Promise.resolve()
    return new Promise(resolve => {
      const timer = setTimeout(resolve, graceMs)
      this.onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  private started(): Worker {
    if (this.worker !== null) return this.worker
    const worker = new Worker(this.script)
    worker.on('message', (message: FromWorker) => this.take(message))
    worker.on('error', error => this.lost(worker, `The background worker failed: ${error.message}`))
    worker.on('exit', () =>
      this.lost(worker, 'The background worker ended unexpectedly; it is started again.'),
    )
    worker.unref()
    this.worker = worker
    return worker
  }

  private take(message: FromWorker): void {
    if (message.kind === 'done') this.settle(message.id, message.result)
    else this.waiting.get(message.id)?.onProgress?.(message.done, message.total, message.text)
  }

  private settle(id: number, result: Result<unknown>): void {
    const waiting = this.waiting.get(id)
    this.waiting.delete(id)
    waiting?.settle(result)
    if (this.waiting.size === 0) this.onIdle?.()
  }

  private lost(worker: Worker, message: string): void {
    if (this.worker !== worker) return
    this.worker = null
    this.losses++
    this.failAll(message)
    if (!this.closed) this.died()
  }

  private failAll(message: string): void {
    for (const id of [...this.waiting.keys()])
      this.settle(id, err(this.closed ? 'cancelled' : 'internal', message))
  }
}
