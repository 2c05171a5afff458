/**
 * RECOVERY: finishing or rolling back what a killed process left.
 *
 * Guarantees
 *   Only journals whose owner is dead (pid gone, or in use by a process that began at another time, or an earlier
 *   instance of this process) or that were abandoned are touched; each by one process at a time.
 *   Repeatable: a crash in the middle of recovery is recovered by the next one.
 *   A journal that is not understood is left and reported; a handler that fails leaves the journal for later.
 *
 * Call it when a worker or a CLI command that changes things starts. It writes nothing when there is nothing to
 * recover.
 */
import path from 'node:path'
import type { AppError } from '@shared/ipc/result'
import { ok, type Result } from '@shared/ipc/result'
import type { WorkContext } from '../../engine/environment'
import { isTemporaryName } from '../../engine/storage/atomic-replace'
import { attempt } from '../../engine/storage/errors'
import { withPublishLock } from '../../engine/storage/publish-lock'
import { type ChangeContext, type ChangeHandlers, handlerOf, lockProbeOf } from './change-handlers'
import { keptTextsDirectory } from './kept-texts'
import {
  type ChangeKind,
  currentOwner,
  isOwnerDead,
  listOperations,
  type OpenOperation,
  type Owner,
  readOperation,
  reopenOperation,
} from './operation-journal'

export type RecoveryReport = {
  recovered: { id: string; kind: ChangeKind; notes: string[] }[]
  failed: { id: string; kind: ChangeKind; error: AppError }[]
  /** Changes that other processes are running now. */
  running: number
  broken: { path: string; reason: string }[]
}

/** What a recovery did and could not do, one sentence each, for the user. */
export function recoverySentences({ recovered, failed, broken }: RecoveryReport): string[] {
  return [
    ...recovered.flatMap(({ notes }) => notes),
    ...failed.map(({ error }) => error.message),
    ...broken.map(({ reason }) => reason),
  ]
}

/** A leftover temporary file of Grove's own data is this old before it is taken for one. */
const LEFTOVER_MS = 60_000

export async function recoverOperations(
  context: ChangeContext,
  handlers: ChangeHandlers,
  work: WorkContext,
): Promise<Result<RecoveryReport>> {
  const { env, data, deps } = context
  const list = listOperations(env, data)
  if (!list.ok) return list
  const self = currentOwner(env, deps.processes, deps.instance)
  const report: RecoveryReport = { recovered: [], failed: [], running: 0, broken: list.value.broken }
  for (const operation of list.value.operations) {
    await work.breathe()
    if (!isRecoverable(operation, self, context)) {
      report.running++
      continue
    }
    const outcome = await recoverOne(operation, self, context, handlers, work)
    const { id, kind } = operation
    if (!outcome.ok) report.failed.push({ id, kind, error: outcome.error })
    else if (outcome.value !== null) report.recovered.push({ id, kind, notes: outcome.value })
  }
  sweepLeftovers(context)
  return ok(report)
}

function isRecoverable(operation: OpenOperation, self: Owner, { deps }: ChangeContext): boolean {
  return operation.abandoned || isOwnerDead(operation.owner, self, deps.processes)
}

async function recoverOne(
  operation: OpenOperation,
  self: Owner,
  context: ChangeContext,
  handlers: ChangeHandlers,
  work: WorkContext,
): Promise<Result<string[] | null>> {
  const { env } = context
  const handler = handlerOf(handlers, operation.kind)
  // A kind that this program does not know (the CLI may know fewer): left to one that does.
  if (handler === undefined) return ok(null)
  return withPublishLock(
    env,
    operation.path,
    async () => {
      const now = readOperation(env, operation.path)
      // Another process recovered it while we waited.
      if (!now.ok) return now.error.code === 'not-found' ? ok(null) : now
      if (!isRecoverable(now.value, self, context)) return ok(null)
      const outcome = await handler.recover(now.value, context, work)
      if (!outcome.ok) return outcome
      const finished = reopenOperation(env, now.value).finish()
      return finished.ok ? ok(outcome.value.notes) : finished
    },
    lockProbeOf(context.deps),
  )
}

/** Takes away temporary files that killed processes left in Grove's own directory. Best effort. */
function sweepLeftovers({ env, data }: ChangeContext): void {
  for (const directory of [data.directory, data.operations, keptTextsDirectory(data)]) {
    const entries = attempt('read', directory, () => env.fs.readDirectory(directory))
    if (!entries.ok) continue
    for (const entry of entries.value) {
      if (entry.kind !== 'file' || !isTemporaryName(entry.name)) continue
      const file = path.join(directory, entry.name)
      attempt('remove', file, () => {
        if (env.now() - env.fs.lstat(file).mtimeMs >= LEFTOVER_MS) env.fs.unlink(file)
      })
    }
  }
}
