/** What lies in Grove's trash, read when it is first looked at and again on each change. */
import type { TrashView } from '@shared/ipc/models/change-models'
import { createStore } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { type Async, LOADING, readyValue, settled } from './async'
import { coalesce } from './coalesce'
import { NO_SELECTION, prune, type Selection } from './selection'

export type TrashState = {
  view: Async<TrashView>
  selection: Selection
  setSelection(selection: Selection): void
  refresh(): Promise<void>
}

export type TrashStore = ReturnType<typeof createTrashStore>

export function createTrashStore(client: Client) {
  let looked = false
  const store = createStore<TrashState>()((set, get) => ({
    view: LOADING,
    selection: NO_SELECTION,
    setSelection: selection => set({ selection }),
    refresh: coalesce(async () => {
      looked = true
      const before = readyValue(get().view)?.items.map(item => item.id) ?? []
      const view = settled(await client.call('trash.list', {}))
      const after = readyValue(view)?.items.map(item => item.id) ?? []
      set({ view, selection: prune(get().selection, before, after) })
    }),
  }))
  const again = () => {
    if (looked) void store.getState().refresh()
  }
  client.on('library.changed', again)
  client.on('changes.changed', again)
  return store
}
