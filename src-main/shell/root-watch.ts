/**
 * When the library is looked at again: soon after something is told to have changed, now and then in any case, and hardly at
 * all while nobody can see it. Says which roots are watched.
 */
import path from 'node:path'
import type { WatchingView } from '@shared/ipc/models/library-models'
import { limits } from '@shared/limits'
import { TRASH_DIRECTORY } from '../library/catalog/session-files'
import type { LibraryRoot } from '../library/roots'
import { ABSENT_MS, FolderWatches, type WatchedFolder } from '../library/watch/folder-watches'
import type { WatchPorts } from '../library/watch/watch-ports'

/** Milliseconds between two rescans however much changes. */
const REST_MS = 500
/** A rescan may take this part of the time while something changes all the time, but is not put off longer than this. */
const SHARE = 0.25
const LONGEST_REST_MS = 3_000
/** Milliseconds between two looks whether the window can be seen again; it is told as well. */
const UNSEEN_MS = 15_000
/** Folders of sessions kept elsewhere that are watched; more are left to polling. */
const MOST_ELSEWHERE = 32

export type RootWatchAround = {
  roots(): readonly LibraryRoot[]
  /** Journals of the library that may lie elsewhere than in a root. */
  journals(): Iterable<string>
  /** Whether somebody can see the window. */
  seen(): boolean
  rescan(): Promise<void>
  /** Looks at the sessions on screen. */
  lookAtShown(): void
  /** What `view` says is another thing now. */
  viewChanged(): void
}

export class RootWatch {
  private readonly folders: FolderWatches
  private readonly now: () => number
  private readonly around: RootWatchAround
  /** As of the last look: which there are is a question to the disk. */
  private roots: readonly LibraryRoot[] = []
  private timer: NodeJS.Timeout | null = null
  private dueAt = Number.POSITIVE_INFINITY
  private running = false
  /** Something changed since the last rescan began. */
  private owed = false
  private restUntil = 0
  private stopped = false

  constructor(ports: WatchPorts, now: () => number, around: RootWatchAround) {
    this.now = now
    this.around = around
    this.folders = new FolderWatches(ports, now, around.seen, {
      changed: () => this.hint(),
      stateChanged: () => around.viewChanged(),
    })
  }

  /** Watches from now on; the library has been read for the first time. */
  start(): void {
    void this.folders.watch(this.wanted())
    this.plan(this.pollMs())
  }

  /** The window can be seen again: what was put off is done now. */
  seenAgain(): void {
    if (this.stopped) return
    void this.folders.look()
    this.around.lookAtShown()
    if (this.owed) this.planRescan()
  }

  stop(): Promise<void> {
    this.stopped = true
    if (this.timer !== null) clearTimeout(this.timer)
    return this.folders.stop()
  }

  /** Whether a change of this file is told. */
  covers(file: string): boolean {
    return this.roots.some(
      ({ layout: { sessionsDir } }) =>
        isBelow(sessionsDir, file) && this.folders.stateOf(sessionsDir)?.kind === 'watching',
    )
  }

  /** How it stands, in numbers and sentences. */
  view(): WatchingView {
    const states = this.roots.map(({ layout: { sessionsDir } }) => ({
      sessionsDir,
      state: this.folders.stateOf(sessionsDir) ?? { kind: 'starting' as const },
    }))
    const every = `${ABSENT_MS / 1000} s`
    return {
      roots: states.filter(({ state }) => (state.kind === 'absent' ? state.gone : state.kind !== 'starting'))
        .length,
      watched: states.filter(({ state }) => state.kind === 'watching').length,
      failed: states.filter(({ state }) => state.kind === 'failed').length,
      pollMs: this.pollMs(),
      notes: states.flatMap(({ sessionsDir, state }) => {
        if (state.kind === 'failed') return [state.reason]
        if (state.kind !== 'absent') return []
        const what = state.gone ? 'is gone' : 'does not exist yet'
        return [`${sessionsDir} ${what}; Grove looks for it every ${every}.`]
      }),
    }
  }

  private hint(): void {
    this.owed = true
    if (this.stopped || !this.around.seen()) return
    this.around.lookAtShown()
    this.planRescan()
  }

  private planRescan(): void {
    if (!this.running) this.plan(Math.max(0, this.restUntil - this.now()))
  }

  /** The next look is in `ms`, unless it is due before. */
  private plan(ms: number): void {
    if (this.stopped || this.now() + ms >= this.dueAt) return
    if (this.timer !== null) clearTimeout(this.timer)
    this.dueAt = this.now() + ms
    this.timer = setTimeout(() => {
      this.dueAt = Number.POSITIVE_INFINITY
      void this.run()
    }, ms)
  }

  private async run(): Promise<void> {
    if (!this.around.seen()) {
      this.owed = true
      this.plan(UNSEEN_MS)
      return
    }
    this.running = true
    this.owed = false
    const began = this.now()
    await this.around.rescan()
    this.running = false
    if (this.stopped) return
    const took = this.now() - began
    this.restUntil = this.now() + Math.min(Math.max(REST_MS, took / SHARE), LONGEST_REST_MS)
    void this.folders.watch(this.wanted())
    if (this.owed) this.planRescan()
    this.plan(this.pollMs())
  }

  private pollMs(): number {
    const untold = this.roots.some(({ layout }) => {
      const state = this.folders.stateOf(layout.sessionsDir)
      return state === undefined || state.kind === 'failed' || state.kind === 'starting'
    })
    return untold ? limits.pollMs : limits.watchedPollMs
  }

  /** The roots with all that lies below, and what else a root says: its stars, and the sessions that are kept elsewhere. */
  private wanted(): WatchedFolder[] {
    const roots = this.around.roots()
    this.roots = roots
    const wanted = new Map<string, WatchedFolder>()
    const namesIn = new Map<string, string[]>()
    for (const { kind, layout } of roots) {
      const except = [path.join(layout.sessionsDir, TRASH_DIRECTORY)]
      wanted.set(layout.sessionsDir, { folder: layout.sessionsDir, reach: { deep: true, except } })
      namesIn.set(path.dirname(layout.pinsFile), [path.basename(layout.pinsFile)])
      if (kind === 'omp' || kind === 'profile')
        wanted.set(layout.customFilesDir, {
          folder: layout.customFilesDir,
          reach: { deep: false, names: null },
        })
    }
    for (const file of this.around.journals()) {
      if (roots.some(({ layout }) => isBelow(layout.sessionsDir, file))) continue
      const folder = path.dirname(file)
      const names = namesIn.get(folder)
      if (names !== undefined) names.push(path.basename(file))
      else if (namesIn.size < roots.length + MOST_ELSEWHERE) namesIn.set(folder, [path.basename(file)])
    }
    for (const [folder, names] of namesIn)
      if (!wanted.has(folder)) wanted.set(folder, { folder, reach: { deep: false, names: names.sort() } })
    return [...wanted.values()]
  }
}

function isBelow(folder: string, file: string): boolean {
  return file.startsWith(folder + path.sep)
}
