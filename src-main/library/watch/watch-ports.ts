/**
 * What watching needs of the system, passed in, so that tests can refuse it. Nothing here writes, and nothing waits for the
 * disk: a network drive that hangs must not hold up main.
 */
import type { Result } from '@shared/ipc/result'

/** Which folder stands at a path. */
export type FolderIdentity = {
  /** Its path with links resolved: a link itself cannot be watched. */
  real: string
  /** Differs when another folder stands at the path. */
  key: string
}

/** What a subscription tells. The paths are hints: whoever gets them looks again. */
export type Told =
  | { kind: 'changed'; created: string[]; deleted: string[] }
  /** It ended by itself. */
  | { kind: 'ended'; reason: string }

export type Subscription = { end(): Promise<void> }

/** `deep`: with all that lies below, but for `except`; `names`: only these files of the folder itself (null: all). */
export type WatchReach = { deep: true; except: string[] } | { deep: false; names: readonly string[] | null }

export type WatchPorts = {
  /** Null where there is nothing. */
  identify(folder: string): Promise<Result<FolderIdentity | null>>
  /** Rejects with the reason when the folder cannot be watched. */
  subscribe(real: string, reach: WatchReach, told: (told: Told) => void): Promise<Subscription>
  /**
   * Whether a path that was just made is a folder with folders in it that the subscription does not reach: they came before
   * it was noticed, or together with it.
   */
  isOutOfReach(created: string): Promise<boolean>
}
