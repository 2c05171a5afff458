/**
 * Where Grove keeps its own data: journals of changes in progress and the list of recent changes. App and CLI
 * compute it alike, so that each sees what the other did. Looking makes nothing: the directories are made by
 * the first change.
 */
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import type { Environment } from '../engine/environment'
import { ensureDirectory } from '../engine/storage/directory-sync'
import { attempt } from '../engine/storage/errors'

export type GroveData = {
  directory: string
  /** One write-ahead journal per change in progress. */
  operations: string
  /** The list of recent changes. */
  changes: string
}

/** Grove's data directory; `GROVE_DATA_DIR` overrides the system's custom. */
export function groveData(env: Environment): GroveData {
  const directory = dataDirectory(env)
  const p = env.platform === 'win32' ? path.win32 : path.posix
  return {
    directory,
    operations: p.join(directory, 'operations'),
    changes: p.join(directory, 'changes.json'),
  }
}

function dataDirectory(env: Environment): string {
  const own = env.env.GROVE_DATA_DIR
  const p = env.platform === 'win32' ? path.win32 : path.posix
  if (own !== undefined && own !== '') return p.resolve(own)
  if (env.platform === 'win32') {
    const roaming = env.env.APPDATA
    const base = roaming === undefined || roaming === '' ? p.join(env.home, 'AppData', 'Roaming') : roaming
    return p.join(base, 'Grove')
  }
  if (env.platform === 'darwin') return p.join(env.home, 'Library', 'Application Support', 'Grove')
  const xdg = env.env.XDG_DATA_HOME
  // The XDG rules say that a relative value is to be ignored.
  const base = xdg !== undefined && p.isAbsolute(xdg) ? xdg : p.join(env.home, '.local', 'share')
  return p.join(base, 'grove')
}

/** Makes the directories, for the account's owner only. Called by changes, never by looking. */
export function ensureGroveData(env: Environment, data: GroveData): Result<void> {
  return attempt('make', data.directory, () => {
    ensureDirectory(env, data.directory, 0o700)
    ensureDirectory(env, data.operations, 0o700)
  })
}
