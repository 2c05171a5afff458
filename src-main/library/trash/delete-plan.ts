/**
 * DELETE PLAN: exactly what a delete would move to the trash, decided by looking only. The plan is plain JSON (it
 * crosses to the worker and back) and holds the identity of everything in it: what changes between plan and apply
 * stays where it is.
 */
import path from 'node:path'
import type { DeletePlan, MaybeInUse, StayingSession } from '@shared/ipc/models/change-models'
import type { Result } from '@shared/ipc/result'
import type { WorkContext } from '../../engine/environment'
import { artifactDirectoryOf, isArchive } from '../../engine/layout/session-paths'
import { archivedRefusal } from '../../engine/storage/archived-session-storage'
import { attemptAsync } from '../../engine/storage/errors'
import type { ChangeContext } from '../changes/change-handlers'
import type { ChangeTarget } from '../changes/change-target'
import { staying, stayingBecause } from '../changes/staying'
import { type DirectoryCache, inventoryUnit, type SessionUnit } from './session-unit'
import { isInTrash } from './trash-places'

export type PlannedUnit = SessionUnit & {
  /** Name of the trash item it becomes. */
  itemId: string
  target: ChangeTarget
  /** Why it may be in use, or null. Such a unit goes only when the user said so. */
  maybe: string | null
  /** Why it cannot be told whether it is in use, or null. */
  unknown: string | null
}

export type LinkedSession = { ref: string | null; title: string }

export type DeletePlanData = {
  version: 1
  planId: string
  time: number
  asked: number
  units: PlannedUnit[]
  staying: StayingSession[]
  linkedBy: LinkedSession[]
}

export type DeletePlanOptions = {
  /** Forks and children, outside the selection, of the sessions that go. Default: none known. */
  linkedBy?(targets: readonly ChangeTarget[]): LinkedSession[]
}

/** Plans to move `targets` to the trash. Writes nothing. */
export function planDelete(
  context: ChangeContext,
  targets: readonly ChangeTarget[],
  options: DeletePlanOptions,
  work: WorkContext,
): Promise<Result<DeletePlanData>> {
  const { env, deps } = context
  return attemptAsync('plan the delete', undefined, async () => {
    const inUse = await deps.inUse(work)
    const plan: DeletePlanData = {
      version: 1,
      planId: env.uuid(),
      time: env.now(),
      asked: targets.length,
      units: [],
      staying: [],
      linkedBy: [],
    }
    const cache: DirectoryCache = new Map()
    const chosen = withoutNested(targets)
    // A subagent whose root is selected goes with it and is not asked about by itself.
    plan.asked = chosen.length
    for (const [done, target] of chosen.entries()) {
      await work.breathe()
      work.progress(done, chosen.length, target.title)
      const unit = await planUnit(context, target, cache, inUse, work)
      if ('reason' in unit) plan.staying.push(unit)
      else plan.units.push(unit)
    }
    plan.linkedBy = options.linkedBy?.(plan.units.map(unit => unit.target)) ?? []
    return plan
  })
}

async function planUnit(
  { env }: ChangeContext,
  target: ChangeTarget,
  cache: DirectoryCache,
  inUse: Awaited<ReturnType<ChangeContext['deps']['inUse']>>,
  work: WorkContext,
): Promise<PlannedUnit | StayingSession> {
  if (isArchive(target.journal)) return stayingBecause(target, archivedRefusal(target.journal).error)
  if (target.readOnly)
    return staying(target, 'read-only', `${target.journal} lies in a root that Grove only reads.`)
  if (isInTrash(target.sessionsDir, target.journal)) {
    return staying(target, 'failed', `${target.journal} is in the trash already.`)
  }
  const unit = await inventoryUnit(env, target.journal, cache, work)
  if (!unit.ok) {
    if (unit.error.code === 'cancelled') await work.breathe()
    return stayingBecause(target, unit.error)
  }
  const use = inUse.check(target.journal, target.cwd)
  if (use.state === 'in-use') return staying(target, 'in-use', use.text)
  return {
    ...unit.value,
    itemId: env.uuid(),
    target,
    maybe: use.state === 'maybe' ? use.text : null,
    unknown: use.state === 'unknown' ? use.text : null,
  }
}

/** The targets once each, without those that lie in the artifact directory of another. */
function withoutNested(targets: readonly ChangeTarget[]): ChangeTarget[] {
  const directories = new Set(targets.map(target => artifactDirectoryOf(target.journal)))
  const seen = new Set<string>()
  return targets.filter(({ journal }) => {
    if (seen.has(journal)) return false
    seen.add(journal)
    for (let at = path.dirname(journal); path.dirname(at) !== at; at = path.dirname(at)) {
      if (directories.has(at)) return false
    }
    return true
  })
}

/** The plan as the window shows it. */
export function deletePlanView(plan: DeletePlanData): DeletePlan {
  const { units } = plan
  const sum = (count: (unit: PlannedUnit) => number) => units.reduce((total, unit) => total + count(unit), 0)
  return {
    planId: plan.planId,
    sessions: units.length,
    asked: plan.asked,
    files: sum(unit => unit.files),
    bytes: sum(unit => unit.bytes),
    artifactFiles: sum(unit => unit.artifactFiles),
    subagents: sum(unit => unit.subagents),
    drafts: sum(unit => (unit.hasDraft ? 1 : 0)),
    titles: units.map(unit => unit.target.title),
    linkedBy: plan.linkedBy.flatMap(({ ref, title }) => (ref === null ? [] : [{ ref, title }])),
    staying: plan.staying,
    maybe: maybeOf(units),
  }
}

function maybeOf(units: readonly PlannedUnit[]): MaybeInUse[] {
  return units.flatMap(({ maybe, target }) =>
    maybe === null ? [] : [{ ref: target.ref, title: target.title, text: maybe }],
  )
}
