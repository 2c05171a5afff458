/** The sessions that the window shows, looked at often: growth and removal are told as they happen. */
import type { WorkerClient } from '../workers/worker-client'

/** Milliseconds between two looks at a session that is on screen. */
const LOOK_MS = 700

export type SessionChange = 'grown' | 'rewritten' | 'gone'

export class OpenSessions {
  private readonly worker: WorkerClient
  private readonly changed: (ref: string, revision: number, how: SessionChange) => void
  private readonly open = new Map<string, { journal: string; gone: boolean }>()
  private timer: NodeJS.Timeout | null = null

  constructor(worker: WorkerClient, changed: (ref: string, revision: number, how: SessionChange) => void) {
    this.worker = worker
    this.changed = changed
  }

  add(ref: string, journal: string): void {
    this.open.set(ref, { journal, gone: false })
    this.timer ??= setTimeout(() => void this.look(), LOOK_MS)
  }

  remove(ref: string): void {
    this.open.delete(ref)
  }

  /** Those that the window shows now. */
  shown(): { ref: string; journal: string }[] {
    return [...this.open].map(([ref, { journal }]) => ({ ref, journal }))
  }

  stop(): void {
    this.open.clear()
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
  }

  private async look(): Promise<void> {
    for (const [ref, state] of [...this.open]) {
      const read = await this.worker.run('refreshSession', { journal: state.journal })
      if (!this.open.has(ref)) continue
      if (read.ok) {
        if (read.value.growth !== 'same') this.changed(ref, read.value.revision, read.value.growth)
        state.gone = false
      } else if (read.error.code === 'not-found' && !state.gone) {
        state.gone = true
        this.changed(ref, 0, 'gone')
      }
    }
    this.timer = this.open.size === 0 ? null : setTimeout(() => void this.look(), LOOK_MS)
  }
}
