/** All stores of one window, made once and handed down by context. */
import { createContext, type ReactNode, useContext } from 'react'
import type { Client } from '../api/client'
import { type ChangesStore, createChangesStore } from './changes-store'
import { createDialogsStore, type DialogsStore } from './dialogs-store'
import { createLibraryStore, type LibraryStore } from './library-store'
import { createListStore, type ListStore } from './list-store'
import { createNavigationStore, type NavigationStore } from './navigation-store'
import { createRenameStore, type RenameStore } from './rename-store'
import { createSessionStore } from './session-store'
import { createSettingsStore, type SettingsStore } from './settings-store'
import { createToastsStore, type ToastsStore } from './toasts-store'
import { createTranscriptStore } from './transcript-store'
import { createTrashStore, type TrashStore } from './trash-store'
import { createUndoStore, type UndoStore } from './undo-store'

export type Stores = {
  client: Client
  settings: SettingsStore
  library: LibraryStore
  list: ListStore
  session: ReturnType<typeof createSessionStore>
  transcript: ReturnType<typeof createTranscriptStore>
  changes: ChangesStore
  trash: TrashStore
  dialogs: DialogsStore
  navigation: NavigationStore
  toasts: ToastsStore
  rename: RenameStore
  undo: UndoStore
}

/** Makes every store with the same client. Nothing is fetched yet. */
export function createStores(client: Client): Stores {
  return {
    client,
    settings: createSettingsStore(client),
    library: createLibraryStore(client),
    list: createListStore(client),
    session: createSessionStore(client),
    transcript: createTranscriptStore(client),
    changes: createChangesStore(client),
    trash: createTrashStore(client),
    dialogs: createDialogsStore(),
    navigation: createNavigationStore(),
    toasts: createToastsStore(),
    rename: createRenameStore(),
    undo: createUndoStore(),
  }
}

const Context = createContext<Stores | null>(null)

export function StoresProvider({ stores, children }: { stores: Stores; children: ReactNode }) {
  return <Context value={stores}>{children}</Context>
}

/** The stores of this window. */
export function useStores(): Stores {
  const stores = useContext(Context)
  if (!stores) throw new Error('useStores outside of StoresProvider')
  return stores
}
