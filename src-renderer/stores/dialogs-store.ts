/** Which dialog is open. One at a time: a question is answered before the next is asked. */
import type { DeletePlan, MaybeInUse, RerootSubject, TrashItem } from '@shared/ipc/models/change-models'
import { createStore } from 'zustand/vanilla'

export type OpenDialog =
  /** `to`: a folder that was dropped on the project; it is previewed like one that is chosen. */
  | { kind: 'reroot'; subject: RerootSubject; to?: string }
  | { kind: 'delete'; plan: DeletePlan }
  | { kind: 'empty-trash'; items: TrashItem[]; all: boolean }
  | { kind: 'move'; sessions: readonly string[] }
  /** `entry`: its id; the path to it becomes the new session; null: everything. */
  | { kind: 'fork'; session: string; entry: string | null }
  | { kind: 'label'; session: string; entry: string; label: string | null }
  /** A change that waits for the user's word: an omp that nothing ties to a session runs in the folder. */
  | { kind: 'maybe-in-use'; maybe: readonly MaybeInUse[]; act: string; apply(): Promise<void> }
  /** The one box: everything, or sessions only. */
  | { kind: 'search'; sessionsOnly: boolean }
  | { kind: 'settings' }
  | { kind: 'shortcuts' }
  | { kind: 'about' }

export type DialogsState = {
  open: OpenDialog | null
  show(dialog: OpenDialog): void
  close(): void
}

export type DialogsStore = ReturnType<typeof createDialogsStore>

export function createDialogsStore() {
  return createStore<DialogsState>()(set => ({
    open: null,
    show: open => set({ open }),
    close: () => set({ open: null }),
  }))
}
