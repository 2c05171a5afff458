/** The last rows of a large session that is being opened: there before anything else, to be looked at meanwhile. */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { perClient } from './per-client'

/** More than a screen of them. */
const ROWS = 20

export type LastRowsState = {
  session: string | null
  /** Empty until they are there, and where there are none. */
  rows: readonly TranscriptRow[]
  /** Asks for those of a session; of the one before, nothing is shown any more. */
  show(session: string): Promise<void>
  /** What they stood for is there. */
  clear(): void
}

export function createLastRowsStore(client: Client): StoreApi<LastRowsState> {
  return createStore<LastRowsState>()((set, get) => ({
    session: null,
    rows: [],
    async show(session) {
      set({ session, rows: [] })
      const rows = await client.call('session.lastRows', { session, count: ROWS })
      if (get().session === session && rows.ok && rows.value !== null) set({ rows: rows.value })
    },
    clear() {
      set({ session: null, rows: [] })
    },
  }))
}

export const lastRowsStoreOf = perClient(createLastRowsStore)
