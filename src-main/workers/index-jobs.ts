/** The job of the worker that builds the search index. Nothing else runs there, so that nothing waits for it. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../engine/environment'
import { EngineError } from '../engine/storage/errors'
import { closeQuietly, type OpenIndex, openIndexForWriting, removeIndex } from '../library/search/index-file'
import { type IndexReport, IndexUpdate } from '../library/search/index-update'
import type { SearchTarget } from '../library/search/search-target'
import { KeptList, type ListChange } from './kept-list'

export type IndexJobs = ReturnType<typeof createIndexJobs>

export function createIndexJobs(env: Environment) {
  const targets = new KeptList<SearchTarget>(({ file }) => file)
  let open: (OpenIndex & { update: IndexUpdate }) | null = null

  async function opened(): Promise<Result<IndexUpdate>> {
    if (open !== null) return ok(open.update)
    const index = await openIndexForWriting(env)
    if (!index.ok) return index
    open = { ...index.value, update: new IndexUpdate(env, index.value.db) }
    return ok(open.update)
  }

  function drop(): void {
    closeQuietly(open?.db ?? null)
    open = null
    removeIndex(env)
  }

  async function tryOnce(all: readonly SearchTarget[], work: WorkContext): Promise<Result<IndexReport>> {
    const update = await opened()
    if (!update.ok) return update
    try {
      return ok(await update.value.run(all, work))
    } catch (thrown) {
      if (thrown instanceof EngineError) throw thrown
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      return err(
        'io',
        `The search index cannot be written: ${reason}. Sessions are searched by reading them.`,
      )
    }
  }

  return {
    /** What the index is about from its next update on. */
    changeTargets: (input: ListChange<SearchTarget>): Result<null> => {
      targets.take(input)
      return ok(null)
    },

    /** Brings the index up to date. One that fails is deleted and begun anew, once; then it is told why. */
    updateIndex: async (input: { anew: boolean }, work: WorkContext): Promise<Result<IndexReport>> => {
      if (input.anew) drop()
      const all = targets.all()
      const first = await tryOnce(all, work)
      if (first.ok) return first
      drop()
      return tryOnce(all, work)
    },
  }
}
