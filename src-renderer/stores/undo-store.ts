/** Changes made from this window that can still be taken back, oldest first: what Ctrl/Cmd+Z goes through. */
import type { ChangeView } from '@shared/ipc/models/change-models'
import { createStore } from 'zustand/vanilla'

export type UndoableChange = { id: string; kind: ChangeView['kind'] }

export type UndoState = {
  changes: readonly UndoableChange[]
  /** How many changes are being made or wait for their turn. */
  running: number
  /** Notes a change that was just made; one that goes on (a round of editing) is noted once. */
  made(change: UndoableChange): void
  /** It was taken back, or can no longer be. */
  forget(id: string): void
  /** Waits for a change that is being made: what is done in turn waits for it too. */
  during<T>(change: Promise<T>): Promise<T>
  /** Does `work` when no change is being made any more, and all that was asked for in turn before it is done. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Deletes in turn those of `sessions` whose deletion is not under way already. */
  deleting(sessions: readonly string[], work: (sessions: readonly string[]) => Promise<void>): Promise<void>
}

export type UndoStore = ReturnType<typeof createUndoStore>

/** Older ones are still in Recent changes. */
const MOST = 50

export function createUndoStore() {
  const running = new Set<Promise<unknown>>()
  let queue: Promise<unknown> = Promise.resolve()
  const leaving = new Set<string>()
  return createStore<UndoState>()((set, get) => {
    const counted = <T>(change: Promise<T>): Promise<T> => {
      set({ running: get().running + 1 })
      return change.finally(() => set({ running: get().running - 1 }))
    }
    return {
      changes: [],
      running: 0,
      made: change =>
        set({ changes: [...get().changes.filter(other => other.id !== change.id), change].slice(-MOST) }),
      forget: id => set({ changes: get().changes.filter(change => change.id !== id) }),
      during: change => {
        running.add(change)
        return counted(change.finally(() => running.delete(change)))
      },
      inTurn: work => {
        const done = queue.then(async () => {
          while (running.size > 0) await Promise.allSettled([...running])
          return work()
        })
        queue = done
        return counted(done)
      },
      deleting: async (sessions, work) => {
        const named = sessions.filter(session => !leaving.has(session))
        if (named.length === 0) return
        for (const session of named) leaving.add(session)
        try {
          await get().inTurn(() => work(named))
        } finally {
          for (const session of named) leaving.delete(session)
        }
      },
    }
  })
}
