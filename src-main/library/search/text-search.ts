/**
 * Searches all that was said: by the index where it covers a session, by reading its file where it does not. Yields sessions as they
 * are found: those of the index in the order that was asked for, then those of files, newest first.
 */
import type { SearchMode, Snippet } from '@shared/ipc/models/search-models'
import { ok, type Result } from '@shared/ipc/result'
import type { Matcher } from '@shared/search/matcher'
import { queryMatcher } from '@shared/search/matcher'
import { queryTerms, TOKEN_UNITS } from '@shared/search/tokens'
import { parseObject } from '@shared/session/json'
import type { Environment, WorkContext } from '../../engine/environment'
import { type ByteSource, readRange } from '../../engine/storage/byte-source'
import { EngineError, toAppError } from '../../engine/storage/errors'
import { openJournalSource } from '../../engine/storage/open-journal'
import { ByteFinder } from './byte-finder'
import { CountedFilters } from './counted-filters'
import { entryHits, type FoundHit, isTitleHit, type SearchSpec, shownTitle, titleHit } from './entry-hit'
import type { TextKind } from './entry-texts'
import { type FileHits, type FileSearch, FileSearcher } from './file-search'
import { FileSieve, type SieveHelper } from './file-sieve'
import type { Candidates, IndexReader } from './index-reader'
import { prefilterOf } from './prefilter'
import { mayHold, newestFirst, type SearchTarget, type TargetFilters } from './search-target'
import { fitsPath } from './touched-files'
import { sessionTouches } from './touched-search'

export type TextRequest = {
  text: string
  mode: SearchMode
  allText: boolean
  thinking: boolean
  filters: TargetFilters
  order: 'relevance' | 'recent'
  /** Sessions that are looked for. */
  sessions: number
  hitsEach: number
}

export type FoundSession = {
  file: string
  title: Snippet
  lastActivity: number | null
  matches: number
  atLeast: boolean
  hits: FoundHit[]
  score: number
}

/** What is told on the way: a session, how far it is, or what could not be searched. */
export type SearchEvent =
  /** What is found at once, before all is looked up: not in order, counted in part, and told again as `found`. */
  | { kind: 'first'; sessions: FoundSession[] }
  | { kind: 'found'; session: FoundSession }
  | { kind: 'looked'; done: number; total: number }
  | { kind: 'more' }
  | { kind: 'note'; text: string }

/** Entries of one session that are counted when they have to be read for it. */
const COUNTED = 500
/** Sessions that are told at once: a screen of them. */
const FIRST_SESSIONS = 20

export class TextSearch {
  private readonly env: Environment
  private readonly index: IndexReader
  private readonly files: FileSearcher
  private readonly sieve: FileSieve
  private readonly counts: CountedFilters

  /** `helper`: another thread that reads files, where there is one. */
  constructor(env: Environment, index: IndexReader, helper: SieveHelper | null = null) {
    this.env = env
    this.index = index
    this.files = new FileSearcher(env)
    this.sieve = new FileSieve(env, helper)
    this.counts = new CountedFilters(env)
  }

  /** Checks a request before anything is searched. */
  prepare(
    request: TextRequest,
    targets: readonly SearchTarget[],
    work: WorkContext,
  ): Result<AsyncGenerator<SearchEvent>> {
    const matcher = queryMatcher(request.text, request.mode)
    if (!matcher.ok) return matcher
    return ok(this.run(request, matcher.value, targets, work))
  }

  private async *run(
    request: TextRequest,
    matcher: Matcher,
    targets: readonly SearchTarget[],
    work: WorkContext,
  ): AsyncGenerator<SearchEvent> {
    if (request.text.trim() === '') return
    const { filters } = request
    const kinds = new Set<TextKind>(['talk'])
    if (request.thinking) kinds.add('thinking')
    if (request.allText) kinds.add('all')
    const spec: SearchSpec = { matcher, kinds, filters }
    await this.index.refresh()
    const possible = targets.filter(target => mayHold(target, filters)).sort(newestFirst)
    const chosen =
      filters.touchedFile === null ? possible : await this.touching(possible, filters.touchedFile, work)
    const asked = request.mode === 'words' && !request.allText
    const { indexed, unread } = asked ? this.byIndex(chosen, spec) : { indexed: [], unread: chosen }
    // Of one session, all hits are waited for.
    if (indexed.length > 0 && filters.file === null) yield* this.firstFound(indexed, request, spec, work)
    const changed = indexed.length > 0 ? yield* this.fromIndex(indexed, request, spec, work) : []
    yield* this.fromFiles([...unread, ...changed].sort(newestFirst), request, spec, work)
  }

