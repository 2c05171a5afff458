/** The job of the thread that helps the worker that searches: it reads files, and knows nothing. */
import { ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../engine/environment'
import { ByteFinder } from '../library/search/byte-finder'
import { type SieveHelper, type SieveInput, siftFiles } from '../library/search/file-sieve'
import type { WorkerClient } from './worker-client'

export type SieveJobs = ReturnType<typeof createSieveJobs>

export function createSieveJobs(env: Environment) {
  return {
    siftFiles: async ({ files, needles }: SieveInput, work: WorkContext): Promise<Result<Uint8Array>> => {
      const finder = new ByteFinder({ needles: needles.map(needle => Buffer.from(needle)) })
      return ok(await siftFiles(env, files, finder, work))
    },
  }
}

/** The thread as search sees it. Once it failed, it is not asked again. */
export function sieveHelper(client: Pick<WorkerClient<SieveJobs>, 'run'>): SieveHelper {
  let lost = false
  return async input => {
    if (lost) return null
    const told = await client.run('siftFiles', input)
    if (told.ok) return told.value
    lost = true
    return null
  }
}
