/**
 * The search view: what is asked, what was found, and how far the search is. Lives as long as the window, so that the way
 * back leads to what was found. A newer question always wins; what was found for an older one stays on screen until there is
 * something for the newer one.
 */
import type { SessionHits, TouchedAnswer } from '@shared/ipc/models/search-models'
import type { AppError } from '@shared/ipc/result'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { perClient } from './per-client'
import { type RegexFault, regexFault } from './regex-fault'
import { asksForFile, asksForNothing, EMPTY_ASK, type SearchAsk } from './search-ask'

/** Typing is answered after this pause (ms). */
export const TYPING_PAUSE = 150
/** Sessions per call. */
export const PAGE_SESSIONS = 50
/** Hits of one session that are shown at first, and when all are asked for. */
export const FIRST_HITS = 4
const ALL_HITS = 1000
const MOST_FILES = 500

export type SearchRun =
  | { state: 'idle' }
  | { state: 'running'; done: number; total: number }
  | { state: 'done' }
  | { state: 'cancelled'; done: number; total: number }
  | { state: 'fault'; fault: RegexFault }
  | { state: 'error'; error: AppError }

export type SearchState = {
  ask: SearchAsk
  run: SearchRun
  /** What was found was found for an earlier question. */
  stale: boolean
  sessions: readonly SessionHits[]
  /** Sessions with matches, beyond those that are shown too. */
  total: number
  atLeast: boolean
  more: boolean
  /** The next page is on its way. */
  loadingMore: boolean
  /** Sessions all of whose hits are shown, or on their way. */
  opened: ReadonlySet<string>
  notes: readonly string[]
  /** Instead of hits, where there is no text: who touched a file. */
  touched: TouchedAnswer | null
  /** Key of the line that the keyboard is at; null: the first. */
  cursor: string | null
  scroll: number
  /** Asks something else; what is typed is waited for. */
  change(part: Partial<SearchAsk>): void
  /** Asks this and nothing else of what was set before. */
  begin(part: Partial<SearchAsk>): void
  /** Asks the same once more. */
  again(): void
  cancel(): void
  loadMore(): Promise<void>
  /** Fetches all hits of a session. */
  openAll(session: string): Promise<void>
  setCursor(cursor: string | null): void
  setScroll(scroll: number): void
}

export type SearchStore = StoreApi<SearchState>

const NOTHING = {
  stale: false,
  sessions: [],
  total: 0,
  atLeast: false,
  more: false,
  loadingMore: false,
  opened: new Set<string>(),
  notes: [],
  touched: null,
  cursor: null,
  scroll: 0,
}

