/**
 * Search while the app runs: keeps the index up to date behind what the catalog learns, asks the worker that searches, and turns paths into
 * refs. Building and asking have a worker each, so that neither waits for the other, and reading waits for neither.
 */
import type {
  QuickAnswer,
  QuickQuery,
  SearchCoverage,
  SessionHits,
  TextAnswer,
  TextQuery,
  TouchedAnswer,
  TouchedFile,
} from '@shared/ipc/models/search-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { displayTitle, projectName } from '../library/catalog/session-row'
import type { SessionSummary } from '../library/catalog/session-summary'
import { QuickSearch } from '../library/search/quick-search'
import { type SearchTarget, searchTarget, type TargetFilters } from '../library/search/search-target'
import type { FoundSession } from '../library/search/text-search'
import type { IndexJobs } from '../workers/index-jobs'
import { notTold, type SearchJobs, type SearchPiece } from '../workers/search-jobs'
import type { JobOptions, WorkerClient } from '../workers/worker-client'
import type { EventSender } from './event-sender'
import type { CallContext } from './ipc-binding'
import type { LibraryService } from './library-service'
import type { SettingsStore } from './settings-store'
import { type TargetFeed, targetFeed } from './target-feed'

/** Milliseconds after a change of the library in which more of them are gathered before the index follows. */
const FOLLOW_MS = 1_500
/** Milliseconds without an answer after which a search is taken for one that never ends: an expression can be such. */
const STUCK_MS = 10_000

/** Rows that the box is prepared for between two other tasks of main: a millisecond or two. */
const WARM_ROWS = 50

export type SearchWorkers = {
  index: WorkerClient<IndexJobs>
  /** Made anew when one had to be ended. */
  newSearcher(): WorkerClient<SearchJobs>
}

export class SearchService {
  private readonly library: LibraryService
  private readonly settings: SettingsStore
  private readonly events: EventSender
  private readonly workers: SearchWorkers
  private readonly now: () => number
  private searcher: WorkerClient<SearchJobs>
  private readonly toSearcher: TargetFeed
  private readonly toIndex: TargetFeed
  private readonly quickSearch = new QuickSearch()
  private quickRevision = -1
  /** Revision of the catalog that the index follows. */
  private indexedRevision = -1
  private timer: NodeJS.Timeout | null = null
  private warmer: NodeJS.Timeout | null = null
  private indexing: Promise<void> | null = null
  private anew = false
  private problem: string | null = null
  private stopped = false
  private toldCoverage = ''

  constructor(
    library: LibraryService,
    settings: SettingsStore,
    events: EventSender,
    workers: SearchWorkers,
    now: () => number,
  ) {
    this.library = library
    this.settings = settings
    this.events = events
    this.workers = workers
    this.now = now
    this.searcher = workers.newSearcher()
    this.toSearcher = targetFeed(change => this.searcher.run('changeTargets', change))
    this.toIndex = targetFeed(change => workers.index.run('changeTargets', change))
  }

  /** Follows the library from now on. */
  start(): void {
    this.followSoon()
    this.warmSoon()
  }

  private followSoon(): void {
    if (this.stopped) return
    this.timer = setTimeout(() => {
      void this.follow().then(() => this.followSoon())
    }, FOLLOW_MS)
  }

  private warmSoon(): void {
    if (this.stopped) return
    this.warmer = setTimeout(() => {
      void this.warm().then(() => this.warmSoon())
    }, FOLLOW_MS)
  }

  /** Prepares the box for the first key, a few rows at a time. */
  private async warm(): Promise<void> {
    this.takeRows()
    while (!this.stopped && this.quickSearch.warm(WARM_ROWS))
      await new Promise(resolve => setImmediate(resolve))
  }

  async stop(graceMs: number): Promise<void> {
    this.stopped = true
    if (this.timer !== null) clearTimeout(this.timer)
    if (this.warmer !== null) clearTimeout(this.warmer)
    await Promise.all([this.searcher.close(graceMs), this.workers.index.close(graceMs)])
  }

