/** The drafts of all sessions, read when they are looked at, and again on each change while they are shown. */
import type { DraftsView } from '@shared/ipc/models/manage-models'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Client } from '../api/client'
import { type Async, LOADING, readyValue, settled } from './async'
import { coalesce } from './coalesce'
import { perClient } from './per-client'
import { NO_SELECTION, prune, type Selection } from './selection'

export type DraftsState = {
  view: Async<DraftsView>
  filter: string
  /** By the refs of the drafts. */
  selection: Selection
  setFilter(filter: string): void
  setSelection(selection: Selection): void
  refresh(): Promise<void>
  /** The drafts are on screen, and read again as they change, until the answer is called. */
  shown(): () => void
}

export type DraftsStore = StoreApi<DraftsState>

export function createDraftsStore(client: Client): DraftsStore {
  let views = 0
  const store = createStore<DraftsState>()((set, get) => ({
    view: LOADING,
    filter: '',
    selection: NO_SELECTION,
    setFilter: filter => set({ filter }),
    setSelection: selection => set({ selection }),
    refresh: coalesce(async () => {
      const before = refsOf(get().view)
      const view = settled(await client.call('drafts.list', {}))
      // Those on screen stay there when looking again fails.
      if (view.state === 'error' && get().view.state === 'ready') return
      set({ view, selection: prune(get().selection, before, refsOf(view)) })
    }),
    shown() {
      views++
      void get().refresh()
      return () => {
        views--
      }
    },
  }))
  const again = () => {
    if (views > 0) void store.getState().refresh()
  }
  client.on('library.changed', again)
  client.on('changes.changed', again)
  client.on('draft.changed', again)
  return store
}

function refsOf(view: Async<DraftsView>): string[] {
  return readyValue(view)?.items.map(item => item.ref) ?? []
}

export const draftsStoreOf = perClient(createDraftsStore)
