/** A task that is asked for often: it never runs twice at once, and what is asked for while it runs shares one more run. */

export class SharedRun {
  private readonly task: () => Promise<void>
  private readonly stopped: () => boolean
  private running: Promise<void> | null = null
  private again = false

  /** Once `stopped` says so, no further run follows the one that runs. */
  constructor(task: () => Promise<void>, stopped: () => boolean) {
    this.task = task
    this.stopped = stopped
  }

  /** Resolves when a run has ended that began after this was called, or the task is stopped. */
  run(): Promise<void> {
    if (this.running !== null) {
      this.again = true
      return this.running
    }
    this.running = this.runUntilDone().finally(() => {
      this.running = null
    })
    return this.running
  }

  private async runUntilDone(): Promise<void> {
    do {
      this.again = false
      await this.task()
    } while (this.again && !this.stopped())
  }
}
