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
import { entryHits, type FoundHit, type SearchSpec, shownTitle, titleHit } from './entry-hit'
import type { TextKind } from './entry-texts'
import { type FileHits, type FileSearch, FileSearcher } from './file-search'
import type { IndexReader } from './index-reader'
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
  | { kind: 'found'; session: FoundSession }
  | { kind: 'looked'; done: number; total: number }
  | { kind: 'more' }
  | { kind: 'note'; text: string }

/** Entries of one session that are counted when they have to be read for it. */
const COUNTED = 500

export class TextSearch {
  private readonly env: Environment
  private readonly index: IndexReader
  private readonly files: FileSearcher
  private readonly counts: CountedFilters

  constructor(env: Environment, index: IndexReader) {
    this.env = env
    this.index = index
    this.files = new FileSearcher(env)
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
    const indexed = request.mode === 'words' && !request.allText
    const byIndex = indexed ? this.fromIndex(chosen, request, spec) : null
    if (byIndex?.cut) yield { kind: 'more' }
    let found = 0
    for (const one of byIndex?.ranked ?? []) {
      if (found >= request.sessions) {
        yield { kind: 'more' }
        break
      }
      await work.breathe()
      const session = this.readRanked(one, request, spec)
      // It changed since it was listed: it is read whole, with those that are not in the index.
      if (session === 'changed') byIndex?.covered.delete(one.target.file)
      if (session === null || session === 'changed') continue
      if (!(await this.counts.fit(one.target, filters, work))) continue
      found++
      yield { kind: 'found', session }
    }
    const unread = chosen.filter(target => byIndex === null || !byIndex.covered.has(target.file))
    yield* this.fromFiles(unread, request, spec, work)
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

  /** Sessions that the index finds, best first. Null when it cannot be asked this. */
  private fromIndex(targets: readonly SearchTarget[], request: TextRequest, spec: SearchSpec) {
    const { words } = spec.matcher
    const candidates = this.index.candidates(words, request.thinking)
    if (candidates === null) return null
    const covered = new Set<string>()
    const ranked: Ranked[] = []
    for (const target of targets) {
      const number = this.index.fileNumber(target)
      if (number === null) continue
      covered.add(target.file)
      const rows = candidates.rows.get(number) ?? []
      const title = titleHit(target.title, spec)
      if (rows.length > 0 || title !== null)
        ranked.push({
          target,
          rows,
          title,
          score: scoreOf(target, rows.length, title !== null, this.env.now()),
        })
    }
    if (request.order === 'relevance') ranked.sort((a, b) => b.score - a.score)
    return { covered, ranked, cut: candidates.cut }
  }

  /** Reads what is shown of a session that the index found; null when nothing of it matches after all. */
  private readRanked(
    { target, rows, title, score }: Ranked,
    request: TextRequest,
    spec: SearchSpec,
  ): FoundSession | 'changed' | null {
    const { filters } = request
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
    for (const [at, target] of targets.entries()) {
      if (found >= request.sessions) {
        yield { kind: 'more' }
        return
      }
      await work.breathe()
      const read = await this.searchFile(target, search, work)
      if (typeof read === 'string') yield { kind: 'note', text: read }
      else {
        const title = titleHit(target.title, spec)
        const session = foundIn(target, read, title, request, spec, this.env.now())
        if (session !== null && (await this.counts.fit(target, request.filters, work))) {
          found++
          yield { kind: 'found', session }
        }
      }
      yield { kind: 'looked', done: at + 1, total: targets.length }
    }
  }

  /** A sentence where the file could not be read. */
  private async searchFile(
    target: SearchTarget,
    search: FileSearch,
    work: WorkContext,
  ): Promise<FileHits | string> {
    try {
      return await this.files.search(target.file, search, work)
    } catch (thrown) {
      if (thrown instanceof EngineError && thrown.code === 'cancelled') throw thrown
      const error = toAppError(thrown, 'search', target.file)
      if (error.code === 'internal') throw thrown
      // Gone since it was listed: there is nothing to be found in it.
      return error.code === 'not-found' ? { hits: [], matches: 0, cut: false } : error.message
    }
  }
}

type Ranked = { target: SearchTarget; rows: number[]; title: FoundHit | null; score: number }

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
