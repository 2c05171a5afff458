/**
 * RE-ROOT: moves the planned sessions to their new place.
 *
 * Guarantees
 *   Each session is whole in its old place or whole in its new one, at any moment, also after a kill or power loss;
 *   the bytes of its entries are the same. What somebody appended meanwhile is in the new place.
 *   Sessions in use stay; sessions maybe in use move only with `includeMaybe`. A session that changed since the plan
 *   stays. Nothing is overwritten.
 *   The failure of one session does not stop the others; the report tells each.
 *
 * Order of calls
 *   look who uses what; operation journal; for some sessions at a time: copy blobs, if the root is another, move each
 *   (relocate.ts), look again who has the old journals open, take over what was appended, remove the old place, look
 *   at the blobs again; breadcrumbs; directories that are empty now; recent changes; end of the operation journal.
 *
 * Failures
 *   of one session     it is back in its old place and reported
 *   of the way back    the operation is abandoned to recovery, which settles it
 *   of the records     the sessions are moved, a note says so; recovery records it later
 *   cancelled          what is moved is finished and recorded; the rest stays
 */
import path from 'node:path'
import type { ChangeReport, StayingSession } from '@shared/ipc/models/change-models'
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { silentWork, type WorkContext } from '../../engine/environment'
import type { InUseCheck } from '../../engine/in-use/in-use'
import { attempt, attemptAsync } from '../../engine/storage/errors'
import { type ChangeContext, lockProbeOf } from '../changes/change-handlers'
import { beginOperation, currentOwner, type OperationJournal } from '../changes/operation-journal'
import { staying, stayingBecause } from '../changes/staying'
import { blobNotes, carryBlobs } from '../move/carry-blobs'
import { type BreadcrumbChange, breadcrumbsNaming, mappedCwd, moveBreadcrumbs } from './breadcrumb-moves'
import type { PlannedMove, RerootPlanData } from './plan'
import { finishRelocation, relocate, takeBack } from './relocate'
import { type Relocation, relocationPaths } from './relocation'
import { type RerootOperation, recordReroot } from './reroot-record'
import { syncPlaces } from './settle'

/** Sessions whose old journals lie aside at one time: that much room is needed twice. */
const BATCH = 50

export type RerootOptions = {
  /** The user was told of sessions that may be in use and wants them moved too. */
  includeMaybe: boolean
  /** Told which sessions moved: the report only counts them. */
  onMoved?: (moved: readonly PlannedMove[]) => void
}

/** Applies a plan. Ok also when every session stays: the report tells why. */
export async function applyReroot(
  context: ChangeContext,
  plan: RerootPlanData,
  options: RerootOptions,
  work: WorkContext,
): Promise<Result<ChangeReport>> {
  const run = new RerootRun(context, plan.planId, [...plan.staying], [...plan.notes], options.includeMaybe)
  const moves = plan.moves.filter(planned => {
    if (planned.maybe === null || options.includeMaybe) return true
    run.staying.push(staying(namedOf(planned), 'in-use', planned.maybe))
    return false
  })
  const operation: RerootOperation = {
    version: 1,
    direction: 'apply',
    undoOf: null,
    from: plan.from,
    to: plan.to,
    prefix: plan.prefix,
    root: plan.root,
    moves: moves.map(({ move }) => move),
    breadcrumbDirs: plan.breadcrumbDirs,
    breadcrumbs: [],
  }
  const moved = await run.all(moves, operation, work)
  if (!moved.ok) return moved
  options.onMoved?.(moved.value)
  return ok(run.report(plan.asked, moved.value))
}

function namedOf({ ref, move }: PlannedMove): { ref: string | null; title: string } {
  return { ref, title: move.title }
}

/** One operation from its journal's beginning to its end; undo runs the same with the places exchanged. */
export class RerootRun {
  private stuck = false
  private readonly emptied = new Set<string>()

  constructor(
    private readonly context: ChangeContext,
    private readonly changeId: string,
    readonly staying: StayingSession[],
    readonly notes: string[],
    private readonly includeMaybe: boolean,
    /** Breadcrumbs as the change that is undone left them. */
    private readonly earlier: readonly BreadcrumbChange[] = [],
  ) {}

  /** Moves what can be moved; answers that. An error means that nothing was begun. */
  async all(
    moves: readonly PlannedMove[],
    operation: RerootOperation,
    work: WorkContext,
  ): Promise<Result<PlannedMove[]>> {
    if (moves.length === 0) return ok([])
    const { env, data, deps } = this.context
    const looked = await attemptAsync('look who uses the sessions', undefined, () => deps.inUse(work))
    if (!looked.ok) return looked
    const journal = beginOperation(env, data, {
      id: this.changeId,
      kind: 're-root',
      plan: operation,
      owner: currentOwner(env, deps.processes, deps.instance),
    })
    if (!journal.ok) return journal
    const moved = await this.moveBatches(moves, looked.value, operation, work)
    await this.record(operation, moved)
    this.removeEmptied()
    this.close(journal.value)
    work.progress(moves.length, moves.length, '')
    return ok(moved)
  }

  report(asked: number, moved: readonly PlannedMove[]): ChangeReport {
    return {
      changeId: moved.length > 0 ? this.changeId : null,
      done: moved.length,
      asked,
      files: moved.reduce((sum, { move }) => sum + move.files, 0),
      bytes: moved.reduce((sum, { move }) => sum + move.bytes, 0),
      staying: this.staying,
      notes: this.notes,
    }
  }

