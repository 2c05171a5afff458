/**
 * The sessions that the window shows, looked at when something is told to have changed, and often where nothing is told:
 * growth, removal and other drafts are told as they happen.
 */
import type { SessionGrowth } from '../engine/session/session-document'
import type { WorkerClient } from '../workers/worker-client'

/** Milliseconds between two looks at a session that is on screen and lies where nothing tells of changes. */
const LOOK_MS = 700
/** The same where changes are told, and while nobody can see the window. */
const RARE_LOOK_MS = 15_000

export type SessionChange = 'grown' | 'rewritten' | 'gone'

/** Told of what changes in sessions that are shown. */
export type OpenSessionsListener = {
  changed(ref: string, revision: number, how: SessionChange): void
  draftChanged(ref: string, version: string | null): void
}

/** How a journal differed from when it was last read. */
type ReadAgain = { growth: SessionGrowth; revision: number }

/** Whether a change of this journal is told. */
export type IsTold = (journal: string) => boolean

/** `draft`: its version when it was last looked at; undefined before that. */
type OpenSession = { journal: string; gone: boolean; draft: string | null | undefined }

export class OpenSessions {
  private readonly worker: Pick<WorkerClient, 'run'>
  private readonly listener: OpenSessionsListener
  private readonly isTold: IsTold
  private readonly open = new Map<string, OpenSession>()
  private timer: NodeJS.Timeout | null = null
  /** Counts the stops: a look that began before one ends without a word, and without a next one. */
  private stops = 0
  private looking: Promise<void> | null = null
  private again = false

  constructor(worker: Pick<WorkerClient, 'run'>, listener: OpenSessionsListener, isTold: IsTold) {
    this.worker = worker
    this.listener = listener
    this.isTold = isTold
  }

  /**
   * `read`: how the journal differed from when it was last read. The read that saw a difference is the last to see it: for a
   * session that is shown already it is told here.
   */
  add(ref: string, journal: string, read: ReadAgain): void {
    const known = this.open.get(ref)
    if (known?.journal === journal) this.tellRead(ref, known, read)
    else {
      this.open.set(ref, { journal, gone: false, draft: known?.draft })
      if (known && read.growth !== 'same') this.listener.changed(ref, read.revision, read.growth)
    }
    if (this.looking === null) this.plan()
  }

  /** More is known of a session that is shown. */
  learnt(ref: string, read: { growth: SessionGrowth; revision: number }): void {
    if (this.open.has(ref) && read.growth !== 'same') this.listener.changed(ref, read.revision, read.growth)
  }

  remove(ref: string): void {
    this.open.delete(ref)
  }

  /** Those that the window shows now. */
  shown(): { ref: string; journal: string }[] {
    return [...this.open].map(([ref, { journal }]) => ({ ref, journal }))
  }

  stop(): void {
    this.stops++
    this.looking = null
    this.open.clear()
    this.plan()
  }

  /** Looks at all of them now; calls while one look runs share the next. */
  look(): Promise<void> {
    if (this.looking !== null) {
      this.again = true
      return this.looking
    }
    this.looking = this.lookUntilDone()
    return this.looking
  }

  private async lookUntilDone(): Promise<void> {
    const { stops } = this
    do {
      this.again = false
      await this.lookAtAll(stops)
      if (stops !== this.stops) return
    } while (this.again)
    this.looking = null
    this.plan()
  }

  private async lookAtAll(stops: number): Promise<void> {
    for (const [ref, state] of [...this.open]) {
      const read = await this.worker.run('refreshSession', { journal: state.journal })
      if (stops !== this.stops) return
      if (this.open.get(ref) !== state) continue
      if (read.ok) {
        this.tellRead(ref, state, read.value)
      } else if (read.error.code === 'not-found' && !state.gone) {
        state.gone = true
        this.listener.changed(ref, 0, 'gone')
      }
      await this.lookAtDraft(ref, state)
      if (stops !== this.stops) return
    }
  }

  private plan(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    if (this.open.size === 0) return
    // One whose draft was never looked at is looked at soon, wherever it lies.
    const often = [...this.open.values()].some(
      ({ journal, draft }) => draft === undefined || !this.isTold(journal),
    )
    this.timer = setTimeout(() => void this.look(), often ? LOOK_MS : RARE_LOOK_MS)
  }

  /** What was gone and can be read is told even when it is the very file that was there before. */
  private tellRead(ref: string, state: OpenSession, { growth, revision }: ReadAgain): void {
    const how = state.gone ? 'rewritten' : growth
    state.gone = false
    if (how !== 'same') this.listener.changed(ref, revision, how)
  }

  private async lookAtDraft(ref: string, state: OpenSession): Promise<void> {
    const version = await this.worker.run('draftVersion', { journal: state.journal })
    if (!version.ok || this.open.get(ref) !== state || version.value === state.draft) return
    // The first look as well: the window may have read it before, and compares.
    this.listener.draftChanged(ref, version.value)
    state.draft = version.value
  }
}
