/** One-line texts of entries, fetched for the rows that are on screen, kept while the session is shown. */
import type { EntryPreview } from '@shared/ipc/models/session-models'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { perClient } from './per-client'

/** Entries per call, as the contract allows. */
const MOST = 400
/** Time (ms) in which the rows of one scroll are collected to one call. */
const COLLECT_MS = 30

export type PreviewsState = {
  session: string | null
  previews: ReadonlyMap<number, EntryPreview>
  show(session: string): void
  need(ordinals: readonly number[]): void
}

export type PreviewsStore = StoreApi<PreviewsState>

/** Creates the store. */
export function createPreviewsStore(client: Client): PreviewsStore {
  let wanted = new Set<number>()
  let asked = new Set<number>()
  let waiting = false

  const flush = async () => {
    waiting = false
    const { session } = store.getState()
    // The newest wishes first: those before may have been scrolled away.
    const ordinals = [...wanted].slice(-MOST)
    wanted = new Set([...wanted].slice(0, -MOST))
    if (wanted.size > 0) schedule()
    if (session === null || ordinals.length === 0) return
    for (const ordinal of ordinals) asked.add(ordinal)
    const result = await client.call('session.previews', { session, ordinals })
    const now = store.getState()
    if (now.session !== session) return
    if (!result.ok) {
      for (const ordinal of ordinals) asked.delete(ordinal)
      return
    }
    const previews = new Map(now.previews)
    for (const preview of result.value) previews.set(preview.ordinal, preview)
    store.setState({ previews })
  }
  const schedule = () => {
    if (waiting) return
    waiting = true
    setTimeout(() => void flush(), COLLECT_MS)
  }

  const store = createStore<PreviewsState>()((set, get) => ({
    session: null,
    previews: new Map(),
    show(session) {
      if (get().session === session) return
      wanted = new Set()
      asked = new Set()
      set({ session, previews: new Map() })
    },
    need(ordinals) {
      for (const ordinal of ordinals) if (!asked.has(ordinal)) wanted.add(ordinal)
      if (wanted.size > 0) schedule()
    },
  }))
  client.on('session.changed', event => {
    if (event.session !== store.getState().session || event.how !== 'rewritten') return
    wanted = new Set()
    asked = new Set()
    store.setState({ previews: new Map() })
  })
  return store
}

export const previewsStoreOf = perClient(createPreviewsStore)
