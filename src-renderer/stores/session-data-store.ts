/**
 * One kind of data about the open session (its tree, artifacts, draft, details): loaded for the session
 * that is shown, and loaded again, with the old one on screen, when its file changes.
 */
import type { Result } from '@shared/ipc/result'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { type Async, LOADING, settled } from './async'
import { coalesce } from './coalesce'

export type SessionDataState<T> = {
  session: string | null
  data: Async<T>
  /** Shows a session; the same one again does nothing. */
  show(session: string): void
  /** Stops what is being read of it, until it is shown again. */
  stop(): void
  reload(): void
}

export type SessionDataStore<T> = StoreApi<SessionDataState<T>>

/** Creates the store for what `fetch` answers. */
export function createSessionDataStore<T>(
  client: Client,
  fetch: (session: string, signal: AbortSignal) => Promise<Result<T>>,
): SessionDataStore<T> {
  let reading = new AbortController()
  const store = createStore<SessionDataState<T>>()((set, get) => ({
    session: null,
    data: LOADING,
    show(session) {
      const isSame = get().session === session
      if (isSame && !reading.signal.aborted) return
      reading.abort()
      reading = new AbortController()
      if (!isSame) set({ session, data: LOADING })
      void load()
    },
    stop() {
      reading.abort()
    },
    reload() {
      if (get().data.state === 'error') set({ data: LOADING })
      void load()
    },
  }))
  const load = coalesce(async () => {
    const { session } = store.getState()
    if (session === null) return
    const { signal } = reading
    const result = await fetch(session, signal)
    const now = store.getState()
    if (now.session !== session || signal.aborted) return
    // What is on screen stays there when a refresh fails.
    if (!result.ok && now.data.state === 'ready') return
    store.setState({ data: settled(result) })
  })
  client.on('session.changed', event => {
    if (event.session === store.getState().session && event.how !== 'gone') void load()
  })
  return store
}