  /** Brings the index up to date where the catalog has changed. */
  private async follow(): Promise<void> {
    const { revision } = this.library.catalog
    if (!this.anew && revision === this.indexedRevision) return
    this.indexing ??= this.index(revision).finally(() => {
      this.indexing = null
    })
    await this.indexing
  }

  private async index(revision: number): Promise<void> {
    const summaries = this.summaries()
    // The first listing is still under way.
    if (summaries.length === 0) return
    const told = await this.toIndex.bring(summaries, this.workers.index.losses)
    if (!told.ok) return
    const anew = this.anew
    this.anew = false
    let lastTold = 0
    const onProgress: JobOptions['onProgress'] = () => {
      const time = this.now()
      if (time - lastTold < 1_000) return
      lastTold = time
      void this.tellCoverage()
    }
    const report = await this.workers.index.run('updateIndex', { anew }, { onProgress })
    this.problem = report.ok ? null : report.error.message
    this.indexedRevision = revision
    this.indexing = null
    await this.tellCoverage()
  }

  private async tellCoverage(): Promise<void> {
    const coverage = await this.coverage()
    const text = JSON.stringify(coverage)
    if (!coverage.ok || text === this.toldCoverage || this.stopped) return
    this.toldCoverage = text
    this.events.send('search.coverage', coverage.value)
  }

  private summaries(): SessionSummary[] {
    return this.library.catalog.summaries().map(({ summary }) => summary)
  }

  private tellTargets(): Promise<Result<null>> {
    return this.toSearcher.bring(this.summaries(), this.searcher.losses)
  }

  private takeRows(): void {
    const { catalog } = this.library
    if (catalog.revision === this.quickRevision) return
    this.quickSearch.take(catalog.allRows())
    this.quickRevision = catalog.revision
  }

  quick(query: QuickQuery): QuickAnswer {
    this.takeRows()
    const { catalog } = this.library
    return this.quickSearch.search(query, catalog.projects(this.settings.current), this.now())
  }

  async coverage(): Promise<Result<SearchCoverage>> {
    const told = await this.tellTargets()
    const covered = told.ok ? await this.searcher.run('coverage', undefined) : told
    if (!covered.ok) return covered
    const { indexed, all, problem } = covered.value
    return ok({ indexed, all, running: this.indexing !== null, problem: this.problem ?? problem })
  }

