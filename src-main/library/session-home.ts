/** Which agent directory a session file belongs to, told by where it lies. Rule: docs/format.md, Agent directory. */
import path from 'node:path'
import type { Environment } from '../engine/environment'
import { type AgentLayout, ompLayout, plainLayout } from '../engine/layout/agent-directories'
import { isPathInside } from '../engine/layout/path-inside'
import { libraryRoots } from './roots'

/**
 * The layout of the agent directory around a journal: a root of this user, or `<agent>/sessions/.../<name>.jsonl`
 * of any other; a file that lies elsewhere belongs to the user's own agent directory. `only` overrides.
 */
export function layoutAround(env: Environment, file: string, only: string | null): AgentLayout {
  if (only !== null) return plainLayout(path.resolve(only))
  const known = libraryRoots(env, [], null).find(({ layout }) => isPathInside(layout.sessionsDir, file))
  if (known !== undefined) return known.layout
  for (let at = path.dirname(file); path.dirname(at) !== at; at = path.dirname(at)) {
    if (path.basename(at) === 'sessions') return plainLayout(path.dirname(at))
  }
  return ompLayout(env, null)
}
