/**
 * RESTORE: puts trashed sessions back where they were, each as one unit.
 *
 * Guarantees
 *   A session is whole in the trash or whole at its place. Its journal comes last, so that omp never sees it without
 *   its artifacts. Nothing is overwritten: whatever is at its place again keeps it in the trash, with the reason.
 *   The directory is made when it is gone, and taken away again when the restore fails.
 *   A place outside the sessions directory is believed only when Grove's own records name it too.
 *
 * Order of calls
 *   operation journal; for each item: note and parts, directory, lock at the old place, clash, move, verify, sync,
 *   unlock, item removed; then recent changes; then the end of the operation journal.
 *
 * Failures
 *   as for a delete (delete-apply.ts). A kill: journal at its place: finished; else: rolled back (restore-recovery.ts)
 */

import path from 'node:path'
import type { ChangeReport, StayingSession } from '@shared/ipc/models/change-models'
import { type AppError, err, ok, type Result } from '@shared/ipc/result'
import type { WorkContext } from '../../engine/environment'
import { ensureDirectory, removeMadeDirectories } from '../../engine/storage/directory-sync'
import { attempt, attemptAsync } from '../../engine/storage/errors'
import { withPublishLock } from '../../engine/storage/publish-lock'
import { type ChangeContext, lockProbeOf } from '../changes/change-handlers'
import { beginOperation, currentOwner, type OperationJournal } from '../changes/operation-journal'
import { type ChangeRecord, recordChange } from '../changes/recent-changes'
import { stayingBecause } from '../changes/staying'
import { amountOf, amountText, sessionsText } from '../changes/words'
import {
  containerOf,
  journalNameOf,
  type Manifest,
  originalJournalOf,
  originDirectoryOf,
  readManifest,
} from './manifest'
import { inventoryUnit, type UnitPart, verifyUnit } from './session-unit'
import { discardEmptyItem } from './trash-item'
import { restoreProblem } from './trash-list'
import { isPlainName, type TrashItemRef } from './trash-places'
import { moveUnit } from './unit-move'

/** One item on its way back. Plain JSON. */
export type RestoreUnit = {
  ref: TrashItemRef
  manifest: Manifest
  /** The journal last. */
  parts: UnitPart[]
  files: number
  bytes: number
}

export type RestoreOptions = {
  /** False when the restore undoes a delete, which is recorded already. Default true. */
  record?: boolean
}

export type RestoredSession = TrashItemRef & { journal: string; files: number; bytes: number }

export type RestorePlanData = { version: 1; asked: number; units: RestoreUnit[]; staying: StayingSession[] }

export type RestoreOutcome = {
  report: ChangeReport
  restored: RestoredSession[]
  /** Items that are still in the trash. */
  kept: TrashItemRef[]
}

/** What a restore of those items would put back, and what would stay and why. Looks only. */
export function planRestore(
  context: ChangeContext,
  refs: readonly TrashItemRef[],
  work: WorkContext,
): Promise<Result<RestorePlanData>> {
  return attemptAsync('plan the restore', undefined, async () => {
    const plan: RestorePlanData = { version: 1, asked: refs.length, units: [], staying: [] }
    for (const ref of refs) {
      await work.breathe()
      const unit = await planUnit(context, ref, work)
      if (unit.ok) plan.units.push(unit.value)
      else plan.staying.push(stayingBecause({ ref: null, title: titleOf(context, ref) }, unit.error))
    }
    return plan
  })
}

function titleOf({ env }: ChangeContext, ref: TrashItemRef): string {
  const manifest = isPlainName(ref.id) ? readManifest(env, ref) : err('invalid-argument', '')
  return manifest.ok ? manifest.value.session.title : ref.id
}

async function planUnit(
  context: ChangeContext,
  ref: TrashItemRef,
  work: WorkContext,
): Promise<Result<RestoreUnit>> {
  if (!isPlainName(ref.id)) return err('invalid-argument', 'That is not the name of a trash item.')
  const manifest = readManifest(context.env, ref)
  if (!manifest.ok) return manifest
  const problem = restoreProblem(context, ref, manifest.value)
  if (problem !== null) return err('conflict', problem)
  const journal = path.join(containerOf(ref, manifest.value), journalNameOf(manifest.value))
  const unit = await inventoryUnit(context.env, journal, new Map(), work)
  if (!unit.ok) return unit
  const { files, bytes } = unit.value
  return ok({ ref, manifest: manifest.value, parts: [...unit.value.parts].reverse(), files, bytes })
}

