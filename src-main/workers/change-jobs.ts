/** Jobs that change files: plan, apply, undo, recover. Plans stay here; the window gets what it shows of them. */
import type {
  ChangeReport,
  ChangeView,
  DeletePlan,
  RerootPlan,
  RerootQuestion,
  TrashView,
} from '@shared/ipc/models/change-models'
import type { EditReport } from '@shared/ipc/models/manage-models'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../engine/environment'
import { countTrashItems } from '../library/catalog/trash-count'
import { changeHandlers } from '../library/changes/all-handlers'
import type { ChangeTarget } from '../library/changes/change-target'
import { recoverOperations, recoverySentences } from '../library/changes/recovery'
import { listChanges, undoChange } from '../library/changes/undo'
import { applyReroot } from '../library/reroot/apply'
import { planReroot, type RerootPlanData, rerootPlanView } from '../library/reroot/plan'
import { rerootQuestion } from '../library/reroot/question'
import type { RerootScope } from '../library/reroot/subject'
import type { LibraryRoot } from '../library/roots'
import { applyDelete } from '../library/trash/delete-apply'
import { type DeletePlanData, deletePlanView, planDelete } from '../library/trash/delete-plan'
import { emptyTrash } from '../library/trash/empty'
import { restoreFromTrash } from '../library/trash/restore'
import { listTrash, type TrashEntry, trashView } from '../library/trash/trash-list'
import { PlanShelf } from './plan-shelf'
import type { WorkerChanges } from './worker-changes'

type Roots = { roots: LibraryRoot[] }
type Confirmed = { planId: string; includeMaybe: boolean }

export function createChangeJobs(env: Environment, { context, lookAt }: WorkerChanges) {
  const deletePlans = new PlanShelf<DeletePlanData>()
  const rerootPlans = new PlanShelf<RerootPlanData>()
  /** The trash as it was last shown: emptying frees exactly that. */
  let shownTrash = new Map<string, TrashEntry>()

  const writable = (roots: readonly LibraryRoot[]) =>
    roots.filter(root => !root.readOnly).map(({ layout }) => ({ sessionsDir: layout.sessionsDir }))

  return {
    /** Finishes or rolls back what a killed process left; sentences for the user. */
    recover: async ({ roots }: Roots, work: WorkContext): Promise<Result<string[]>> => {
      lookAt(roots)
      const report = await recoverOperations(context, changeHandlers, work)
      return report.ok ? ok(recoverySentences(report.value)) : report
    },

    planDelete: async (
      input: Roots & { targets: ChangeTarget[]; linkedBy: { ref: string; title: string }[] },
      work: WorkContext,
    ): Promise<Result<DeletePlan>> => {
      lookAt(input.roots)
      const plan = await planDelete(context, input.targets, { linkedBy: () => input.linkedBy }, work)
      if (!plan.ok) return plan
      deletePlans.put(plan.value.planId, plan.value)
      return ok(deletePlanView(plan.value))
    },

    applyDelete: async (input: Confirmed, work: WorkContext): Promise<Result<ChangeReport>> => {
      const plan = deletePlans.take(input.planId)
      if (!plan.ok) return plan
      const done = await applyDelete(context, plan.value, { includeMaybe: input.includeMaybe }, work)
      return done.ok ? ok(done.value.report) : done
    },

    countTrash: ({ roots }: Roots): Result<number> =>
      ok(
        countTrashItems(
          env,
          writable(roots).map(({ sessionsDir }) => sessionsDir),
        ),
      ),

    listTrash: async ({ roots }: Roots, work: WorkContext): Promise<Result<TrashView>> => {
      const listing = await listTrash(context, writable(roots), work)
      if (!listing.ok) return listing
      shownTrash = new Map(listing.value.items.map(item => [item.id, item]))
      return ok(trashView(listing.value, env.home))
    },

    restoreTrash: async (
      input: Roots & { ids: string[] },
      work: WorkContext,
    ): Promise<Result<ChangeReport>> => {
      lookAt(input.roots)
      const items = shown(shownTrash, input.ids)
      if (!items.ok) return items
      const done = await restoreFromTrash(context, items.value, {}, work)
      return done.ok ? ok(done.value.report) : done
    },

    emptyTrash: (
      input: { ids: string[] },
      work: WorkContext,
    ): Promise<Result<ChangeReport>> | Result<ChangeReport> => {
      const items = shown(shownTrash, input.ids)
      return items.ok ? emptyTrash(context, items.value, work) : items
    },

    trashLocation: (input: { id: string }): Result<string> => {
      const item = shownTrash.get(input.id)
      return item === undefined
        ? err('not-found', 'That item is not in the trash (any more).')
        : ok(item.location)
    },

    rerootQuestion: (
      input: Roots & { scope: RerootScope; sessions: ChangeTarget[] },
      work: WorkContext,
    ): Promise<Result<RerootQuestion>> => {
      lookAt(input.roots)
      return rerootQuestion(env, context.data, input.scope, input.sessions, input.roots, work)
    },

    planReroot: async (
      input: Roots & { scope: RerootScope; to: string; sessions: ChangeTarget[] },
      work: WorkContext,
    ): Promise<Result<RerootPlan>> => {
      lookAt(input.roots)
      const plan = await planReroot(context, input.scope, input.to, input.sessions, input.roots, work)
      if (!plan.ok) return plan
      rerootPlans.put(plan.value.planId, plan.value)
      return ok(rerootPlanView(plan.value))
    },

    applyReroot: async (input: Confirmed, work: WorkContext): Promise<Result<ChangeReport>> => {
      const plan = rerootPlans.take(input.planId)
      return plan.ok ? applyReroot(context, plan.value, { includeMaybe: input.includeMaybe }, work) : plan
    },

    listChanges: (_input: Record<string, never>): Result<ChangeView[]> =>
      listChanges(context, changeHandlers),

    undoChange: (
      input: Roots & { id: string; includeMaybe: boolean },
      work: WorkContext,
    ): Promise<Result<EditReport>> => {
      lookAt(input.roots)
      return undoChange(context, changeHandlers, input.id, work, input.includeMaybe)
    },
  }
}

/** The items of those ids as they were shown; all of them must have been. */
function shown(listing: ReadonlyMap<string, TrashEntry>, ids: readonly string[]): Result<TrashEntry[]> {
  const items = ids.map(id => listing.get(id))
  const known = items.filter(item => item !== undefined)
  if (known.length < items.length)
    return err('changed-on-disk', 'The trash changed since it was shown. Look again.')
  return ok(known)
}
