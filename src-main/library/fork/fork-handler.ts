/** What recovery and undo know of forks. */
import { err, ok, type Result } from '@shared/ipc/result'
import { silentWork, type WorkContext } from '../../engine/environment'
import { attemptAsync } from '../../engine/storage/errors'
import { identityDifference, verifyIdentity } from '../../engine/storage/file-identity'
import { walkTree } from '../../engine/storage/tree-walk'
import type { ChangeContext, ChangeHandler, RecoveryOutcome, UndoOutcome } from '../changes/change-handlers'
import type { OpenOperation } from '../changes/operation-journal'
import { ownWrites } from '../changes/own-writes'
import { type ChangeRecord, recordChange } from '../changes/recent-changes'
import { UNREADABLE } from '../changes/words'
import { sweepBlobLeftovers } from '../move/carry-blobs'
import { removeIfThere } from '../reroot/journal-part'
import { exists, removeTree } from '../reroot/trees'
import { applyDelete } from '../trash/delete-apply'
import { planDelete } from '../trash/delete-plan'
import {
  type ForkPlan,
  forkPaths,
  forkRecord,
  type MadeFork,
  parseForkNotes,
  parseForkPlan,
  parseMadeFork,
  WRITTEN_TO,
} from './fork-plan'
import { forkedSize, madeForkOf, removeFork } from './fork-settle'

export const forkHandler: ChangeHandler = {
  kind: 'fork',
  recover: recoverFork,
  whyNotUndo: (record, context) => whyNotUndoFork(record, context),
  undo: undoFork,
}

/** The fork stays when its journal has its name, since then it is whole; else everything of it is removed. */
async function recoverFork(
  operation: OpenOperation,
  context: ChangeContext,
): Promise<Result<RecoveryOutcome>> {
  const { env } = context
  const plan = parseForkPlan(operation.plan)
  if (plan === null)
    return err('damaged', `${operation.path} holds no fork that can be read.`, operation.path)
  if (plan.blobStore !== null) sweepBlobLeftovers(env, plan.blobStore)
  const notes = parseForkNotes(operation.notes)
  const settled = await attemptAsync('settle', plan.file, async () => {
    const size = forkedSize(env, plan)
    // Meant to be removed, unless somebody has begun to work in it.
    const stays = size !== null && !(notes.back && (notes.written === null || size === notes.written))
    if (!stays) {
      await removeFork(env, plan, silentWork)
      return null
    }
    const { part, artifactsPart } = forkPaths(plan)
    removeIfThere(env.fs, part)
    await removeTree(env, artifactsPart, silentWork)
    return size
  })
  if (!settled.ok) return settled
  if (settled.value === null)
    return ok({ notes: [`An interrupted fork of “${plan.title}” was taken away again.`] })
  const recorded = await recordFork(context, operation, plan, settled.value === notes.written)
  return recorded.ok ? ok({ notes: [`An interrupted fork of “${plan.title}” is whole.`] }) : recorded
}

async function recordFork(
  context: ChangeContext,
  operation: OpenOperation,
  plan: ForkPlan,
  untouched: boolean,
): Promise<Result<void>> {
  const { env, data } = context
  const made = await madeForkOf(env, plan, silentWork)
  if (!made.ok) return made
  const { artifacts } = forkPaths(plan)
  const tree = exists(env.fs, artifacts) ? await walkTree(env, artifacts, silentWork) : undefined
  if (tree?.ok === false) return tree
  const amount = {
    files: 1 + (tree?.value.files ?? 0),
    bytes: made.value.identity.size + (tree?.value.bytes ?? 0),
  }
  const undo = untouched ? made.value : null
  return recordChange(env, data, forkRecord(operation.id, operation.time, plan, undo, amount))
}

function whyNotUndoFork(record: ChangeRecord, { env }: Pick<ChangeContext, 'env'>): string | null {
  const made = parseMadeFork(record.undo)
  if (made === null) return UNREADABLE
  const same = verifyIdentity(env.fs, made.plan.file, made.identity)
  if (same.ok) return null
  return same.error.code === 'changed-on-disk' ? WRITTEN_TO : same.error.message
}

/** The fork goes to the trash, as long as it is what was made. */
async function undoFork(
  record: ChangeRecord,
  context: ChangeContext,
  work: WorkContext,
): Promise<Result<UndoOutcome>> {
  const made = parseMadeFork(record.undo)
  if (made === null) return err('damaged', UNREADABLE)
  const untouched = await verifyMade(context, made, work)
  if (!untouched.ok) return untouched
  // Made a moment ago by ourselves: that alone is no use by somebody.
  const own = ownWrites(context, [made.identity])
  const { plan } = made
  const target = {
    ref: null,
    journal: plan.file,
    sessionsDir: plan.sessionsDir,
    agentDir: plan.agentDir,
    cwd: plan.cwd,
    id: plan.id,
    title: plan.title,
    readOnly: false,
  }
  const planned = await planDelete(own, [target], {}, work)
  if (!planned.ok) return planned
  const done = await applyDelete(own, planned.value, { includeMaybe: false, record: false }, work)
  if (!done.ok) return done
  const { report } = done.value
  return ok({
    report: { ...report, changeId: report.done > 0 ? record.id : null },
    remaining: report.done > 0 ? null : made,
  })
}

async function verifyMade(context: ChangeContext, made: MadeFork, work: WorkContext): Promise<Result<void>> {
  const now = await madeForkOf(context.env, made.plan, work)
  if (!now.ok) return now
  const same =
    identityDifference(made.identity, now.value.identity) === null && made.artifacts === now.value.artifacts
  return same ? ok(undefined) : err('changed-on-disk', WRITTEN_TO, made.plan.file)
}
