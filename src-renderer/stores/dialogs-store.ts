/** Which dialog is open. One at a time: a question is answered before the next is asked. */
import type { DeletePlan, RerootSubject, TrashItem } from '@shared/ipc/models/change-models'
import { createStore } from 'zustand/vanilla'

export type OpenDialog =
  | { kind: 'reroot'; subject: RerootSubject }
  | { kind: 'delete'; plan: DeletePlan }
  | { kind: 'empty-trash'; items: TrashItem[]; all: boolean }
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
