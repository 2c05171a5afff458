/**
 * The folders that are watched, each with its own watch. What they tell within a short while is told on as one; folders that
 * are not there are looked for. Looks only.
 */
import { FolderWatch, type WatchState } from './folder-watch'
import type { WatchPorts, WatchReach } from './watch-ports'

export type WatchedFolder = { folder: string; reach: WatchReach }

export type FolderWatchesListener = {
  /** Something changed, or may have: look again. */
  changed(): void
  /** A folder is watched now, or is not any more. */
  stateChanged(): void
}

/** Milliseconds from the first of several changes until they are told as one. */
const GATHER_MS = 100
/** Milliseconds between two looks for a folder that is not there. */
export const ABSENT_MS = 1_000
/** Milliseconds between two looks whether what is watched still stands at its path: a parent that is moved tells nothing. */
const STANDING_MS = 10_000

export class FolderWatches {
  private readonly ports: WatchPorts
  private readonly now: () => number
  private readonly listener: FolderWatchesListener
  /** Whether looking is of use now: nobody looks while nobody can see it. */
  private readonly awake: () => boolean
  private readonly watches = new Map<string, FolderWatch>()
  private gathering: NodeJS.Timeout | null = null
  private timer: NodeJS.Timeout | null = null
  private stopped = false

  constructor(ports: WatchPorts, now: () => number, awake: () => boolean, listener: FolderWatchesListener) {
    this.ports = ports
    this.now = now
    this.awake = awake
    this.listener = listener
  }

  /** Watches these folders and no others. Resolves when each is watched, absent or given up. */
  async watch(folders: readonly WatchedFolder[]): Promise<void> {
    if (this.stopped) return
    const wanted = new Set(folders.map(({ folder, reach }) => keyOf(folder, reach)))
    const ended = [...this.watches].filter(([key]) => !wanted.has(key))
    for (const [key] of ended) this.watches.delete(key)
    const begun: FolderWatch[] = []
    for (const { folder, reach } of folders) {
      const key = keyOf(folder, reach)
      if (this.watches.has(key)) continue
      const watch = new FolderWatch(folder, reach, this.ports, this.now, {
        changed: () => this.gather(),
        stateChanged: () => {
          this.plan()
          this.listener.stateChanged()
        },
      })
      this.watches.set(key, watch)
      begun.push(watch)
    }
    await Promise.all([...ended.map(([, watch]) => watch.stop()), ...begun.map(watch => watch.look())])
    if (begun.length > 0) this.plan()
  }

  /** How it stands with a folder that is watched with all that lies below. */
  stateOf(folder: string): WatchState | undefined {
    return [...this.watches.values()].find(watch => watch.folder === folder && watch.reach.deep)?.state
  }

  /** Looks at once whether every folder stands where it did. */
  async look(): Promise<void> {
    await Promise.all([...this.watches.values()].map(watch => watch.look()))
    this.plan()
  }

  /** Ends all watches; nothing is told any more, and nothing keeps the process. */
  async stop(): Promise<void> {
    this.stopped = true
    for (const timer of [this.gathering, this.timer]) if (timer !== null) clearTimeout(timer)
    await Promise.all([...this.watches.values()].map(watch => watch.stop()))
  }

  private gather(): void {
    if (this.stopped) return
    this.gathering ??= setTimeout(() => {
      this.gathering = null
      this.listener.changed()
    }, GATHER_MS)
  }

  private plan(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    if (this.stopped || this.watches.size === 0) return
    const anyAbsent = [...this.watches.values()].some(
      ({ reach, state }) => reach.deep && state.kind === 'absent',
    )
    this.timer = setTimeout(
      () => {
        if (this.awake()) void this.look()
        else this.plan()
      },
      anyAbsent && this.awake() ? ABSENT_MS : STANDING_MS,
    )
  }
}

function keyOf(folder: string, reach: WatchReach): string {
  return JSON.stringify([folder, reach])
}
