/** The other sessions of `grove-api`: forks, drafts, all statuses, older formats. */
import { shortSession } from './short-session.mjs'

export function addGroveApiSessions(library) {
  const { cwd } = library.projects.get('grove-api')
  const s = shortSession({ seed: 'nightly', cwd, start: library.ago({ days: 6 }) }, [
    { you: 'wake up and check the nightly' },
  ])
  library.session('grove-api', 'nightly', s, {
    kind: 'pending',
    tags: ['pending', 'untitled', 'draft'],
    draft: 'wake up and check the nightly',
  })
}
