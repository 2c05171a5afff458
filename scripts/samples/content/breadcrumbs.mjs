/** Which terminal had which session open, and one star for a session that is no longer there. */
import path from 'node:path'

/** Must run after the sessions: a breadcrumb names the newest session of its project. */
export function addBreadcrumbs(library) {
  const crumb = (terminal, projectKey, { stat = true, ...more } = {}) => {
    const project = library.projects.get(projectKey)
    const own = library.sessions.filter(s => s.project === projectKey && s.damagedLines.length === 0)
    const newest = own.sort((a, b) => (a.lastActivity < b.lastActivity ? 1 : -1))[0]
    const folder = project.folder ?? undefined
    library.breadcrumb(terminal, {
      cwd: project.cwd,
      file: path.join(library.dir, newest.file),
      ...(stat && folder ? { stat: folder } : {}),
      ...more,
    })
  }
  crumb('tmux-%41', 'upload-service', {
    note: 'written before the folder was renamed: proves that it is the same folder',
  })
  crumb('tmux-%42', 'acme/web', { note: 'written before clients/acme became clients/acme-corp' })
  crumb('kitty-7', 'grove-api')
  crumb('wezterm-3', 'old-app', { note: 'no identity was noted' })
  const infra = library.projects.get('infra')
  const never = path.join(
    library.sessionsDir,
    infra.directory,
    '2026-11-19T07-00-00-000Z_01a1f000-0000-7000-8000-000000000000.jsonl',
  )
  library.breadcrumb('zellij-work-2', {
    cwd: infra.cwd,
    file: never,
    fresh: true,
    stat: infra.folder,
    note: 'a new session that never wrote',
  })
}
