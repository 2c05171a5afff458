/** Changes made from this window that can still be taken back, oldest first: what Ctrl/Cmd+Z goes through. */
import type { ChangeView } from '@shared/ipc/models/change-models'
import { createStore } from 'zustand/vanilla'

export type UndoableChange = { id: string; kind: ChangeView['kind'] }

export type UndoState = {
  changes: readonly UndoableChange[]
  /** Notes a change that was just made; one that goes on (a round of editing) is noted once. */
  made(change: UndoableChange): void
  /** It was taken back, or can no longer be. */
  forget(id: string): void
}

export type UndoStore = ReturnType<typeof createUndoStore>

/** Older ones are still in Recent changes. */
const MOST = 50

export function createUndoStore() {
  return createStore<UndoState>()((set, get) => ({
    changes: [],
    made: change =>
      set({ changes: [...get().changes.filter(other => other.id !== change.id), change].slice(-MOST) }),
    forget: id => set({ changes: get().changes.filter(change => change.id !== id) }),
  }))
}
