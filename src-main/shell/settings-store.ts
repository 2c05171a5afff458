/** The user's settings while the app runs: read once, written when they change. */

import type { Settings } from '@shared/ipc/models/app-models'
import type { Result } from '@shared/ipc/result'
import { nativeTheme } from 'electron'
import type { Environment } from '../engine/environment'
import { groveData } from '../library/grove-data'
import { readSettings, writeSettings } from '../library/settings-file'

export type SettingsChange = { [K in keyof Settings]?: Settings[K] | undefined }

export class SettingsStore {
  current: Settings
  private readonly env: Environment
  private readonly changed: (settings: Settings) => void

  constructor(env: Environment, changed: (settings: Settings) => void) {
    this.env = env
    this.changed = changed
    this.current = readSettings(env, groveData(env))
  }

  /** Keeps the choice for this run even when it cannot be written; the error says so. */
  set(change: SettingsChange): Result<Settings> {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    this.current = { ...this.current, ...given }
    nativeTheme.themeSource = this.current.theme
    this.changed(this.current)
    return writeSettings(this.env, groveData(this.env), this.current)
  }
}
