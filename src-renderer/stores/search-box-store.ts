/**
 * The one box: what is typed, and what is found for it. Sessions are asked for with every key, messages after a short pause.
 * A newer text always wins: what runs for an older one is cancelled, and its answer dropped if it comes nevertheless.
 */
import type { QuickAnswer, SessionHits } from '@shared/ipc/models/search-models'
import type { AppError } from '@shared/ipc/result'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { type Async, LOADING, settled } from './async'
import { perClient } from './per-client'
import { NO_FILTERS } from './search-ask'

/** Messages are asked for after this pause (ms): until there is an index, each question reads files. */
export const MESSAGES_PAUSE = 120
const SESSIONS = 8
const SESSIONS_ONLY = 100
/** Sessions whose messages are asked for, and how many of each. */
const MESSAGES = { limit: 20, hitsEach: 2 }
const MOST_RECENT = 8
const MOST_CHARS = 500

/** What was found in messages. `idle`: nothing is asked. */
export type BoxMessages =
  | { state: 'idle' }
  | { state: 'running'; sessions: readonly SessionHits[] }
  | { state: 'ready'; sessions: readonly SessionHits[]; total: number; atLeast: boolean }
  | { state: 'error'; error: AppError }

export type SearchBoxState = {
  sessionsOnly: boolean
  text: string
  /** Those of the text before stay until these are there. */
  quick: Async<QuickAnswer>
  messages: BoxMessages
  /** What was searched for in this window, the latest first. */
  recent: readonly string[]
  /** Opens the box, empty. */
  begin(sessionsOnly: boolean): void
  setText(text: string): void
  /** Something was chosen: the text is worth remembering. */
  remember(text: string): void
  /** Cancels what runs. */
  end(): void
}

export type SearchBoxStore = StoreApi<SearchBoxState>

/** What asks for commands only. */
export function isCommandText(text: string): boolean {
  return text.startsWith('>')
}

/** One letter begins nearly every word; one CJK character is a word. */
function isWorthReading(text: string): boolean {
  const wanted = text.trim()
  return wanted.length > 1 || /[^\p{ASCII}]/u.test(wanted)
}

export function createSearchBoxStore(client: Client, newId: () => string): SearchBoxStore {
  let abort = new AbortController()
  let pause: ReturnType<typeof setTimeout> | undefined
  let running: string | null = null

  const store = createStore<SearchBoxState>()((set, get) => {
    const stop = () => {
      clearTimeout(pause)
      abort.abort()
      abort = new AbortController()
      running = null
    }
    const askSessions = async (text: string) => {
      const { signal } = abort
      const limit = get().sessionsOnly ? SESSIONS_ONLY : SESSIONS
      const query = { text: text.slice(0, MOST_CHARS), project: null, limit }
      const answer = await client.call('search.quick', query, { signal })
      if (!signal.aborted) set({ quick: settled(answer) })
    }
    const askMessages = async (text: string) => {
      const { signal } = abort
      const search = newId()
      running = search
      set({ messages: { state: 'running', sessions: [] } })
      const answer = await client.call(
        'search.text',
        {
          search,
          text,
          mode: 'words',
          allText: false,
          thinking: false,
          filters: NO_FILTERS,
          order: 'relevance',
          ...MESSAGES,
          offset: 0,
        },
        { signal },
      )
      if (signal.aborted) return
      running = null
      if (!answer.ok) return set({ messages: { state: 'error', error: answer.error } })
      const { sessions, total, atLeast } = answer.value
      set({ messages: { state: 'ready', sessions, total, atLeast } })
    }
    const ask = (text: string) => {
      stop()
      set({ messages: { state: 'idle' } })
      if (isCommandText(text)) return
      void askSessions(text)
      if (get().sessionsOnly || !isWorthReading(text)) return
      pause = setTimeout(() => void askMessages(text), MESSAGES_PAUSE)
    }
    return {
      sessionsOnly: false,
      text: '',
      quick: LOADING,
      messages: { state: 'idle' },
      recent: [],
      begin(sessionsOnly) {
        set({ sessionsOnly, text: '', quick: LOADING })
        ask('')
      },
      setText(text) {
        if (text === get().text) return
        set({ text })
        ask(text)
      },
      remember(text) {
        const wanted = text.trim()
        if (wanted === '' || isCommandText(wanted)) return
        set({ recent: [wanted, ...get().recent.filter(other => other !== wanted)].slice(0, MOST_RECENT) })
      },
      end: stop,
    }
  })

  client.on('search.found', ({ search, sessions }) => {
    const { messages } = store.getState()
    if (search !== running || messages.state !== 'running') return
    store.setState({ messages: { state: 'running', sessions: [...messages.sessions, ...sessions] } })
  })
  return store
}

export const searchBoxStoreOf = perClient(client => createSearchBoxStore(client, () => crypto.randomUUID()))