  /** Which sessions the index answers for, and which have to be read. */
  private byIndex(targets: readonly SearchTarget[], spec: SearchSpec) {
    const indexed: Indexed[] = []
    const unread: SearchTarget[] = []
    const asks = this.index.canAsk(spec.matcher.words)
    for (const target of targets) {
      const number = asks ? this.index.fileNumber(target) : null
      if (number === null) unread.push(target)
      else indexed.push({ target, number, inTitle: isTitleHit(target.title, spec) })
    }
    return { indexed, unread }
  }

  private async touching(
    targets: readonly SearchTarget[],
    asked: string,
    work: WorkContext,
  ): Promise<SearchTarget[]> {
    const files = new Set(this.index.touches(asked).map(({ file }) => file))
    const touching: SearchTarget[] = []
    for (const target of targets) {
      if (this.index.covers(target) ? files.has(target.file) : await this.touchesInFile(target, asked, work))
        touching.push(target)
    }
    return touching
  }

  private async touchesInFile(target: SearchTarget, asked: string, work: WorkContext): Promise<boolean> {
    const touches = await sessionTouches(this.env, target, work)
    return touches.some(({ path }) => fitsPath(path, asked))
  }

  /** Where looking up all takes its time: what some of the words of the index lead to. */
  private async *firstFound(
    indexed: readonly Indexed[],
    request: TextRequest,
    spec: SearchSpec,
    work: WorkContext,
  ): AsyncGenerator<SearchEvent> {
    const candidates = this.index.firstCandidates(spec.matcher.words, request.thinking)
    if (candidates === null) return
    const sessions: FoundSession[] = []
    for (const one of this.ranked(indexed, candidates, request)) {
      if (sessions.length >= Math.min(FIRST_SESSIONS, request.sessions)) break
      await work.breathe()
      const session = this.readRanked(one, request, spec)
      if (session === null || session === 'changed') continue
      if (await this.counts.fit(one.target, request.filters, work))
        sessions.push({ ...session, atLeast: true })
    }
    if (sessions.length > 0) yield { kind: 'first', sessions }
  }

  /** What the index finds. Answers those that changed since they were listed: they are read whole. */
  private async *fromIndex(
    indexed: readonly Indexed[],
    request: TextRequest,
    spec: SearchSpec,
    work: WorkContext,
  ): AsyncGenerator<SearchEvent, SearchTarget[]> {
    const candidates = this.index.candidates(spec.matcher.words, request.thinking)
    // The index failed meanwhile.
    if (candidates === null) return indexed.map(({ target }) => target)
    if (candidates.cut) yield { kind: 'more' }
    const changed: SearchTarget[] = []
    let found = 0
    for (const one of this.ranked(indexed, candidates, request)) {
      if (found >= request.sessions) {
        yield { kind: 'more' }
        break
      }
      await work.breathe()
      const session = this.readRanked(one, request, spec)
      if (session === 'changed') changed.push(one.target)
      else if (session !== null && (await this.counts.fit(one.target, request.filters, work))) {
        found++
        yield { kind: 'found', session }
      }
    }
    return changed
  }

  /** Sessions with rows or the title among what is looked for, best first. */
  private ranked(indexed: readonly Indexed[], { rows }: Candidates, { order }: TextRequest): Ranked[] {
    const now = this.env.now()
    const ranked: Ranked[] = []
    for (const { target, number, inTitle } of indexed) {
      const own = rows.get(number) ?? []
      if (own.length > 0 || inTitle)
        ranked.push({ target, rows: own, inTitle, score: scoreOf(target, own.length, inTitle, now) })
    }
    return order === 'relevance' ? ranked.sort((a, b) => b.score - a.score) : ranked
  }

  /** Reads what is shown of a session that the index found; null when nothing of it matches after all. */
  private readRanked(
    { target, rows, inTitle, score }: Ranked,
    request: TextRequest,
    spec: SearchSpec,
  ): FoundSession | 'changed' | null {
    const { filters } = request
    const title = inTitle ? titleHit(target.title, spec) : null
    const hits: FoundHit[] = title === null ? [] : [title]
    let matches = hits.length
    // Each word is one term: then every row of the index is a match, and none needs to be read to be counted.
    const told =
      filters.role === null &&
      filters.from === null &&
      filters.to === null &&
      spec.matcher.words.every(isOneTerm)
    const most = told ? request.hitsEach : COUNTED
    const places = this.index.places(rows.slice(0, most))
    const read = this.readPlaces(target, [...places.values()], spec)
    if (read === null) return 'changed'
    for (const hit of read) if (hits.length < request.hitsEach) hits.push(hit)
    matches += told ? rows.length : read.length
    if (matches === 0) return null
    return {
      file: target.file,
      title: shownTitle(target.title, spec.matcher),
      lastActivity: target.lastActivity,
      matches,
      atLeast: !told && rows.length > most,
      hits,
      score,
    }
  }

