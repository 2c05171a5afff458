/** A library as main knows it once the scan worker's jobs have listed it: here in one thread, one after the other. */
import type { ProjectView, SessionRow } from '@shared/ipc/models/library-models'
import { type Environment, silentWork } from '../../src-main/engine/environment'
import { Catalog } from '../../src-main/library/catalog/catalog'
import { foundRow } from '../../src-main/library/catalog/packed-summary'
import { libraryRoots } from '../../src-main/library/roots'
import { createScanJobs } from '../../src-main/workers/scan-jobs'

/** Everything that the window is given of a library for searching as one types. */
export async function listedLibrary(
  env: Environment,
  agentDir: string,
): Promise<{ rows: SessionRow[]; projects: ProjectView[] }> {
  const jobs = createScanJobs(env)
  const catalog = new Catalog(env.home)
  const roots = libraryRoots(env, [], agentDir)
  const looked = await jobs.look({ roots, scan: null }, silentWork)
  if (!looked.ok) throw new Error(looked.error.message)
  for (let more = true; more; ) {
    const got = await jobs.rows({ scan: looked.value.scan, counting: false }, silentWork)
    if (!got.ok) throw new Error(got.error.message)
    catalog.takeRows(got.value.rows.map(foundRow), roots)
    more = got.value.more
  }
  const projects = catalog.projects({ projectOrder: 'activity', pinnedProjects: [] })
  return { rows: catalog.allRows(), projects }
}
