/** The job of the thread that helps the worker that scans: it reads both ends of files, and knows nothing. */
import { ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../engine/environment'
import { packSummary } from '../library/catalog/packed-summary'
import type { QuickHelper, QuickInput } from '../library/catalog/quick-queue'
import { quickSummary } from '../library/catalog/quick-summary'
import type { WorkerClient } from './worker-client'

export type QuickJobs = ReturnType<typeof createQuickJobs>

export function createQuickJobs(env: Environment) {
  return {
    quickRows: ({ files }: { files: readonly QuickInput[] }): Result<(string | null)[]> =>
      ok(
        files.map(({ file, places }) => {
          const summary = quickSummary(env, file, places)
          return summary === null ? null : packSummary(summary)
        }),
      ),
  }
}

/** The thread as the scan sees it. */
export function quickHelper(client: Pick<WorkerClient<QuickJobs>, 'run' | 'close'>): QuickHelper {
  return {
    async read(files) {
      const told = await client.run('quickRows', { files })
      return told.ok ? told.value : null
    },
    end() {
      void client.close(0)
    },
  }
}
