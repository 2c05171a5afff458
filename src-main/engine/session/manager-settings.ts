/** What a session manager is given besides the environment: where things are, what is promised, who else is asked. */
import type { AppError } from '@shared/ipc/result'
import type { InUseCheck } from '../in-use/in-use'
import type { AgentLayout } from '../layout/agent-directories'
import type { StorageStat, SyncMode } from '../storage/session-storage'
import type { ManyFileOperations } from './many-file-operations'
import type { SharingMode } from './session-writer'

export type ManagerSettings = {
  /** The agent directory whose sessions, blobs and breadcrumbs are meant. */
  layout: AgentLayout
  /** What an acknowledged append promises. Default `os`: it survives the end of this process. */
  sync?: SyncMode
  /** What happens when another program wrote to the session meanwhile. Default `refuse`. */
  sharing?: SharingMode
  /** Whether entries wait in memory for the first assistant message, as in omp, or are on disk at once. Default `lazy`. */
  gate?: 'lazy' | 'open'
  /**
   * The terminal for which breadcrumbs are left, as `terminalIdOf` names it. Default none: a program that only looks
   * after sessions must not change what omp continues.
   */
  terminalId?: string | null
  /** A fresh look at who uses sessions; without it nobody is asked, and locks alone decide. */
  inUse?(): Promise<InUseCheck>
  /** Go on where it cannot be told whether an omp in the folder has the session. Default false. */
  includeMaybe?: boolean
  /** Fork, move and drop; without them these are refused. */
  operations?: ManyFileOperations
  /** Told of what failed beside a change that was made: a breadcrumb, a note in the registry. */
  notice?(error: AppError): void
  /** Whether this is the state that a write of ours left, in an earlier run of this program. */
  wasOurs?(journal: string, stat: StorageStat): boolean
  /** Told what each of our own writes left, so that it does not count as another program's. */
  wrote?(journal: string, after: StorageStat): void
}
