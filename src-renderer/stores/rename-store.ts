/** Which session is being renamed in place, and where its field stands. */
import { createStore } from 'zustand/vanilla'

export type RenameState = {
  session: string | null
  /** The row in the list, or the head of the open session. */
  at: 'list' | 'header'
  begin(session: string, at: 'list' | 'header'): void
  end(): void
}

export type RenameStore = ReturnType<typeof createRenameStore>

export function createRenameStore() {
  return createStore<RenameState>()(set => ({
    session: null,
    at: 'list',
    begin: (session, at) => set({ session, at }),
    end: () => set({ session: null }),
  }))
}
