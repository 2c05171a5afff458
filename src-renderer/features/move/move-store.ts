/**
 * The move dialog's own state: where to, the plan for it, the work and its report. Nothing changes on disk before
 * `apply`. A newer choice always wins over an older one's plan.
 */
import type { ChangeReport, RerootPlan } from '@shared/ipc/models/change-models'
import type { MoveTarget } from '@shared/ipc/models/manage-models'
import type { AppError } from '@shared/ipc/result'
import { createStore } from 'zustand/vanilla'
import type { Client } from '../../api/client'
import { saveDraftsOf } from '../../commands/flows/unsaved-drafts'
import { type Async, LOADING, settled } from '../../stores/async'

export type MoveState = {
  target: MoveTarget
  /** Folders that were chosen by hand, newest first. */
  chosen: readonly string[]
  /** Null until something would change. */
  plan: Async<RerootPlan> | null
  includeMaybe: boolean
  work: { done: number; total: number; text: string } | null
  error: AppError | null
  report: ChangeReport | null
  choose(change: Partial<MoveTarget>): Promise<void>
  /** Asks for a folder in the native dialog; `known` ones are not listed twice. */
  chooseFolder(known: readonly string[]): Promise<void>
  setIncludeMaybe(include: boolean): void
  apply(): Promise<void>
  cancel(): void
}

export type MoveStore = ReturnType<typeof createMoveStore>

export function createMoveStore(client: Client, sessions: readonly string[]) {
  let plans = 0
  let planning: AbortController | null = null
  let applying: AbortController | null = null
  return createStore<MoveState>()((set, get) => ({
    target: { folder: null, root: null },
    chosen: [],
    plan: null,
    includeMaybe: false,
    work: null,
    error: null,
    report: null,
    async choose(change) {
      const mine = ++plans
      planning?.abort()
      const target = { ...get().target, ...change }
      set({ target, error: null, includeMaybe: false, plan: null })
      if (target.folder === null && target.root === null) return
      const controller = new AbortController()
      planning = controller
      set({ plan: LOADING })
      // What is typed goes with them.
      const saved = await saveDraftsOf(client, sessions)
      if (mine !== plans) return
      if (!saved.ok) return set({ plan: { state: 'error', error: saved.error } })
      const input = { sessions: [...sessions], to: target }
      const plan = await client.call('move.plan', input, { signal: controller.signal })
      if (mine === plans) set({ plan: settled(plan) })
    },
    async chooseFolder(known) {
      const { target, chosen } = get()
      const folder = await client.call('reroot.chooseFolder', { near: target.folder })
      if (!folder.ok) return set({ error: folder.error })
      const { path } = folder.value
      if (path === null) return
      if (!known.includes(path)) set({ chosen: [path, ...chosen.filter(other => other !== path)] })
      await get().choose({ folder: path })
    },
    setIncludeMaybe: includeMaybe => set({ includeMaybe }),
    async apply() {
      const { plan, includeMaybe, work } = get()
      if (plan?.state !== 'ready' || work) return
      applying = new AbortController()
      set({ work: { done: 0, total: plan.value.sessions, text: '' }, error: null })
      const result = await client.call(
        'move.apply',
        { planId: plan.value.planId, includeMaybeInUse: includeMaybe },
        {
          signal: applying.signal,
          onProgress: ({ done, total, text }) => set({ work: { done, total, text } }),
        },
      )
      set({ work: null })
      if (result.ok) set({ report: result.value })
      // A plan is used once: what is shown is worked out anew.
      else {
        await get().choose({})
        set({ error: result.error })
      }
    },
    cancel: () => applying?.abort(),
  }))
}

/** How many sessions a plan moves with the user's word about those that may be in use. */
export function movingCount(plan: RerootPlan, includeMaybe: boolean): number {
  return includeMaybe ? plan.sessions : Math.max(0, plan.sessions - plan.maybe.length)
}
