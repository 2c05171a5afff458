/**
 * Where the window was, from start to start: a file of its own in Grove's own data. One that is damaged is set aside
 * and the window opens where it does at first; nothing that concerns the window's place keeps Grove from starting.
 */
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import { finiteOrNull, type JsonObject, objectOf, parseObject } from '@shared/session/json'
import type { Environment } from '../engine/environment'
import { writeWholeNow } from '../engine/storage/atomic-replace'
import { attempt } from '../engine/storage/errors'
import { readWholeText } from '../engine/storage/read-whole'
import { ensureGroveData, type GroveData } from '../library/grove-data'
import type { Rectangle } from './window-placement'

export type WindowState = {
  /** Place and size of the window when it is neither maximised nor full screen. */
  bounds: Rectangle
  maximized: boolean
  fullScreen: boolean
  zoomFactor: number
}

/** Larger than any such file is. */
const MOST_BYTES = 64 * 1024
/** What Chromium's own zoom goes to. */
const ZOOM = { least: 0.25, most: 5 }

function stateFile(data: GroveData): string {
  return path.join(data.directory, 'window.json')
}

/** The remembered state; null when there is none, or none that can be read. */
export function readWindowState(env: Environment, data: GroveData): WindowState | null {
  const file = stateFile(data)
  const text = attempt('read', file, () => readWholeText(env.fs, file, MOST_BYTES))
  if (!text.ok && text.error.code === 'not-found') return null
  const stored = text.ok ? parseObject(text.value) : null
  const state = stored === null ? null : stateIn(stored)
  // Kept for whoever wants to know; when it cannot be moved, the next write replaces it.
  if (state === null) attempt('set aside', file, () => env.fs.rename(file, `${file}.damaged`))
  return state
}

/** Written whole or not at all. */
export function writeWindowState(env: Environment, data: GroveData, state: WindowState): Result<void> {
  const ready = ensureGroveData(env, data)
  if (!ready.ok) return ready
  const written = writeWholeNow(env, stateFile(data), `${JSON.stringify(state, null, 2)}\n`, 0o600)
  return written.ok ? ok(undefined) : written
}

function stateIn(stored: JsonObject): WindowState | null {
  const bounds = rectangleIn(objectOf(stored.bounds))
  const zoomFactor = finiteOrNull(stored.zoomFactor)
  if (bounds === null || zoomFactor === null) return null
  return {
    bounds,
    maximized: stored.maximized === true,
    fullScreen: stored.fullScreen === true,
    zoomFactor: Math.min(Math.max(zoomFactor, ZOOM.least), ZOOM.most),
  }
}

function rectangleIn(stored: JsonObject): Rectangle | null {
  const [x, y, width, height] = [stored.x, stored.y, stored.width, stored.height].map(pixels)
  if (x == null || y == null || width == null || height == null) return null
  return width > 0 && height > 0 ? { x, y, width, height } : null
}

/** A whole number of pixels such as a screen has; null for anything else. */
function pixels(value: unknown): number | null {
  const number = finiteOrNull(value)
  return number !== null && Math.abs(number) < 1_000_000 ? Math.round(number) : null
}
