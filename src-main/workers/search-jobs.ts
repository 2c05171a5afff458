/** The jobs of the worker that searches. A search is asked for piece by piece, so that what was found can be told on the way. */
import type { TouchedFile } from '@shared/ipc/models/search-models'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../engine/environment'
import type { SieveHelper } from '../library/search/file-sieve'
import { IndexReader } from '../library/search/index-reader'
import type { SearchTarget } from '../library/search/search-target'
import {
  type FoundSession,
  type SearchEvent,
  type TextRequest,
  TextSearch,
} from '../library/search/text-search'
import { type FileTouchedBy, filesOfSession, sessionsTouching } from '../library/search/touched-search'
import { KeptList, type ListChange } from './kept-list'

export type SearchJobs = ReturnType<typeof createSearchJobs>

export type SearchPiece = {
  /** Found at once, counted in part: each comes again among `sessions`, unless there are enough others. */
  first: FoundSession[]
  sessions: FoundSession[]
  notes: string[]
  done: number
  total: number
  /** There are more than were asked for. */
  more: boolean
  finished: boolean
  /** The index failed while it was asked. */
  indexProblem: string | null
}

/** What of a piece was not in those before it. Notes it in `told`: files that were. */
export function notTold(
  { first, sessions }: Pick<SearchPiece, 'first' | 'sessions'>,
  told: Set<string>,
): FoundSession[] {
  const fresh = [...first, ...sessions].filter(({ file }) => !told.has(file))
  for (const { file } of fresh) told.add(file)
  return fresh
}

/** Milliseconds after which what was found is told, and sessions after which it is told at once. */
const TELL_MS = 80
const TELL_SESSIONS = 20
/** Searches that may be half done; a window has one or two. */
const MOST_RUNNING = 8

type Running = { events: AsyncGenerator<SearchEvent>; work: { current: WorkContext } }

/** `helper`: another thread that reads files, where there is one. */
export function createSearchJobs(env: Environment, helper: SieveHelper | null = null) {
  const index = new IndexReader(env)
  const search = new TextSearch(env, index, helper)
  const running = new Map<number, Running>()
  const targets = new KeptList<SearchTarget>(({ file }) => file)
  let nextId = 1

  async function piece(one: Running): Promise<SearchPiece> {
    const told: SearchPiece = {
      first: [],
      sessions: [],
      notes: [],
      done: 0,
      total: 0,
      more: false,
      finished: false,
      indexProblem: null,
    }
    const began = env.now()
    while (told.first.length === 0 && told.sessions.length < TELL_SESSIONS && env.now() - began < TELL_MS) {
      const next = await one.events.next()
      if (next.done === true) {
        told.finished = true
        break
      }
      const event = next.value
      if (event.kind === 'first') told.first = event.sessions
      else if (event.kind === 'found') told.sessions.push(event.session)
      else if (event.kind === 'more') told.more = true
      else if (event.kind === 'note') told.notes.push(event.text)
      else {
        told.done = event.done
        told.total = event.total
      }
    }
    told.indexProblem = index.problem
    return told
  }

  return {
    /** What there is to be searched from now on. */
    changeTargets: (input: ListChange<SearchTarget>): Result<null> => {
      targets.take(input)
      return ok(null)
    },

    /** How many of the sessions are in the index as they are. */
    coverage: async (): Promise<Result<{ indexed: number; all: number; problem: string | null }>> => {
      await index.refresh()
      const all = targets.all()
      const indexed = all.filter(target => index.covers(target)).length
      return ok({ indexed, all: all.length, problem: index.problem })
    },

    startSearch: (input: { request: TextRequest }, work: WorkContext): Result<number> => {
      const current = { current: work }
      const through: WorkContext = {
        breathe: () => current.current.breathe(),
        progress: (done, total, text) => current.current.progress(done, total, text),
      }
      const events = search.prepare(input.request, targets.all(), through)
      if (!events.ok) return events
      const id = nextId++
      running.set(id, { events: events.value, work: current })
      for (const oldest of running.keys()) {
        if (running.size <= MOST_RUNNING) break
        running.delete(oldest)
      }
      return ok(id)
    },

    nextPiece: async (input: { id: number }, work: WorkContext): Promise<Result<SearchPiece>> => {
      const one = running.get(input.id)
      if (one === undefined) return err('cancelled', 'This search was ended.')
      one.work.current = work
      try {
        const told = await piece(one)
        if (told.finished) running.delete(input.id)
        return ok(told)
      } catch (thrown) {
        running.delete(input.id)
        throw thrown
      }
    },

    endSearch: (input: { id: number }): Result<null> => {
      running.delete(input.id)
      return ok(null)
    },

    touchedBy: async (input: { path: string }, work: WorkContext): Promise<Result<FileTouchedBy[]>> =>
      ok(await sessionsTouching(env, index, targets.all(), input.path, work)),

    touchedFiles: async (
      input: { target: SearchTarget },
      work: WorkContext,
    ): Promise<Result<TouchedFile[]>> => ok(await filesOfSession(env, index, input.target, work)),
  }
}