  private async moveBatches(
    moves: readonly PlannedMove[],
    firstLook: InUseCheck,
    operation: RerootOperation,
    work: WorkContext,
  ): Promise<PlannedMove[]> {
    const moved: PlannedMove[] = []
    let inUse = firstLook
    for (let from = 0; from < moves.length; from += BATCH) {
      const batch: PlannedMove[] = []
      for (const [at, planned] of moves.slice(from, from + BATCH).entries()) {
        const turn = await attemptAsync('go on', undefined, async () => {
          await work.breathe()
          work.progress(from + at, moves.length, planned.move.title)
          if (this.context.env.now() - inUse.taken > limits.claimMs)
            inUse = await this.context.deps.inUse(work)
        })
        const outcome = turn.ok ? await this.moveOne(planned, inUse, work) : turn
        if (outcome.ok) batch.push(planned)
        else this.staying.push(stayingBecause(namedOf(planned), outcome.error))
      }
      moved.push(...(await this.settleBatch(batch, operation)))
    }
    return moved
  }

  private async moveOne({ move }: PlannedMove, inUse: InUseCheck, work: WorkContext): Promise<Result<void>> {
    const { env, deps } = this.context
    for (const cwd of [move.oldCwd, move.newCwd]) {
      const use = inUse.check(move.from, cwd)
      if (use.state === 'in-use' || (use.state === 'maybe' && !this.includeMaybe))
        return { ok: false, error: { code: 'in-use', message: use.text, path: move.from } }
      if (use.state === 'unknown' && !this.notes.includes(use.text)) this.notes.push(use.text)
    }
    if (move.blobs !== null) {
      const carried = await carryBlobs(env, move.from, move.blobs, work)
      if (!carried.ok) return carried
    }
    const moved = await relocate(env, move, lockProbeOf(deps), work)
    if (moved.state === 'stuck') this.stuck = true
    return moved.state === 'moved' ? ok(undefined) : { ok: false, error: moved.error }
  }

  /** Blobs once more: a line that was taken over may name others, and omp's `gc` may have run in the other root. */
  private async carryLate(move: Relocation): Promise<void> {
    if (move.blobs === null) return
    const carried = await carryBlobs(this.context.env, move.to, move.blobs, silentWork)
    if (!carried.ok) this.stuck = true
    this.notes.push(...(carried.ok ? blobNotes(carried.value, move.blobs) : [carried.error.message]))
  }

  /**
   * After the names were changed: a program that opened an old journal before, and writes to it still, is seen now,
   * and that session goes back. Then late lines are taken over and the old place is removed.
   */
  private async settleBatch(
    batch: readonly PlannedMove[],
    operation: RerootOperation,
  ): Promise<PlannedMove[]> {
    if (batch.length === 0) return []
    const { env, deps } = this.context
    const looked = await attemptAsync('look who uses the sessions', undefined, () => deps.inUse(silentWork))
    const settled: PlannedMove[] = []
    for (const planned of batch) {
      const { move } = planned
      const { aside } = relocationPaths(move)
      const use = looked.ok ? looked.value.check(aside, null) : undefined
      if (use?.state === 'in-use' && (await takeBack(env, move, silentWork)).ok) {
        this.staying.push(staying(namedOf(planned), 'in-use', use.text))
        continue
      }
      settled.push(planned)
    }
    operation.breadcrumbs.push(...this.leadBreadcrumbs(settled, operation))
    for (const { move } of settled) {
      const finished = await finishRelocation(env, move, lockProbeOf(deps), silentWork)
      if (finished.ok) this.notes.push(...finished.value)
      else {
        this.stuck = true
        this.notes.push(`${move.to} is in place; its old file is left for later: ${finished.error.message}`)
      }
      await this.carryLate(move)
      if (path.dirname(move.from) !== path.dirname(move.to)) this.emptied.add(path.dirname(move.from))
    }
    const synced = attempt('sync', undefined, () =>
      syncPlaces(
        env,
        settled.map(({ move }) => move),
      ),
    )
    // Not known to be on the disk: the journal stays until recovery has looked again.
    if (!synced.ok) this.stuck = true
    return settled
  }

  private leadBreadcrumbs(settled: readonly PlannedMove[], operation: RerootOperation) {
    const { env } = this.context
    const found = breadcrumbsNaming(
      env,
      operation.breadcrumbDirs,
      settled.map(({ move }) => move),
    )
    const { changes, notes } = moveBreadcrumbs(
      env,
      found,
      (cwd, move) => mappedCwd(operation.prefix, cwd, move),
      this.earlier,
    )
    this.notes.push(...notes)
    return changes
  }

  private async record(operation: RerootOperation, moved: readonly PlannedMove[]): Promise<void> {
    if (moved.length === 0) return
    const done = { ...operation, moves: moved.map(({ move }) => move) }
    const recorded = await recordReroot(this.context, this.changeId, done)
    if (recorded.ok) return
    this.stuck = true
    this.notes.push(`The change could not be noted among the recent changes: ${recorded.error.message}`)
  }

  /** Directories that this change emptied; one that holds anything else stays, by itself. */
  private removeEmptied(): void {
    for (const directory of this.emptied)
      attempt('remove', directory, () => this.context.env.fs.removeDirectory(directory))
  }

  private close(journal: OperationJournal): void {
    if (this.stuck || !journal.finish().ok) journal.abandon()
  }
}
