/**
 * Keeps a worker's copy of a list up to date: what changed is sent, in batches, since handing over ten thousand things at once
 * would keep main from everything else. Two that ask at once are served one after the other.
 */
import { ok, type Result } from '@shared/ipc/result'
import type { ListChange } from '../workers/kept-list'

const BATCH = 500

/** `S`: what main has, a new object whenever it changed. `T`: what the worker is told of it. */
export class ListFeed<S extends object, T> {
  private readonly keyOf: (source: S) => string
  private readonly make: (source: S) => T
  private readonly send: (change: ListChange<T>) => Promise<Result<null>>
  private readonly told = new Map<string, S>()
  private fresh = true
  /** How often everything was forgotten: what was sent before counts for nothing. */
  private epoch = 0
  private losses = 0
  private turn: Promise<unknown> = Promise.resolve()

  constructor(
    keyOf: (source: S) => string,
    make: (source: S) => T,
    send: (change: ListChange<T>) => Promise<Result<null>>,
  ) {
    this.keyOf = keyOf
    this.make = make
    this.send = send
  }

  /** The worker knows nothing any more: the next time all of it is sent. */
  forget(): void {
    this.told.clear()
    this.fresh = true
    this.epoch++
  }

  /**
   * Has the worker know this list. An error is the worker's; what it was not told is sent the next time. `losses`: of the worker's client,
   * as of now; one that was lost since the last time took with it what it knew.
   */
  bring(all: readonly S[], losses: number): Promise<Result<null>> {
    if (losses !== this.losses) this.forget()
    this.losses = losses
    const brought = this.turn.then(() => this.bringNow(all))
    this.turn = brought
    return brought
  }

  private async bringNow(all: readonly S[]): Promise<Result<null>> {
    const { epoch } = this
    const there = new Set<string>()
    const changed = all.filter(source => {
      const key = this.keyOf(source)
      there.add(key)
      return this.told.get(key) !== source
    })
    let gone = [...this.told.keys()].filter(key => !there.has(key))
    for (let at = 0; at < changed.length || gone.length > 0 || this.fresh; at += BATCH) {
      const batch = changed.slice(at, at + BATCH)
      const sent = await this.send({ fresh: this.fresh, put: batch.map(this.make), gone })
      if (!sent.ok) {
        this.forget()
        return sent
      }
      if (epoch !== this.epoch) return this.bringNow(all)
      this.fresh = false
      for (const key of gone) this.told.delete(key)
      for (const source of batch) this.told.set(this.keyOf(source), source)
      gone = []
    }
    return ok(null)
  }
}
