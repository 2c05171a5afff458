/** Where sessions can be moved to. Pure. */
import type { ProjectView, RootView } from '@shared/ipc/models/library-models'

/** Folders of projects that are there, those with the newest activity first; every word must stand in the path. */
export function targetFolders(projects: readonly ProjectView[], filter: string): ProjectView[] {
  const words = filter.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return projects
    .filter(project => {
      const text = `${project.name} ${project.shortCwd}`.toLocaleLowerCase()
      return project.cwd !== null && project.state === 'present' && words.every(word => text.includes(word))
    })
    .sort((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0) || a.shortCwd.localeCompare(b.shortCwd))
}

/** Agent directories that sessions may be written into. */
export function targetRoots(roots: readonly RootView[]): RootView[] {
  return roots.filter(root => !root.readOnly && root.state !== 'unreadable')
}