  private readPlaces(
    target: SearchTarget,
    places: readonly { ordinal: number; offset: number; length: number }[],
    spec: SearchSpec,
  ): FoundHit[] | null {
    if (places.length === 0) return []
    let source: ByteSource | null = null
    try {
      source = openJournalSource(this.env.fs, target.file)
      const hits: FoundHit[] = []
      const seen = new Set<number>()
      for (const { ordinal, offset, length } of places) {
        if (seen.has(ordinal)) continue
        seen.add(ordinal)
        const record = parseObject(Buffer.from(readRange(source, offset, offset + length)).toString('utf8'))
        if (record !== null) hits.push(...entryHits(record, { ordinal, id: null }, spec, this.env.now()))
      }
      return hits
    } catch (thrown) {
      if (toAppError(thrown, 'read').code === 'internal') throw thrown
      return null
    } finally {
      source?.close()
    }
  }

  private async *fromFiles(
    targets: readonly SearchTarget[],
    request: TextRequest,
    spec: SearchSpec,
    work: WorkContext,
  ): AsyncGenerator<SearchEvent> {
    const search: FileSearch = {
      spec,
      finder: new ByteFinder(prefilterOf(request.text, request.mode)),
      keep: request.hitsEach,
      count: Math.max(COUNTED, request.hitsEach),
      artifacts: request.allText,
    }
    let found = 0
    let looked = 0
    for await (const { one: target, mayMatch } of this.sieve.sift(targets, search.finder, work)) {
      if (found >= request.sessions) {
        yield { kind: 'more' }
        return
      }
      if (mayMatch) await work.breathe()
      const read = await this.searchFile(target, mayMatch, search, work)
      if (typeof read === 'string') yield { kind: 'note', text: read }
      else {
        const title = titleHit(target.title, spec)
        const session = foundIn(target, read, title, request, spec, this.env.now())
        if (session !== null && (await this.counts.fit(target, request.filters, work))) {
          found++
          yield { kind: 'found', session }
        }
      }
      yield { kind: 'looked', done: ++looked, total: targets.length }
    }
  }

  /** A sentence where the file could not be read. */
  private async searchFile(
    target: SearchTarget,
    mayMatch: boolean,
    search: FileSearch,
    work: WorkContext,
  ): Promise<FileHits | string> {
    try {
      return await this.files.search(target.file, mayMatch, search, work)
    } catch (thrown) {
      if (thrown instanceof EngineError && thrown.code === 'cancelled') throw thrown
      const error = toAppError(thrown, 'search', target.file)
      if (error.code === 'internal') throw thrown
      // Gone since it was listed: there is nothing to be found in it.
      return error.code === 'not-found' ? { hits: [], matches: 0, cut: false } : error.message
    }
  }
}

/** A session that the index answers for, by its number there. */
type Indexed = { target: SearchTarget; number: number; inTitle: boolean }

type Ranked = { target: SearchTarget; rows: number[]; inTitle: boolean; score: number }

function isOneTerm(word: string): boolean {
  const [term, ...more] = queryTerms(word)
  return (
    term !== undefined &&
    more.length === 0 &&
    term.text === word &&
    word.length < TOKEN_UNITS &&
    (term.prefix || word.length > 0)
  )
}

function foundIn(
  target: SearchTarget,
  { hits, matches, cut }: FileHits,
  title: FoundHit | null,
  { hitsEach }: TextRequest,
  { matcher }: SearchSpec,
  now: number,
): FoundSession | null {
  const all = title === null ? hits : [title, ...hits].slice(0, hitsEach)
  const count = matches + (title === null ? 0 : 1)
  if (count === 0) return null
  return {
    file: target.file,
    title: shownTitle(target.title, matcher),
    lastActivity: target.lastActivity,
    matches: count,
    atLeast: cut,
    hits: all,
    score: scoreOf(target, matches, title !== null, now),
  }
}

const DAY_MS = 86_400_000

/** More matches, one in the title above all, and lately: a session of today weighs as much as one of last year with twelve times the matches. */
function scoreOf(target: SearchTarget, matches: number, inTitle: boolean, now: number): number {
  const days = Math.max(0, now - (target.lastActivity ?? 0)) / DAY_MS
  return Math.log2(1 + matches) + (inTitle ? 4 : 0) + 4 / (1 + days / 45)
}
