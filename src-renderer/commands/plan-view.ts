/** What a dialog shows of a plan and its work, in words. */
import type { RerootPlan } from '@shared/ipc/models/change-models'
import type { Progress } from '../api/client'
import { goingCount, type PlanPart } from '../stores/plan-part'
import { errorLine } from './error-text'

export type PlanView = {
  plan: { state: 'loading' } | { state: 'ready'; value: RerootPlan } | { state: 'error'; text: string } | null
  /** How many sessions go when it is confirmed. */
  going: number
  includeMaybe: boolean
  work: Progress | null
  error: string | null
}

export function planView({ plan, includeMaybe, work, error }: PlanPart): PlanView {
  return {
    plan: plan?.state === 'error' ? { state: 'error', text: errorLine(plan.error) } : plan,
    going: plan?.state === 'ready' ? goingCount(plan.value, includeMaybe) : 0,
    includeMaybe,
    work,
    // What the user cancelled needs no telling.
    error: error === null || error.code === 'cancelled' ? null : errorLine(error),
  }
}
