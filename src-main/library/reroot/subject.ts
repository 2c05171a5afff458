/** What a re-root is about, and which of the library's sessions that means. */
import type { ChangeTarget } from '../changes/change-target'
import { isSameFolder, mapFolder, normalFolder, relativeBelow } from '../projects/folder-paths'

/** As `RerootSubject` of the contract, with the window's names resolved. */
export type RerootScope =
  | { kind: 'project'; cwd: string | null }
  | { kind: 'sessions'; journals: readonly string[] }
  | { kind: 'prefix'; prefix: string }

/** The sessions of a scope, in the order given. */
export function sessionsOf(scope: RerootScope, sessions: readonly ChangeTarget[]): ChangeTarget[] {
  switch (scope.kind) {
    case 'project':
      return sessions.filter(({ cwd }) => isProject(scope.cwd, cwd))
    case 'sessions': {
      const wanted = new Set(scope.journals)
      return sessions.filter(({ journal }) => wanted.has(journal))
    }
    case 'prefix':
      return sessions.filter(({ cwd }) => cwd !== null && relativeBelow(scope.prefix, cwd) !== undefined)
    default:
      return scope satisfies never
  }
}

function isProject(project: string | null, cwd: string | null): boolean {
  if (project === null || cwd === null) return project === cwd
  return project === cwd || isSameFolder(project, cwd)
}

/** The one folder that the sessions name, or the prefix; null when they name several, or none. */
export function fromOf(scope: RerootScope, sessions: readonly ChangeTarget[]): string | null {
  if (scope.kind === 'prefix') return normalFolder(scope.prefix)
  if (scope.kind === 'project') return scope.cwd
  const [first, ...others] = sessions.map(({ cwd }) => cwd)
  if (first === undefined || first === null) return null
  return others.every(cwd => cwd !== null && isProject(first, cwd)) ? first : null
}

/** The folder that a session of the scope names afterwards. */
export function newCwdOf(scope: RerootScope, to: string, cwd: string | null): string {
  if (scope.kind !== 'prefix' || cwd === null) return to
  return mapFolder(scope.prefix, to, cwd) ?? to
}

/** How many different folders the sessions name. */
export function countFolders(sessions: readonly { cwd: string | null }[]): number {
  return new Set(sessions.map(({ cwd }) => (cwd === null ? null : normalFolder(cwd)))).size
}
