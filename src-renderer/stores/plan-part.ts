/**
 * What the dialogs that carry out a plan have in common: the plan for what is chosen, the work and its report. Nothing
 * changes on disk before `apply`. A newer choice always wins over an older one's plan.
 */
import type { ChangeReport, RerootPlan } from '@shared/ipc/models/change-models'
import type { AppError, Result } from '@shared/ipc/result'
import type { CallOptions, Progress } from '../api/client'
import { type Async, LOADING, settled } from './async'

export type PlanPart = {
  /** Null until something would change. */
  plan: Async<RerootPlan> | null
  includeMaybe: boolean
  work: Progress | null
  error: AppError | null
  report: ChangeReport | null
  setIncludeMaybe(include: boolean): void
  apply(): Promise<void>
  cancel(): void
}

type Steps = {
  apply(
    input: { planId: string; includeMaybeInUse: boolean },
    options: CallOptions,
  ): Promise<Result<ChangeReport>>
  /** Plans anew for what is chosen. */
  again(): Promise<void>
}

/** The part, and `renew`: takes the plan of a new choice; with null there is none. */
export function createPlanPart(
  set: (change: Partial<PlanPart>) => void,
  get: () => PlanPart,
  steps: Steps,
): {
  part: PlanPart
  renew(make: ((signal: AbortSignal) => Promise<Result<RerootPlan>>) | null): Promise<void>
} {
  let planning = new AbortController()
  let applying = new AbortController()
  return {
    part: {
      plan: null,
      includeMaybe: false,
      work: null,
      error: null,
      report: null,
      setIncludeMaybe: includeMaybe => set({ includeMaybe }),
      async apply() {
        const { plan, includeMaybe, work } = get()
        if (plan?.state !== 'ready' || work) return
        applying = new AbortController()
        set({ work: { done: 0, total: plan.value.sessions, text: '' }, error: null })
        const input = { planId: plan.value.planId, includeMaybeInUse: includeMaybe }
        const onProgress = (work: Progress) => set({ work })
        const result = await steps.apply(input, { signal: applying.signal, onProgress })
        set({ work: null })
        if (result.ok) return set({ report: result.value })
        // A plan is used once: what is shown is worked out anew.
        await steps.again()
        set({ error: result.error })
      },
      cancel: () => applying.abort(),
    },
    async renew(make) {
      planning.abort()
      planning = new AbortController()
      const { signal } = planning
      set({ plan: make === null ? null : LOADING, error: null, includeMaybe: false })
      if (make === null) return
      const plan = await make(signal)
      if (!signal.aborted) set({ plan: settled(plan) })
    },
  }
}

/** How many sessions a plan moves with the user's word about those that may be in use. */
export function goingCount(plan: RerootPlan, includeMaybe: boolean): number {
  return includeMaybe ? plan.sessions : Math.max(0, plan.sessions - plan.maybe.length)
}
