/** Order and filter of the projects in the sidebar. Pure. */
import type { ProjectView } from '@shared/ipc/models/library-models'

export type ProjectOrder = 'activity' | 'name'

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Pinned projects first, then by order; `filter` must stand in the name or the folder. */
export function arrangeProjects(
  projects: readonly ProjectView[],
  order: ProjectOrder,
  pinned: readonly string[],
  filter: string,
): ProjectView[] {
  const words = filter.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const pins = new Set(pinned)
  const isPinned = (project: ProjectView) => project.pinned || pins.has(project.ref)
  const compare = (a: ProjectView, b: ProjectView) =>
    order === 'name'
      ? byName.compare(a.name, b.name) || byName.compare(a.shortCwd, b.shortCwd)
      : (b.lastActivity ?? 0) - (a.lastActivity ?? 0) || byName.compare(a.name, b.name)
  return projects
    .filter(project => {
      const text = `${project.name} ${project.shortCwd}`.toLocaleLowerCase()
      return words.every(word => text.includes(word))
    })
    .sort((a, b) => Number(isPinned(b)) - Number(isPinned(a)) || compare(a, b))
}

/** Names that more than one project has: those need their folder to be told apart. */
export function ambiguousNames(projects: readonly ProjectView[]): Set<string> {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { name } of projects) {
    if (seen.has(name)) twice.add(name)
    seen.add(name)
  }
  return twice
}
