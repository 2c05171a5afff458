/**
 * The processes of this machine, as far as in-use detection needs them. An interface, so that each system
 * answers by its own means and tests by none.
 */
import type { WorkContext } from '../environment'

export type ProcessInfo = {
  pid: number
  /** Program as a person would name it: `omp`, `vim`. */
  name: string
  /** Command line; empty when it cannot be read. */
  argv: readonly string[]
  /** Owner's user id, or null where the system does not tell. */
  uid: number | null
  /** Working directory, links resolved; null when it cannot be read. */
  cwd: string | null
  /** Terminal on standard input as a device path below /dev; null when there is none or it cannot be read. */
  terminal: string | null
  /** False when standard input could not be looked at, so that `terminal` is a guess or unknown. */
  terminalKnown: boolean
  /** Environment variables; null when they cannot be read. Needed of omp processes only. */
  env: Readonly<Record<string, string>> | null
  /** Regular files it has open; none when that may not be read (another user's process). */
  openFiles: readonly OpenFile[]
}

export type OpenFile = { dev: string; ino: string; path: string }

/** One look at all processes. `known` false: this system does not tell, and why. */
export type ProcessScan =
  | { known: true; processes: readonly ProcessInfo[] }
  | { known: false; reason: string }

export interface ProcessTable {
  /** One look serves all sessions; it breathes between processes. */
  scan(work: WorkContext): Promise<ProcessScan>
  isAlive(pid: number): boolean
  /**
   * A text that differs between two processes which had the same id one after the other (also across a restart
   * of the machine), or null when that cannot be told.
   */
  startOf(pid: number): string | null
  /** Unix milliseconds at which the process began, or null when that cannot be told. */
  startedAt(pid: number): number | null
}
