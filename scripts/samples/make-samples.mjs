/** Makes the whole sample library: projects, sessions, breadcrumbs, and on demand the odd files. */

import { addAllSessions } from './content/all-sessions.mjs'
import { addBreadcrumbs } from './content/breadcrumbs.mjs'
import { addProjects } from './content/projects.mjs'
import { addOddFiles } from './odd/all-odd.mjs'
import { SampleLibrary } from './sample-library.mjs'

/**
 * @param dir an existing empty directory
 * @param options `{ now, odd, fullSize }`: Unix ms, whether to add the odd files, and at their real sizes
 * @returns `{ agentDir, manifest }`
 */
export function makeSamples(dir, { now, odd = false, fullSize = false } = {}) {
  const library = new SampleLibrary(dir, now === undefined ? {} : { now })
  addProjects(library)
  addAllSessions(library)
  addBreadcrumbs(library)
  if (odd) addOddFiles(library, { fullSize })
  return { agentDir: library.agentDir, manifest: library.finish() }
}
