/**
 * What the user chose, in Grove's own data directory. Read tolerantly: a missing or broken file, or one with
 * unknown keys, gives defaults for what cannot be read. Written whole and only when something was chosen.
 */
import path from 'node:path'
import { DEFAULT_SETTINGS, type Settings, settings as settingsSchema } from '@shared/ipc/models/app-models'
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { parseObject } from '@shared/session/json'
import type { Environment } from '../engine/environment'
import { writeWholeNow } from '../engine/storage/atomic-replace'
import { attempt } from '../engine/storage/errors'
import { readWholeText } from '../engine/storage/read-whole'
import { ensureGroveData, type GroveData } from './grove-data'

export function settingsFile(data: GroveData): string {
  return path.join(data.directory, 'settings.json')
}

export function readSettings(env: Environment, data: GroveData): Settings {
  const stored = readStored(env, settingsFile(data))
  const merged: Record<string, unknown> = { ...DEFAULT_SETTINGS }
  for (const key of Object.keys(DEFAULT_SETTINGS)) {
    const candidate = settingsSchema.safeParse({ ...merged, [key]: stored[key] })
    if (key in stored && candidate.success) merged[key] = stored[key]
  }
  return settingsSchema.parse(merged)
}

function readStored(env: Environment, file: string): Record<string, unknown> {
  const text = attempt('read', file, () => readWholeText(env.fs, file, limits.namesBytes))
  return (text.ok ? parseObject(text.value) : null) ?? {}
}

export function writeSettings(env: Environment, data: GroveData, next: Settings): Result<Settings> {
  const ready = ensureGroveData(env, data)
  if (!ready.ok) return ready
  const written = writeWholeNow(env, settingsFile(data), `${JSON.stringify(next, null, 2)}\n`, 0o600)
  return written.ok ? ok(next) : written
}
