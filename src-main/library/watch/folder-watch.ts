/**
 * The watch of one folder, for as long as Grove runs: had when the folder comes, had anew when another one stands there or
 * what told of changes ended, given up with a reason when the system refuses it.
 */
import { SharedRun } from './shared-run'
import type { FolderIdentity, Subscription, Told, WatchPorts, WatchReach } from './watch-ports'

export type WatchState =
  /** Nothing is known yet. */
  | { kind: 'starting' }
  | { kind: 'watching' }
  /** There is no folder; `gone`: there was one. */
  | { kind: 'absent'; gone: boolean }
  | { kind: 'failed'; reason: string }

/** Milliseconds after which a folder that could not be watched is tried again; trying may read the whole tree. */
const RETRY_MS = 300_000
/** Milliseconds between two renewals because of folders out of reach. */
const RENEW_MS = 5_000
/** New paths of one report that are looked into; more are taken for a tree that was moved here. */
const MOST_LOOKED_INTO = 64

export type FolderWatchListener = {
  /** Something in the folder changed, or may have while it was not watched. */
  changed(): void
  stateChanged(): void
}

type Current = { key: string; real: string; subscription: Subscription | null; lost: boolean }

export class FolderWatch {
  state: WatchState = { kind: 'starting' }
  readonly folder: string
  readonly reach: WatchReach
  private readonly ports: WatchPorts
  private readonly now: () => number
  private readonly listener: FolderWatchListener
  private current: Current | null = null
  private failed: { key: string; at: number } | null = null
  private renewedAt = Number.NEGATIVE_INFINITY
  private renewal: NodeJS.Timeout | null = null
  private readonly looks = new SharedRun(
    () => this.lookOnce(),
    () => this.stopped,
  )
  private stopped = false

  constructor(
    folder: string,
    reach: WatchReach,
    ports: WatchPorts,
    now: () => number,
    listener: FolderWatchListener,
  ) {
    this.folder = folder
    this.reach = reach
    this.ports = ports
    this.now = now
    this.listener = listener
  }

  /** Looks whether the watched folder still stands there, and watches the one that does. Calls meanwhile share the next. */
  look(): Promise<void> {
    return this.looks.run()
  }

  /** Ends the watch; nothing is told any more. */
  async stop(): Promise<void> {
    this.stopped = true
    if (this.renewal !== null) clearTimeout(this.renewal)
    // A look that a hanging drive keeps is not waited for; a subscription that it still gets, it ends.
    await this.drop()
  }

  private async lookOnce(): Promise<void> {
    if (this.stopped) return
    const found = await this.ports.identify(this.folder)
    if (this.stopped) return
    if (!found.ok) {
      const had = this.current !== null
      await this.drop()
      this.become({ kind: 'failed', reason: found.error.message })
      if (had) this.listener.changed()
      return
    }
    const identity = found.value
    if (identity === null) {
      const had = this.current !== null
      await this.drop()
      this.failed = null
      const gone = had || (this.state.kind === 'absent' && this.state.gone)
      this.become({ kind: 'absent', gone })
      if (had) this.listener.changed()
      return
    }
    if (this.current?.key === identity.key && !this.current.lost) return
    const { failed } = this
    if (failed?.key === identity.key && this.now() < failed.at + RETRY_MS) return
    await this.drop()
    await this.subscribe(identity)
  }

  private async subscribe({ real, key }: FolderIdentity): Promise<void> {
    const current: Current = { real, key, subscription: null, lost: false }
    this.current = current
    try {
      const subscription = await this.ports.subscribe(real, this.reach, told => this.take(current, told))
      if (this.stopped) {
        await subscription.end().catch(() => undefined)
        return
      }
      current.subscription = subscription
      this.failed = null
      this.become({ kind: 'watching' })
    } catch (thrown) {
      this.current = null
      this.failed = { key, at: this.now() }
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      this.become({ kind: 'failed', reason: `${this.folder} cannot be watched: ${reasonIn(reason)}.` })
    }
    // What changed since the folder was listed last was told by nobody.
    if (!this.stopped) this.listener.changed()
  }

  private take(current: Current, told: Told): void {
    if (this.stopped || this.current !== current) return
    if (told.kind === 'ended') {
      current.lost = true
      void this.look()
      return
    }
    this.listener.changed()
    if (told.deleted.includes(current.real)) {
      // Even when the same folder is back by now: what told of it does not any more.
      current.lost = true
      void this.look()
    } else if (told.created.length > 0 && this.reach.deep) void this.reachOut(current, told.created)
  }

  /** Folders that came with folders in them are not reached: all is watched anew, soon and not too often. */
  private async reachOut(current: Current, created: readonly string[]): Promise<void> {
    if (this.renewal !== null) return
    let outOfReach = created.length > MOST_LOOKED_INTO
    for (const path of outOfReach ? [] : created) outOfReach ||= await this.ports.isOutOfReach(path)
    if (!outOfReach || this.stopped || this.current !== current || this.renewal !== null) return
    this.renewal = setTimeout(
      () => {
        this.renewal = null
        this.renewedAt = this.now()
        if (this.current === current) current.lost = true
        void this.look()
      },
      Math.max(0, this.renewedAt + RENEW_MS - this.now()),
    )
  }

  private async drop(): Promise<void> {
    const { current } = this
    this.current = null
    // One that ended by itself, or whose folder is gone, may have nothing left to end.
    await current?.subscription?.end().catch(() => undefined)
  }

  private become(state: WatchState): void {
    if (JSON.stringify(state) === JSON.stringify(this.state)) return
    this.state = state
    if (!this.stopped) this.listener.stateChanged()
  }
}

/** A reason that says what can be done about it, where that is known. */
function reasonIn(message: string): string {
  if (/no space left|ENOSPC/i.test(message))
    return 'the system watches as many folders as it may (raise fs.inotify.max_user_watches)'
  if (/too many open files|EMFILE/i.test(message))
    return 'programs of this account watch as much as they may (raise fs.inotify.max_user_instances)'
  return message.replace(/\.$/, '')
}
