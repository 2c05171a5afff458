/** Which agent directory a session file belongs to, told by where it lies. Rule: docs/format.md, Agent directory. */
import path from 'node:path'
import type { Environment } from '../engine/environment'
import { type AgentLayout, ompLayout, plainLayout } from '../engine/layout/agent-directories'
import { isArchive } from '../engine/layout/session-paths'
import { liesIn, rootHolding } from './real-place'
import { type LibraryRoot, libraryRoots } from './roots'

/**
 * The layout of the agent directory around a journal: a root of this user, or `<agent>/sessions/.../<name>.jsonl`
 * (`<agent>/archive/sessions/...` for archived ones) of any other; a file that lies elsewhere belongs to the user's own agent directory. `only` overrides.
 */
export function layoutAround(env: Environment, file: string, only: string | null): AgentLayout {
  if (only !== null) return plainLayout(path.resolve(only))
  const known = rootHolding(env, libraryRoots(env, [], null), file)
  if (known !== undefined) return known.layout
  for (let at = path.dirname(file); path.dirname(at) !== at; at = path.dirname(at)) {
    if (path.basename(at) !== 'sessions') continue
    const above = path.dirname(at)
    const isArchived = isArchive(file) && path.basename(above) === 'archive'
    return plainLayout(isArchived ? path.dirname(above) : above)
  }
  return ompLayout(env, null)
}

/** The root that a file belongs to, or would. */
export function rootAround(env: Environment, file: string, only: string | null): LibraryRoot {
  const layout = layoutAround(env, file, only)
  const known = libraryRoots(env, [], null).find(root => root.layout.sessionsDir === layout.sessionsDir)
  const other = { id: layout.agentDir, name: path.basename(layout.agentDir), kind: 'added', layout } as const
  return known ?? { ...other, readOnly: isOnlyRead(env, file) }
}

/** Whether a file is among the sessions of a root that Grove only reads, shown or not, and also through a link. */
export function isOnlyRead(env: Environment, file: string): boolean {
  return libraryRoots(env, [], null).some(
    ({ readOnly, layout }) => readOnly && liesIn(env, layout.sessionsDir, file),
  )
}
