/** The move dialog's own state: where to, and the plan for it. */
import type { MoveTarget } from '@shared/ipc/models/manage-models'
import { createStore } from 'zustand/vanilla'
import type { Client } from '../../api/client'
import { saveDraftsOf } from '../../commands/flows/unsaved-drafts'
import { createPlanPart, type PlanPart } from '../../stores/plan-part'

export type MoveState = PlanPart & {
  target: MoveTarget
  /** Folders that were chosen by hand, newest first. */
  chosen: readonly string[]
  choose(change: Partial<MoveTarget>): Promise<void>
  /** Asks for a folder in the native dialog; `known` ones are not listed twice. */
  chooseFolder(known: readonly string[]): Promise<void>
}

export type MoveStore = ReturnType<typeof createMoveStore>

export function createMoveStore(client: Client, sessions: readonly string[]) {
  return createStore<MoveState>()((set, get) => {
    const { part, renew } = createPlanPart(set, get, {
      apply: (input, options) => client.call('move.apply', input, options),
      again: () => get().choose({}),
    })
    return {
      ...part,
      target: { folder: null, root: null },
      chosen: [],
      async choose(change) {
        const target = { ...get().target, ...change }
        set({ target })
        if (target.folder === null && target.root === null) return await renew(null)
        await renew(async signal => {
          // What is typed goes with them.
          const saved = await saveDraftsOf(client, sessions)
          if (!saved.ok) return saved
          return await client.call('move.plan', { sessions: [...sessions], to: target }, { signal })
        })
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
    }
  })
}
