/**
 * Find in session: the bar, what was found on the path that is shown, and the match that one is at. Also the match of a
 * search that was opened: both are marked in the same way.
 */
import type { FindAnswer } from '@shared/ipc/models/search-models'
import type { AppError } from '@shared/ipc/result'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { coalesce } from './coalesce'
import { countOfPlaces, indexFrom, indexOf, placeAt } from './find-places'
import { perClient } from './per-client'

/** Typing is answered after this pause (ms). */
export const FIND_PAUSE = 100

/** What is to be brought into view and marked. `nonce` tells two wishes for one place apart. */
export type Mark = {
  session: string
  /** The entry in whose text it stands, and which text of it. */
  ordinal: number
  part: string
  /** Row of the shown path; null: where the entry is. */
  row: number | null
  /** Which occurrence: by its number in that text, or by where in it a search found it. */
  place: { nth: number } | { at: number }
  /** What is marked in the texts. */
  wanted: Wanted
  /** The row takes the keyboard. */
  focus: boolean
  nonce: number
}

/** What is marked: the text of the bar, or the words that a search found. */
export type Wanted = { texts: readonly string[]; exact: boolean }

export type FindState = {
  open: boolean
  text: string
  exact: boolean
  /** Counts the wishes to type in the bar. */
  asked: number
  session: string | null
  tip: number | null
  /** Row from which the first match is looked for. */
  from: number
  /** Null: nothing is looked for, or it is not known yet. */
  answer: FindAnswer | null
  running: boolean
  error: AppError | null
  /** Number of the match that one is at, -1: none. */
  at: number
  mark: Mark | null
  /** `nonce` of the last mark that was brought into view. */
  brought: number
  /** Says which path is shown. */
  show(session: string, tip: number | null): void
  /** Opens the bar, or goes to it; `from`: the row that is read. */
  begin(from: number): void
  close(): void
  setText(text: string): void
  setExact(exact: boolean): void
  step(by: 1 | -1): void
  /** Marks the match of a search in the session that is being opened. */
  markHit(mark: Omit<Mark, 'row' | 'focus' | 'nonce'>): void
  setBrought(nonce: number): void
}

export type FindStore = StoreApi<FindState>

const NO_ANSWER = { answer: null, running: false, error: null, at: -1 }

export function createFindStore(client: Client): FindStore {
  let abort = new AbortController()
  let pause: ReturnType<typeof setTimeout> | undefined
  let nonce = 0

  const store = createStore<FindState>()((set, get) => {
    const stop = () => {
      clearTimeout(pause)
      abort.abort()
      abort = new AbortController()
    }
    /** Goes to the match of this number. */
    const goTo = (at: number) => {
      const { answer, session, text, exact } = get()
      const place = answer === null || session === null ? null : placeAt(answer, at)
      if (place === null || session === null) return set({ at: -1, mark: null })
      const { ordinal, part, row, nth } = place
      const mark: Mark = {
        ...{ session, ordinal, part, row },
        place: { nth },
        wanted: { texts: [text], exact },
        focus: false,
        nonce: ++nonce,
      }
      set({ at, mark, from: row })
    }
    const ask = async () => {
      const { session, tip, text, exact } = get()
      if (session === null || text === '') return set({ ...NO_ANSWER, mark: null })
      const { signal } = abort
      set({ running: true })
      const answer = await client.call('search.inSession', { session, tip, text, exact }, { signal })
      if (signal.aborted) return
      if (!answer.ok) return set({ ...NO_ANSWER, error: answer.error, mark: null })
      set({ answer: answer.value, running: false, error: null })
      goTo(indexFrom(answer.value, get().from))
    }
    const askAnew = () => {
      stop()
      void ask()
    }
    return {
      ...NO_ANSWER,
      open: false,
      text: '',
      exact: false,
      asked: 0,
      session: null,
      tip: null,
      from: 0,
      mark: null,
      brought: 0,
      show(session, tip) {
        const before = get()
        if (before.session === session && before.tip === tip) return
        stop()
        const other = before.session !== session
        // The match of a search is set before its path is shown; once it was seen, another path is another matter.
        const awaited = before.mark?.session === session && before.mark.nonce !== before.brought
        const mark = awaited && before.mark?.row === null ? before.mark : null
        const open = before.open && !other
        set({ ...NO_ANSWER, session, tip, mark, open, from: other ? 0 : before.from })
        if (open) void ask()
      },
      begin(from) {
        const { open, asked } = get()
        if (open) return set({ asked: asked + 1 })
        set({ open: true, asked: asked + 1, from, mark: null })
        askAnew()
      },
      close() {
        stop()
        set({ ...NO_ANSWER, open: false, mark: null })
      },
      setText(text) {
        stop()
        set({ text, ...(text === '' ? { ...NO_ANSWER, mark: null } : { running: true }) })
        if (text !== '') pause = setTimeout(() => void ask(), FIND_PAUSE)
      },
      setExact(exact) {
        set({ exact })
        askAnew()
      },
      step(by) {
        const { answer, at } = get()
        const total = answer === null ? 0 : countOfPlaces(answer)
        if (total === 0) return
        goTo(at < 0 ? (by === 1 ? 0 : total - 1) : (at + by + total) % total)
      },
      markHit(mark) {
        stop()
        set({ ...NO_ANSWER, open: false, mark: { ...mark, row: null, focus: true, nonce: ++nonce } })
      },
      setBrought: brought => set({ brought }),
    }
  })

  /** After growth: the count is another, the match one is at is the same. */
  const refresh = coalesce(async () => {
    const { open, session, tip, text, exact, answer: before, at } = store.getState()
    if (!open || session === null || text === '' || before === null) return
    const { signal } = abort
    const answer = await client.call('search.inSession', { session, tip, text, exact }, { signal })
    if (signal.aborted || !answer.ok) return
    const now = store.getState()
    if (now.answer !== before) return
    const place = placeAt(before, at)
    const index = place === null ? -1 : indexOf(answer.value, place)
    store.setState({ answer: answer.value, at: index })
  })
  client.on('session.changed', event => {
    const { session, open } = store.getState()
    if (event.session !== session || event.how === 'gone') return
    if (event.how === 'grown') void refresh()
    // Ordinals mean other entries now.
    else {
      store.setState({ ...NO_ANSWER, mark: null })
      if (open) store.getState().setExact(store.getState().exact)
    }
  })
  return store
}

export const findStoreOf = perClient(createFindStore)
