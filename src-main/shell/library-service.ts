/**
 * The library while the app runs: scans in the worker, keeps the catalog, looks again at intervals, tells the
 * window what changed. Looks only; the one thing it writes are notes on project folders, in Grove's own data.
 */
import type { LibrarySnapshot, SessionsPage, SessionsQuery } from '@shared/ipc/models/library-models'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../engine/environment'
import { Catalog, type SessionPlace } from '../library/catalog/catalog'
import type { SessionSummary } from '../library/catalog/session-summary'
import { RefTable } from '../library/refs'
import { type LibraryRoot, libraryRoots } from '../library/roots'
import { locateFile, sessionProblem } from '../library/session-file'
import { nativeWatch } from '../library/watch/native-watch'
import type { ScanHandlers } from '../workers/scan-jobs'
import type { WorkerClient } from '../workers/worker-client'
import type { EventSender } from './event-sender'
import { LibraryScanner } from './library-scanner'
import { OpenSessions } from './open-sessions'
import { RootWatch } from './root-watch'
import type { SettingsStore } from './settings-store'
import { UseWatch } from './use-watch'

/** The worker that reads and changes sessions, and the one that looks at all of them. */
export type LibraryWorkers = { worker: WorkerClient; scanner: WorkerClient<ScanHandlers> }

export class LibraryService {
  readonly catalog: Catalog
  readonly openSessions: OpenSessions
  /** Who has the sessions. */
  readonly uses: UseWatch
  /** When all is looked at again. */
  readonly watch: RootWatch
  private readonly env: Environment
  private readonly worker: WorkerClient
  private readonly settings: SettingsStore
  private readonly events: EventSender
  private readonly only: string | null
  private readonly blobRoots = new RefTable<string>('b')
  private readonly artifacts = new RefTable<{ journal: string; name: string }>('a')
  private readonly scanner: LibraryScanner
  private stopped = false
  /** What was finished or rolled back, in sentences. */
  private recovered: string[] = []
  private recovering = false
  constructor(
    env: Environment,
    workers: LibraryWorkers,
    settings: SettingsStore,
    events: EventSender,
    only: string | null,
    seen: () => boolean,
  ) {
    const { worker } = workers
    this.env = env
    this.worker = worker
    this.settings = settings
    this.events = events
    this.only = only
    this.catalog = new Catalog(env.home)
    this.openSessions = new OpenSessions(
      worker,
      {
        changed: (ref, revision, how) => {
          events.send('session.changed', { session: ref, revision, how })
          // A row that lags behind a growing session until the next look is no harm; reading the session whole for
          // every line that an agent writes would be.
          if (how !== 'grown') void this.rescan()
        },
        draftChanged: (ref, version) => events.send('draft.changed', { session: ref, version }),
      },
      file => !seen() || this.watch.covers(file),
    )
    const around = { roots: () => this.roots(), seen, now: env.now }
    this.uses = new UseWatch(worker, this.catalog, this.openSessions, events, around)
    this.watch = new RootWatch(nativeWatch(env.platform), env.now, {
      ...around,
      journals: () => this.catalog.summaries().map(({ summary }) => summary.file),
      rescan: () => this.rescan(),
      lookAtShown: () => void this.openSessions.look(),
      viewChanged: () => events.libraryChanged(this.catalog.revision, null),
    })
    this.scanner = new LibraryScanner(workers.scanner, this.catalog, {
      roots: () => this.roots(),
      changed: refs => events.libraryChanged(this.catalog.revision, refs),
      // Not waited for: who has a session is learnt after what it is.
      looked: () => void this.uses.look(),
    })
  }

  async start(): Promise<void> {
    // What was known when Grove ran last is shown while what a crash left is finished or rolled back.
    await Promise.all([this.scanner.recall(), this.recover()])
    await this.rescan()
    if (!this.stopped) this.watch.start()
  }

  /** After the worker died: what it was changing is finished or rolled back at once, not at the next start. */
  async recoverAgain(): Promise<void> {
    // A recovery in which the worker died would be tried for ever.
    if (this.stopped || this.recovering) return
    await this.recover()
    await this.rescan()
    this.events.send('changes.changed', {})
  }

  private async recover(): Promise<void> {
    this.recovering = true
    const recovered = await this.worker.run('recover', { roots: this.roots() })
    this.recovering = false
    this.recovered.push(...(recovered.ok ? recovered.value : [recovered.error.message]))
  }

  /** Resolves when nothing is watched any more, and what was learnt is noted for the next start. */
  async stop(): Promise<void> {
    this.stopped = true
    this.openSessions.stop()
    this.uses.stop()
    await Promise.all([this.watch.stop(), this.scanner.stop()])
  }

  /** Looks at all roots; resolves when every row says what is there. Calls while one runs share the next. */
  rescan(): Promise<void> {
    return this.scanner.rescan()
  }

  roots(): LibraryRoot[] {
    return libraryRoots(this.env, this.settings.current.addedRoots, this.only)
  }

  snapshot(trash: number): LibrarySnapshot {
    const counts = this.catalog.counts()
    return {
      revision: this.catalog.revision,
      roots: this.catalog.roots(),
      projects: this.catalog.projects(this.settings.current),
      counts: { ...counts, drafts: counts.drafts + this.scanner.strayDrafts, trash },
      bytes: this.catalog.bytes,
      scanning: this.scanner.progress,
      notes: [...this.scanner.troubles, ...this.recovered, ...this.catalog.notes()],
      watching: this.watch.view(),
    }
  }

  page(query: SessionsQuery): SessionsPage {
    return this.catalog.page(query)
  }

  place(ref: string): SessionPlace | undefined {
    return this.catalog.resolve(ref)
  }

  /** Takes what was read of a session that the window shows. */
  takeOpened(summary: SessionSummary): void {
    const ref = this.catalog.takeOpened(summary)
    if (ref !== null) this.events.libraryChanged(this.catalog.revision, [ref])
  }

  /** The session in a file of any place, or why there is none. */
  async openFile(file: string): Promise<Result<string>> {
    const named = locateFile(this.env, this.roots(), file)
    if (!named.ok) return named
    const place = this.catalog.listedAt(named.value.file, named.value.real) ?? named.value
    const opened = await this.worker.run('openSession', { journal: place.file })
    if (!opened.ok) return opened
    const { summary } = opened.value
    const problem = sessionProblem(summary)
    if (problem !== null) return err('damaged', problem, place.file)
    this.takeOpened(summary)
    return ok(this.catalog.refOf(place.file, place.root))
  }

  /** Where a session's images come from, as the worker needs it. */
  imagePlace(ref: string, place: SessionPlace) {
    const { blobsDir } = place.root.layout
    return { journal: place.file, blobsDir, blobRoot: this.blobRoots.issue(blobsDir, blobsDir), session: ref }
  }

  blobsDirOf(ref: string): string | undefined {
    return this.blobRoots.resolve(ref)
  }

  issueArtifact(journal: string, name: string): string {
    return this.artifacts.issue(`${journal}\0${name}`, { journal, name })
  }

  artifact(ref: string): { journal: string; name: string } | undefined {
    return this.artifacts.resolve(ref)
  }
}
