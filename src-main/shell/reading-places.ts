/** Where reading of each session was left, while the app runs; kept for the next start by the worker. */
import { limits } from '@shared/limits'
import type { Environment } from '../engine/environment'
import type { SessionPlace } from '../library/catalog/catalog'
import { groveData } from '../library/grove-data'
import { type LastRead, readLastRead } from '../library/reading/last-read'
import type { WorkerClient } from '../workers/worker-client'

/** Milliseconds after which what changed is written: reading goes on, and the disk need not see every row. */
const WRITE_MS = 3_000
/** Characters of an id that is taken for one; what programs write may be anything. */
const ID_CHARS = 200

export class ReadingPlaces {
  private readonly env: Environment
  private readonly worker: Pick<WorkerClient, 'run'>
  /** The one that was left last at the end. Read when it is first asked for. */
  private places: Map<string, LastRead> | null = null
  private timer: NodeJS.Timeout | null = null

  constructor(env: Environment, worker: Pick<WorkerClient, 'run'>) {
    this.env = env
    this.worker = worker
  }

  /** Null where reading begins at the newest end. */
  of(session: SessionPlace): LastRead | null {
    return this.known().get(keyOf(session)) ?? null
  }

  /** `place` null: it was left at its newest end. */
  leave(session: SessionPlace, place: LastRead | null): void {
    const places = this.known()
    const key = keyOf(session)
    if (place === null && !places.has(key)) return
    places.delete(key)
    if (place !== null) places.set(key, place)
    for (const oldest of places.keys()) {
      if (places.size <= limits.lastRead) break
      places.delete(oldest)
    }
    this.timer ??= setTimeout(() => void this.flush(), WRITE_MS)
  }

  /** Writes what is not written yet. A disk that takes no more costs the places of this run, and nothing else. */
  async flush(): Promise<void> {
    if (this.timer === null) return
    clearTimeout(this.timer)
    this.timer = null
    await this.worker.run('keepLastRead', { places: [...this.known()] })
  }

  private known(): Map<string, LastRead> {
    this.places ??= readLastRead(this.env, groveData(this.env))
    return this.places
  }
}

/** The session's own id, which it keeps wherever it is moved; its file where it has none. */
function keyOf({ file, summary }: SessionPlace): string {
  const id = summary?.id ?? null
  return id === null || id === '' || id.length > ID_CHARS ? file : id
}
