/** Jobs that move sessions. Plans stay here; the window gets what it shows of them. */
import type { ChangeReport, RerootPlan } from '@shared/ipc/models/change-models'
import { ok, type Result } from '@shared/ipc/result'
import type { WorkContext } from '../engine/environment'
import type { ChangeTarget } from '../library/changes/change-target'
import { type MoveWish, planMoves } from '../library/move/plan-moves'
import { applyReroot } from '../library/reroot/apply'
import { type RerootPlanData, rerootPlanView } from '../library/reroot/plan'
import type { LibraryRoot } from '../library/roots'
import { PlanShelf } from './plan-shelf'
import type { WorkerChanges } from './worker-changes'

export function createMoveJobs({ context, lookAt }: WorkerChanges) {
  const plans = new PlanShelf<RerootPlanData>()
  return {
    planMove: async (
      input: { roots: LibraryRoot[]; sessions: ChangeTarget[]; to: MoveWish },
      work: WorkContext,
    ): Promise<Result<RerootPlan>> => {
      lookAt(input.roots)
      const plan = await planMoves(context, input.sessions, input.to, input.roots, work)
      if (!plan.ok) return plan
      plans.put(plan.value.planId, plan.value)
      return ok(rerootPlanView(plan.value))
    },

    applyMove: async (
      input: { planId: string; includeMaybe: boolean },
      work: WorkContext,
    ): Promise<Result<ChangeReport>> => {
      const plan = plans.take(input.planId)
      return plan.ok ? applyReroot(context, plan.value, { includeMaybe: input.includeMaybe }, work) : plan
    },
  }
}