export async function restoreFromTrash(
  context: ChangeContext,
  refs: readonly TrashItemRef[],
  options: RestoreOptions,
  work: WorkContext,
): Promise<Result<RestoreOutcome>> {
  const planned = await planRestore(context, refs, work)
  if (!planned.ok) return planned
  const { env, data, deps } = context
  const { units } = planned.value
  const run: Run = { context, changeId: env.uuid(), stuck: false, staying: planned.value.staying, notes: [] }
  if (units.length === 0) return ok(outcomeOf(run, refs, []))
  const record = options.record ?? true
  const journal = beginOperation(env, data, {
    id: run.changeId,
    kind: 'restore',
    plan: { units, record },
    owner: currentOwner(env, deps.processes, deps.instance),
  })
  if (!journal.ok) return journal
  const restored: RestoreUnit[] = []
  for (const [at, unit] of units.entries()) {
    const turn = await attemptAsync('go on', undefined, work.breathe)
    work.progress(at, units.length, unit.manifest.session.title)
    const outcome = turn.ok ? await restoreOne(run, unit, journal.value, work) : turn
    if (outcome.ok) restored.push(unit)
    else run.staying.push(stayingBecause({ ref: null, title: unit.manifest.session.title }, outcome.error))
  }
  if (restored.length > 0 && record) {
    const recorded = await recordChange(env, data, restoreRecord(run.changeId, env.now(), restored))
    if (!recorded.ok) {
      run.stuck = true
      run.notes.push(`The change could not be noted among the recent changes: ${recorded.error.message}`)
    }
  }
  if (run.stuck || !journal.value.finish().ok) journal.value.abandon()
  return ok(outcomeOf(run, refs, restored))
}

type Run = {
  context: ChangeContext
  changeId: string
  stuck: boolean
  staying: StayingSession[]
  notes: string[]
}

async function restoreOne(
  run: Run,
  unit: RestoreUnit,
  journal: OperationJournal,
  work: WorkContext,
): Promise<Result<void>> {
  const { env, deps } = run.context
  const { ref, manifest } = unit
  const origin = originDirectoryOf(ref, manifest)
  const made = attempt('make', origin, () => ensureDirectory(env, origin))
  if (!made.ok) return made
  const noted = made.value.length === 0 ? ok(undefined) : journal.note({ made: made.value })
  if (!noted.ok) {
    removeMadeDirectories(env.fs, made.value)
    return noted
  }
  const place = originalJournalOf(ref, manifest)
  const outcome = await withPublishLock(
    env,
    place,
    () => moveLocked(run, unit, journal, work),
    lockProbeOf(deps),
  )
  // Best effort: a directory in which something appeared meanwhile stays.
  if (!outcome.ok) removeMadeDirectories(env.fs, made.value)
  return outcome
}

async function moveLocked(
  run: Run,
  unit: RestoreUnit,
  journal: OperationJournal,
  work: WorkContext,
): Promise<Result<void>> {
  const { env } = run.context
  const { ref, manifest, parts } = unit
  const container = containerOf(ref, manifest)
  const problem = restoreProblem(run.context, ref, manifest)
  if (problem !== null) return err('conflict', problem)
  const unchanged = await verifyUnit(env, path.join(container, journalNameOf(manifest)), parts, work)
  if (!unchanged.ok) return unchanged
  const outcome = await moveUnit(
    env,
    {
      from: container,
      to: originDirectoryOf(ref, manifest),
      parts,
      contested: true,
      noteCopied: () => journal.note({ copied: ref.id }),
    },
    work,
  )
  switch (outcome.state) {
    case 'moved':
      run.notes.push(...outcome.left)
      if (!discardEmptyItem(env, ref, manifest.container)) {
        run.notes.push(`Something else lies in its trash folder, ${container}, and stays there.`)
      }
      return ok(undefined)
    case 'back':
      return failed(outcome.error)
    case 'stuck':
      run.stuck = true
      return failed(outcome.error)
    default:
      return outcome satisfies never
  }
}

function failed(error: AppError): Result<never> {
  return { ok: false, error }
}

function outcomeOf(
  run: Run,
  refs: readonly TrashItemRef[],
  restored: readonly RestoreUnit[],
): RestoreOutcome {
  const back = new Set(restored.map(unit => unit.ref))
  return {
    report: {
      changeId: restored.length > 0 ? run.changeId : null,
      done: restored.length,
      asked: refs.length,
      ...amountOf(restored),
      staying: run.staying,
      notes: run.notes,
    },
    restored: restored.map(({ ref, manifest, files, bytes }) => ({
      ...ref,
      journal: originalJournalOf(ref, manifest),
      files,
      bytes,
    })),
    kept: refs.filter(ref => !back.has(ref)),
  }
}

/** What recent changes keep of a restore: enough to move the sessions to the trash again. */
export function restoreRecord(id: string, time: number, restored: readonly RestoreUnit[]): ChangeRecord {
  return {
    id,
    kind: 'restore',
    text: `Restored ${sessionsText(restored.map(({ manifest }) => manifest.session.title))} from trash`,
    detail: amountText(amountOf(restored)),
    time,
    state: 'done',
    undo: {
      sessions: restored.map(({ ref, manifest }) => ({
        journal: originalJournalOf(ref, manifest),
        sessionsDir: ref.sessionsDir,
        ...manifest.session,
      })),
    },
    whyNot: null,
  }
}