  async text(query: TextQuery, context: Pick<CallContext, 'signal'>): Promise<Result<TextAnswer>> {
    const filters = this.filtersOf(query)
    if (!filters.ok) return filters
    const told = await this.tellTargets()
    if (!told.ok) return told
    const { text, mode, allText, thinking, order, hitsEach, offset, limit } = query
    const request = {
      text,
      mode,
      allText,
      thinking,
      filters: filters.value,
      order,
      hitsEach,
      sessions: offset + limit + 1,
    }
    const searcher = this.searcher
    const started = await searcher.run('startSearch', { request })
    if (!started.ok) return started
    const found: FoundSession[] = []
    const shown = new Set<string>()
    const notes = new Set<string>()
    let more = false
    for (let finished = false; !finished; ) {
      const piece = await this.piece(searcher, started.value, context.signal)
      if (!piece.ok) return piece
      finished = piece.value.finished
      more ||= piece.value.more
      found.push(...piece.value.sessions)
      for (const note of piece.value.notes) notes.add(note)
      if (piece.value.indexProblem !== null) this.anew = true
      const { done, total } = piece.value
      const fresh = notTold(piece.value, shown)
      if (fresh.length > 0 || total > 0) this.tellFound(query.search, fresh, done, total)
    }
    // Each part came in order; both parts together do only now.
    const newest = (a: FoundSession, b: FoundSession) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0)
    found.sort(order === 'recent' ? newest : (a, b) => b.score - a.score || newest(a, b))
    const coverage = await this.coverage()
    if (!coverage.ok) return coverage
    const sessions = found.slice(offset, offset + limit).flatMap(one => this.hitsOf(one))
    return ok({
      sessions,
      total: found.length,
      atLeast: more,
      more: found.length > offset + limit,
      coverage: coverage.value,
      notes: [...notes].slice(0, 20),
    })
  }

  private tellFound(search: string, sessions: readonly FoundSession[], done: number, total: number): void {
    this.events.send('search.found', {
      search,
      sessions: sessions.flatMap(one => this.hitsOf(one)),
      done,
      total,
    })
  }

  /** A piece of a search; a worker that does not answer any more is ended, and another one takes its place. */
  private async piece(
    searcher: WorkerClient<SearchJobs>,
    id: number,
    signal: AbortSignal,
  ): Promise<Result<SearchPiece>> {
    let stuck: NodeJS.Timeout | undefined
    const never = new Promise<'stuck'>(resolve => {
      stuck = setTimeout(() => resolve('stuck'), STUCK_MS)
    })
    const answer = await Promise.race([searcher.run('nextPiece', { id }, { signal }), never])
    clearTimeout(stuck)
    if (answer !== 'stuck') return answer
    if (this.searcher === searcher && !this.stopped) {
      this.searcher = this.workers.newSearcher()
      this.toSearcher.forget()
    }
    void searcher.close(0)
    return err('too-large', 'This search takes too long and was ended. Make the expression simpler.')
  }

  private filtersOf({ filters }: TextQuery): Result<TargetFilters> {
    const { session, project, ...rest } = filters
    const place = session === null ? undefined : this.library.place(session)
    if (session !== null && place === undefined)
      return err('not-found', 'That session is not in the library (any more).')
    const cwd = project === null ? undefined : this.library.catalog.projectCwd(project)
    if (project !== null && cwd === undefined)
      return err('not-found', 'That project is not in the library (any more).')
    return ok({ ...rest, file: place?.file ?? null, cwd })
  }

  /** Nothing for a session that left the library meanwhile. */
  private hitsOf({ file, title, lastActivity, matches, atLeast, hits }: FoundSession): SessionHits[] {
    const row = this.library.catalog.rowAt(file)
    if (row === undefined) return []
    return [
      {
        session: row.ref,
        title,
        project: row.project,
        projectName: row.projectName,
        lastActivity,
        // Of a session that is not counted yet none are told.
        branches: row.branches ?? 0,
        matches,
        atLeast,
        hits: hits.map(({ artifact, ...hit }) => ({
          ...hit,
          artifact:
            artifact === null ? null : { ref: this.library.issueArtifact(file, artifact), name: artifact },
        })),
      },
    ]
  }

  async touched(path: string, limit: number, options: JobOptions): Promise<Result<TouchedAnswer>> {
    const told = await this.tellTargets()
    if (!told.ok) return told
    const found = await this.searcher.run('touchedBy', { path }, options)
    const coverage = await this.coverage()
    if (!found.ok) return found
    if (!coverage.ok) return coverage
    const shown = found.value.flatMap(({ file, ...touch }) => {
      const row = this.library.catalog.rowAt(file)
      if (row === undefined) return []
      const { ref: session, title, project, projectName: name } = row
      return [{ ...touch, session, title, project, projectName: name }]
    })
    return ok({ found: shown.slice(0, limit), more: shown.length > limit, coverage: coverage.value })
  }

  async filesOf(session: string, options: JobOptions): Promise<Result<TouchedFile[]>> {
    const place = this.library.place(session)
    if (place === undefined) return err('not-found', 'That session is not in the library (any more).')
    const { summary } = place
    // One that is not listed, as a subagent's, is not in the index.
    const target: SearchTarget =
      summary === null
        ? {
            file: place.file,
            fileId: '',
            bytes: 0,
            modified: 0,
            title: projectName(null),
            cwd: null,
            created: null,
            lastActivity: null,
            model: null,
            tips: null,
            artifacts: null,
          }
        : searchTarget(summary, displayTitle(summary).title)
    return await this.searcher.run('touchedFiles', { target }, options)
  }
}
