/** Short messages at the foot of the window. One that offers Undo also answers Ctrl/Cmd+Z. */
import { createStore } from 'zustand/vanilla'

export type Toast = {
  id: number
  tone: 'done' | 'error'
  text: string
  /** Change that Undo takes back, or null. */
  undo: string | null
}

export type ToastsState = {
  toasts: readonly Toast[]
  push(toast: Omit<Toast, 'id'>): void
  dismiss(id: number): void
  /** Removes toasts that offer to undo `change`: it is undone. */
  dismissUndo(change: string): void
}

export type ToastsStore = ReturnType<typeof createToastsStore>

/** More than this many at once hide each other. */
const MOST = 3

export function createToastsStore() {
  let next = 1
  return createStore<ToastsState>()((set, get) => ({
    toasts: [],
    push: toast => set({ toasts: [...get().toasts, { ...toast, id: next++ }].slice(-MOST) }),
    dismiss: id => set({ toasts: get().toasts.filter(toast => toast.id !== id) }),
    dismissUndo: change => set({ toasts: get().toasts.filter(toast => toast.undo !== change) }),
  }))
}