export function createSearchStore(client: Client, newId: () => string): SearchStore {
  let abort = new AbortController()
  let pause: ReturnType<typeof setTimeout> | undefined
  let running: string | null = null

  const store = createStore<SearchState>()((set, get) => {
    const stop = () => {
      clearTimeout(pause)
      abort.abort()
      abort = new AbortController()
      running = null
    }
    const query = (search: string, ask: SearchAsk) => {
      const { text, mode, allText, thinking, filters, order } = ask
      const file = filters.touchedFile?.trim() ?? ''
      const model = filters.model?.trim() ?? ''
      return {
        ...{ search, text, mode, allText, thinking, order },
        filters: {
          ...filters,
          touchedFile: file === '' ? null : file,
          model: model === '' ? null : model,
        },
        limit: PAGE_SESSIONS,
        hitsEach: FIRST_HITS,
        offset: 0,
      }
    }
    const askText = async (ask: SearchAsk) => {
      const { signal } = abort
      const search = newId()
      running = search
      const answer = await client.call('search.text', query(search, ask), { signal })
      if (signal.aborted) return
      running = null
      if (!answer.ok) return set({ ...NOTHING, run: { state: 'error', error: answer.error } })
      const { cursor, scroll, stale } = get()
      // What streamed in was looked at already; what stood there before belongs to another question.
      const place = stale ? {} : { cursor, scroll }
      const { sessions, total, atLeast, more, notes } = answer.value
      set({ ...NOTHING, sessions, total, atLeast, more, notes, ...place, run: { state: 'done' } })
    }
    const askFile = async (file: string) => {
      const { signal } = abort
      const answer = await client.call('files.touched', { path: file.trim(), limit: MOST_FILES }, { signal })
      if (signal.aborted) return
      if (!answer.ok) set({ ...NOTHING, run: { state: 'error', error: answer.error } })
      else set({ ...NOTHING, touched: answer.value, run: { state: 'done' } })
    }
    const start = () => {
      stop()
      const { ask } = get()
      if (asksForNothing(ask)) return set({ ...NOTHING, run: { state: 'idle' } })
      const fault = ask.mode === 'regex' && !asksForFile(ask) ? regexFault(ask.text) : null
      if (fault !== null) return set({ ...NOTHING, run: { state: 'fault', fault } })
      set({ stale: true, loadingMore: false, run: { state: 'running', done: 0, total: 0 } })
      void (asksForFile(ask) ? askFile(ask.filters.touchedFile ?? '') : askText(ask))
    }
    /** What is on its way for the question as it was is of no use any more. */
    const startSoon = () => {
      stop()
      pause = setTimeout(start, TYPING_PAUSE)
      if (!asksForNothing(get().ask)) set({ stale: true, run: { state: 'running', done: 0, total: 0 } })
    }
    return {
      ...NOTHING,
      ask: EMPTY_ASK,
      run: { state: 'idle' },
      change(part) {
        const ask = { ...get().ask, ...part }
        const typed =
          part.text !== undefined ||
          ask.filters.model !== get().ask.filters.model ||
          ask.filters.touchedFile !== get().ask.filters.touchedFile
        set({ ask })
        if (typed) startSoon()
        else start()
      },
      begin(part) {
        set({ ask: { ...EMPTY_ASK, ...part } })
        start()
      },
      again: start,
      cancel() {
        const { run } = get()
        if (run.state !== 'running') return
        stop()
        // Of the earlier question: cancelled is what was to take its place.
        if (get().stale) set(NOTHING)
        set({ run: { ...run, state: 'cancelled' } })
      },
      async loadMore() {
        const { more, loadingMore, sessions, ask, run } = get()
        if (!more || loadingMore || run.state !== 'done') return
        const { signal } = abort
        set({ loadingMore: true })
        const page = { ...query(newId(), ask), offset: sessions.length }
        const answer = await client.call('search.text', page, { signal })
        if (signal.aborted) return
        if (!answer.ok) return set({ loadingMore: false, run: { state: 'error', error: answer.error } })
        const known = new Set(get().sessions.map(({ session }) => session))
        const added = answer.value.sessions.filter(({ session }) => !known.has(session))
        // A page that brings nothing new is the last one.
        const rest = answer.value.more && added.length > 0
        set({ loadingMore: false, sessions: [...get().sessions, ...added], more: rest })
      },
      async openAll(session) {
        const { ask, opened } = get()
        if (opened.has(session)) return
        const { signal } = abort
        set({ opened: new Set(opened).add(session) })
        const asked = query(newId(), ask)
        const answer = await client.call(
          'search.text',
          { ...asked, filters: { ...asked.filters, session }, limit: 1, hitsEach: ALL_HITS },
          { signal },
        )
        if (signal.aborted) return
        const all = answer.ok ? answer.value.sessions.find(one => one.session === session) : undefined
        if (all === undefined) {
          const left = new Set(get().opened)
          left.delete(session)
          set({ opened: left })
          return
        }
        set({ sessions: get().sessions.map(one => (one.session === session ? all : one)) })
      },
      setCursor(cursor) {
        if (get().cursor !== cursor) set({ cursor })
      },
      setScroll: scroll => set({ scroll }),
    }
  })

  client.on('search.found', ({ search, sessions, done, total }) => {
    if (search !== running) return
    const state = store.getState()
    const before = state.stale ? [] : state.sessions
    const fresh = sessions.length > 0 && state.stale
    store.setState({
      ...(fresh ? NOTHING : {}),
      // With nothing found yet, what stood there before stays.
      ...(sessions.length > 0 ? { sessions: [...before, ...sessions] } : {}),
      run: { state: 'running', done, total },
    })
  })
  return store
}

export const searchStoreOf = perClient(client => createSearchStore(client, () => crypto.randomUUID()))
