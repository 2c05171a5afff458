/** When deleting asks first. Pure. */
import type { DeletePlan } from '@shared/ipc/models/change-models'
import { limits } from '@shared/limits'

/** Whether a plan is shown before it is done: something is or may be in use, or it is very many at once. */
export function deleteAsks(plan: DeletePlan): boolean {
  return plan.staying.length > 0 || plan.maybe.length > 0 || plan.sessions > limits.deleteWithoutAsking
}
