/** What each kind of change knows how to do: finish or roll back after a crash, and be undone. */
import type { ChangeReport, MaybeInUse } from '@shared/ipc/models/change-models'
import type { Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../../engine/environment'
import type { InUseCheck } from '../../engine/in-use/in-use'
import type { InUseOptions } from '../../engine/in-use/in-use-check'
import type { ProcessTable } from '../../engine/in-use/process-table'
import type { LockProbe } from '../../engine/storage/publish-lock'
import type { GroveData } from '../grove-data'
import type { ChangeKind, OpenOperation } from './operation-journal'
import type { ChangeRecord } from './recent-changes'

/** What changes need beside the environment. */
export type ChangeDeps = {
  processes: ProcessTable
  /** Differs for every worker (or CLI run) that runs changes; see `isOwnerDead`. */
  instance: string
  /** A fresh look at who uses sessions. */
  inUse(work: WorkContext, options?: Pick<InUseOptions, 'writtenByGrove'>): Promise<InUseCheck>
}

export type ChangeContext = { env: Environment; data: GroveData; deps: ChangeDeps }

export type RecoveryOutcome = {
  /** Sentences for the user: what was finished or rolled back. */
  notes: string[]
}

export type UndoOutcome = {
  report: ChangeReport
  /** Undo information for what could not be undone yet; null when all is undone. */
  remaining: unknown
  /** Nothing was undone: these sessions may be in use, and the user is to be asked first. */
  maybe?: MaybeInUse[]
}

export interface ChangeHandler {
  readonly kind: ChangeKind
  /**
   * Finishes or rolls back what a dead owner left. Repeatable; recorded in recent changes by the handler under the
   * operation's id. Ok means that the journal may be removed.
   */
  recover(
    operation: OpenOperation,
    context: ChangeContext,
    work: WorkContext,
  ): Promise<Result<RecoveryOutcome>>
  /** Why the change can no longer be undone, or null. Looks only. */
  whyNotUndo(record: ChangeRecord, context: ChangeContext): string | null
  /** `includeMaybe`: also of a session that may be in use. */
  undo(
    record: ChangeRecord,
    context: ChangeContext,
    work: WorkContext,
    includeMaybe: boolean,
  ): Promise<Result<UndoOutcome>>
}

/** One handler per kind; composed by whoever starts the worker or the CLI. */
export type ChangeHandlers = readonly ChangeHandler[]

export function handlerOf(handlers: ChangeHandlers, kind: ChangeKind): ChangeHandler | undefined {
  return handlers.find(handler => handler.kind === kind)
}

/** How locks learn about other processes in this context. */
export function lockProbeOf({ processes }: ChangeDeps): LockProbe {
  return { isAlive: pid => processes.isAlive(pid), startedAt: pid => processes.startedAt(pid) }
}
