/** Plans that were shown and may be applied: kept by id, the newest few, each used once. */
import { err, ok, type Result } from '@shared/ipc/result'

const KEPT = 8

export class PlanShelf<T> {
  private readonly plans = new Map<string, T>()

  put(id: string, plan: T): void {
    this.plans.set(id, plan)
    for (const oldest of this.plans.keys()) {
      if (this.plans.size <= KEPT) break
      this.plans.delete(oldest)
    }
  }

  take(id: string): Result<T> {
    const plan = this.plans.get(id)
    this.plans.delete(id)
    return plan === undefined
      ? err('not-found', 'That plan is not known any more. Close the dialog and look again.')
      : ok(plan)
  }
}
