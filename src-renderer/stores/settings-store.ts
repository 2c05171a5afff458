/** What the user chose, and what program this is. Both come from main; a change is shown at once. */
import type { AppInfo, Settings } from '@shared/ipc/models/app-models'
import { DEFAULT_SETTINGS } from '@shared/ipc/models/app-models'
import type { AppError } from '@shared/ipc/result'
import { createStore } from 'zustand/vanilla'
import type { Client } from '../api/client'

export type SettingsState = {
  settings: Settings
  /** False until main has answered: remembered widths and theme are not known yet. */
  loaded: boolean
  info: AppInfo | null
  error: AppError | null
  load(): Promise<void>
  /** Shows the change at once, and goes back to what main says when it was refused. */
  set(change: Partial<Settings>): Promise<void>
}

export type SettingsStore = ReturnType<typeof createSettingsStore>

/** Reads settings through `client` and follows changes made elsewhere. */
export function createSettingsStore(client: Client) {
  const store = createStore<SettingsState>()((set, get) => ({
    settings: DEFAULT_SETTINGS,
    loaded: false,
    info: null,
    error: null,
    async load() {
      const [settings, info] = await Promise.all([
        client.call('settings.get', {}),
        client.call('app.info', {}),
      ])
      set({
        settings: settings.ok ? settings.value : DEFAULT_SETTINGS,
        info: info.ok ? info.value : null,
        error: settings.ok ? null : settings.error,
        loaded: true,
      })
    },
    async set(change) {
      const before = get().settings
      set({ settings: { ...before, ...change } })
      const result = await client.call('settings.set', change)
      if (result.ok) set({ settings: result.value, error: null })
      else set({ settings: before, error: result.error })
    },
  }))
  client.on('settings.changed', settings => store.setState({ settings }))
  return store
}
