/** Short messages at the foot of the window. One that offers Undo also answers Ctrl/Cmd+Z. */
import type { ChangeReport, ChangeView } from '@shared/ipc/models/change-models'
import type { AppError } from '@shared/ipc/result'
import { createStore } from 'zustand/vanilla'

/** A change that is told of; an undo says what it took back, null when that is not known. */
export type ToldChange =
  | { kind: Exclude<ChangeView['kind'], 'rename' | 'label' | 'star'> }
  | { kind: 'rename'; title: string }
  /** Null: the label was cleared. */
  | { kind: 'label'; label: string | null }
  | { kind: 'star'; starred: boolean }
  | { kind: 'undo'; of: ChangeView['kind'] | null }

/** What a toast says, as data: words are chosen where it is shown. */
export type ToastBody =
  | { kind: 'text'; tone: 'done' | 'error'; text: string }
  | { kind: 'error'; error: AppError }
  /** What went wrong with a file that was to be opened. */
  | { kind: 'file'; path: string; text: string }
  | { kind: 'report'; change: ToldChange; report: ChangeReport }

export type Toast = {
  id: number
  body: ToastBody
  /** Change that Undo takes back, or null. */
  undo: string | null
}

export type ToastsState = {
  toasts: readonly Toast[]
  /** Says a sentence. */
  push(toast: { tone: 'done' | 'error'; text: string; undo: string | null }): void
  /** Tells of an error or a change. */
  tell(body: ToastBody, undo?: string | null): void
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
    push: ({ tone, text, undo }) => get().tell({ kind: 'text', tone, text }, undo),
    tell: (body, undo = null) => set({ toasts: [...get().toasts, { id: next++, body, undo }].slice(-MOST) }),
    dismiss: id => set({ toasts: get().toasts.filter(toast => toast.id !== id) }),
    dismissUndo: change => set({ toasts: get().toasts.filter(toast => toast.undo !== change) }),
  }))
}
