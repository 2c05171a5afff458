/**
 * Who has the sessions, looked at again and again in the worker: the catalog takes what was found, the window is told which
 * rows changed, and of each session that it shows. Looks only.
 *
 * Guarantee: of each session the look that began last counts, in whatever order looks end.
 */
import type { SessionUse } from '@shared/ipc/models/session-models'
import { ok, type Result } from '@shared/ipc/result'
import type { AskedFile } from '../engine/in-use/used-among'
import { isArchive } from '../engine/layout/session-paths'
import type { Catalog, SessionPlace } from '../library/catalog/catalog'
import type { SessionSummary } from '../library/catalog/session-summary'
import type { LibraryRoot } from '../library/roots'
import type { WorkerClient } from '../workers/worker-client'
import type { EventSender } from './event-sender'
import { ListFeed } from './list-feed'
import type { OpenSessions } from './open-sessions'

/** Milliseconds between two looks while the window can be seen, and while nobody sees it. */
const SEEN_MS = 2_000
const UNSEEN_MS = 15_000
/** A look may take this part of the time: where looking is slow, it is done less often. */
const SHARE = 0.1

type UseWorker = Pick<WorkerClient, 'run' | 'losses'>

/** What is asked of the events, so that tests need no window. */
type UseEvents = Pick<EventSender, 'send' | 'libraryChanged'>

export class UseWatch {
  private readonly worker: UseWorker
  private readonly catalog: Catalog
  private readonly open: Pick<OpenSessions, 'shown'>
  private readonly events: UseEvents
  private readonly roots: () => readonly LibraryRoot[]
  /** Whether somebody can see the window. */
  private readonly seen: () => boolean
  private readonly now: () => number
  /** What the worker knows of the listed sessions. */
  private readonly asked: ListFeed<SessionSummary, AskedFile>
  private timer: NodeJS.Timeout | null = null
  private looking: Promise<void> | null = null
  private again = false
  private stopped = false
  /** What the window was told last of each session that it shows. */
  private readonly told = new Map<string, string>()
  /** Looks that were begun, and of each journal the number of the one that was taken. */
  private looks = 0
  private readonly takenOf = new Map<string, number>()
  /** As of the look with that number: what is true of sessions that nobody was found to have. */
  private others: { number: number; use: SessionUse } | null = null

  constructor(
    worker: UseWorker,
    catalog: Catalog,
    open: Pick<OpenSessions, 'shown'>,
    events: UseEvents,
    around: { roots(): readonly LibraryRoot[]; seen(): boolean; now(): number },
  ) {
    this.worker = worker
    this.catalog = catalog
    this.open = open
    this.events = events
    this.roots = around.roots
    this.seen = around.seen
    this.now = around.now
    this.asked = new ListFeed(
      ({ file }) => file,
      ({ file, cwd }) => ({ journal: file, cwd }),
      change => worker.run('changeAskedFiles', change),
    )
  }

  stop(): void {
    this.stopped = true
    if (this.timer !== null) clearTimeout(this.timer)
  }

  /** Looks at all sessions; calls while one look runs share the next. */
  look(): Promise<void> {
    if (this.looking !== null) {
      this.again = true
      return this.looking
    }
    this.looking = this.lookUntilDone().finally(() => {
      this.looking = null
    })
    return this.looking
  }

  private async lookUntilDone(): Promise<void> {
    const began = this.now()
    do {
      this.again = false
      await this.lookOnce()
    } while (this.again && !this.stopped)
    if (this.timer !== null) clearTimeout(this.timer)
    if (this.stopped) return
    const pause = Math.max(this.seen() ? SEEN_MS : UNSEEN_MS, (this.now() - began) / SHARE)
    this.timer = setTimeout(() => void this.look(), pause)
  }

  private async lookOnce(): Promise<void> {
    const all = this.catalog.summaries().map(({ summary }) => summary)
    // Nobody has an archived session: omp neither lists nor resumes it.
    const listed = all.filter(({ file }) => !isArchive(file))
    const brought = await this.asked.bring(listed, this.worker.losses)
    if (!brought.ok || this.stopped) return
    const journals = new Set(all.map(({ file }) => file))
    const unlisted = this.open.shown().flatMap(({ ref, journal }): AskedFile[] => {
      if (journals.has(journal)) return []
      journals.add(journal)
      if (isArchive(journal)) return []
      return [{ journal, cwd: this.catalog.resolve(ref)?.summary?.cwd ?? null }]
    })
    await this.lookAmong(journals, unlisted, true)
    // Of those that are gone nothing need be remembered.
    for (const journal of this.takenOf.keys()) if (!journals.has(journal)) this.takenOf.delete(journal)
  }

  /** Who has one session, as of now. */
  async lookAt(ref: string, place: SessionPlace): Promise<Result<SessionUse>> {
    const asked = { journal: place.file, cwd: place.summary?.cwd ?? null }
    const looked = await this.lookAmong(new Set([place.file]), isArchive(place.file) ? [] : [asked], false)
    if (!looked.ok) return looked
    const use = this.catalog.whoHas(place.file) ?? { state: 'free', text: null }
    this.told.set(ref, JSON.stringify(use))
    return ok(use)
  }

  /** `asked`: all that is answered for: `files`, those that the worker knows of, and archived ones. */
  private async lookAmong(
    asked: ReadonlySet<string>,
    files: AskedFile[],
    known: boolean,
  ): Promise<Result<void>> {
    const number = ++this.looks
    const found = await this.worker.run('usesAmong', { roots: [...this.roots()], files, known })
    if (!found.ok || this.stopped) return found.ok ? ok(undefined) : found
    const used = new Map(found.value.used.map(({ journal, use }) => [journal, use]))
    const looked = [...asked].filter(journal => (this.takenOf.get(journal) ?? 0) < number)
    for (const journal of looked) this.takenOf.set(journal, number)
    if (this.others === null || this.others.number < number) this.others = { number, use: found.value.others }
    const refs = this.catalog.takeUses(looked, used, this.others.use)
    if (refs.length > 0) this.events.libraryChanged(this.catalog.revision, refs)
    this.tellShown(new Set(looked))
    return ok(undefined)
  }

  private tellShown(looked: ReadonlySet<string>): void {
    const shown = this.open.shown()
    for (const { ref, journal } of shown) {
      const use = looked.has(journal) ? this.catalog.whoHas(journal) : null
      if (use === null || this.told.get(ref) === JSON.stringify(use)) continue
      this.told.set(ref, JSON.stringify(use))
      this.events.send('session.use', { session: ref, use })
    }
    const refs = new Set(shown.map(({ ref }) => ref))
    for (const ref of this.told.keys()) if (!refs.has(ref)) this.told.delete(ref)
  }
}
