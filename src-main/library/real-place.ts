/** Where a file lies, by its name and with links resolved: what is written through a link is written where it leads. Looks only. */
import type { Environment } from '../engine/environment'
import { type AgentLayout, archivedSessionsDir } from '../engine/layout/agent-directories'
import { isPathInside } from '../engine/layout/path-inside'
import { attempt } from '../engine/storage/errors'
import type { LibraryRoot } from './roots'

/** Whether a file is `directory` or lies below it, by name or really. What is not there lies where its name says. */
export function liesIn(env: Environment, directory: string, file: string): boolean {
  return isPathInside(directory, file) || reallyLiesIn(env, directory, file)
}

function reallyLiesIn(env: Environment, directory: string, file: string): boolean {
  const real = attempt('look at', file, () => isPathInside(env.fs.realPath(directory), env.fs.realPath(file)))
  return real.ok && real.value
}

/** The root whose sessions, archived ones with them, a file is among: by its name, else where a link leads. */
export function rootHolding(
  env: Environment,
  roots: readonly LibraryRoot[],
  file: string,
): LibraryRoot | undefined {
  const places = (layout: AgentLayout) => [layout.sessionsDir, archivedSessionsDir(layout)]
  return (
    roots.find(({ layout }) => places(layout).some(place => isPathInside(place, file))) ??
    roots.find(({ layout }) => places(layout).some(place => reallyLiesIn(env, place, file)))
  )
}
