/**
 * Where reading of each session was left, from start to start: a file of its own in Grove's own data, bounded and disposable.
 * One that cannot be read counts for none; sessions then open at their newest end.
 */
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { finiteOrNull, objectOf, parseObject, stringOrNull } from '@shared/session/json'
import type { Environment } from '../../engine/environment'
import { writeWholeNow } from '../../engine/storage/atomic-replace'
import { attempt } from '../../engine/storage/errors'
import { readWholeText } from '../../engine/storage/read-whole'
import { ensureGroveData, type GroveData } from '../grove-data'

/** The first row that was to be seen: its entry, which of the entry's rows, and how far that was scrolled out, in pixels. */
export type LastRead = { entry: string; below: number; offset: number }

export function lastReadFile(data: GroveData): string {
  return path.join(data.directory, 'last-read.json')
}

/** By session, the one that was left last at the end. */
export function readLastRead(env: Environment, data: GroveData): Map<string, LastRead> {
  const file = lastReadFile(data)
  const text = attempt('read', file, () => readWholeText(env.fs, file, limits.lastReadBytes))
  const sessions = objectOf((text.ok ? parseObject(text.value) : null)?.sessions)
  const places = new Map<string, LastRead>()
  for (const [session, value] of Object.entries(sessions).slice(-limits.lastRead)) {
    const stored = objectOf(value)
    const entry = stringOrNull(stored.entry)
    const below = finiteOrNull(stored.below)
    const offset = finiteOrNull(stored.offset)
    if (entry !== null && below !== null && below >= 0 && offset !== null)
      places.set(session, { entry, below: Math.round(below), offset })
  }
  return places
}

/** Written whole or not at all. */
export function writeLastRead(
  env: Environment,
  data: GroveData,
  places: readonly (readonly [string, LastRead])[],
): Result<void> {
  const ready = ensureGroveData(env, data)
  if (!ready.ok) return ready
  const text = `${JSON.stringify({ sessions: Object.fromEntries(places) })}\n`
  const written = writeWholeNow(env, lastReadFile(data), text, 0o600)
  return written.ok ? ok(undefined) : written
}
