/**
 * What the engine is given from outside: file system, time, ids, and the facts of the user's account.
 * Nothing in the engine or the library reads a clock, a random number or an environment variable itself.
 */
import type { FileSystem } from './storage/file-system'

export interface Environment {
  fs: FileSystem
  /** Unix milliseconds. */
  now(): number
  /** Random UUID version 4, for names of temporary files, changes and trash. */
  uuid(): string
  /** Random UUID version 7, for sessions. */
  sessionId(): string
  pid: number
  platform: NodeJS.Platform
  home: string
  tempDir: string
  env: Readonly<Record<string, string | undefined>>
}

/**
 * How long work runs: `breathe` is called between steps and lets other work in; it throws `EngineError`
 * `cancelled` once the user cancelled. `progress` may be called as often as one likes.
 */
export interface WorkContext {
  breathe(): Promise<void>
  progress(done: number, total: number, text: string): void
}

/** Work that nobody watches: never cancelled, reports to nobody. */
export const silentWork: WorkContext = {
  breathe: () => Promise.resolve(),
  progress: () => undefined,
}
