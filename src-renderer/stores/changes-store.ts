/** Every change Grove made, newest first, read when it is first looked at and again on each change. */
import type { ChangeView } from '@shared/ipc/models/change-models'
import { createStore } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { type Async, LOADING, settled } from './async'
import { coalesce } from './coalesce'

export type ChangesState = {
  changes: Async<ChangeView[]>
  refresh(): Promise<void>
}

export type ChangesStore = ReturnType<typeof createChangesStore>

export function createChangesStore(client: Client) {
  let looked = false
  const store = createStore<ChangesState>()(set => ({
    changes: LOADING,
    refresh: coalesce(async () => {
      looked = true
      set({ changes: settled(await client.call('changes.list', {})) })
    }),
  }))
  client.on('changes.changed', () => {
    if (looked) void store.getState().refresh()
  })
  return store
}
