/** The library at a glance: roots, projects, counts, scan. One snapshot, refetched when main says so. */
import type { LibrarySnapshot } from '@shared/ipc/models/library-models'
import { createStore } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { type Async, LOADING, settled } from './async'
import { coalesce } from './coalesce'

export type LibraryState = {
  snapshot: Async<LibrarySnapshot>
  refresh(): Promise<void>
}

export type LibraryStore = ReturnType<typeof createLibraryStore>

/** While a scan runs, its progress is asked for this often (ms), besides main's events. */
const SCAN_POLL = 700

export function createLibraryStore(client: Client) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const store = createStore<LibraryState>()((set, get) => {
    const refresh = coalesce(async () => {
      clearTimeout(timer)
      const result = await client.call('library.snapshot', {})
      // A failed refresh keeps the last good snapshot: the rows on screen are still true.
      if (result.ok || get().snapshot.state !== 'ready') set({ snapshot: settled(result) })
      if (result.ok && result.value.scanning) timer = setTimeout(() => void refresh(), SCAN_POLL)
    })
    return { snapshot: LOADING, refresh }
  })
  client.on('library.changed', () => void store.getState().refresh())
  return store
}
