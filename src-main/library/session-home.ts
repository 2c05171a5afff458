/** Which agent directory a session file belongs to, told by where it lies. */
import path from 'node:path'
import type { Environment } from '../engine/environment'
import { type AgentLayout, ompLayout, plainLayout } from '../engine/layout/agent-directories'

/**
 * The layout of the agent directory around a journal: `<agent>/sessions/.../<name>.jsonl`; a file that lies
 * elsewhere belongs to the user's own agent directory. `only` overrides.
 */
export function layoutAround(env: Environment, file: string, only: string | null): AgentLayout {
  if (only !== null) return plainLayout(path.resolve(only))
  const own = ompLayout(env, null)
  if (isBelow(own.sessionsDir, file)) return own
  for (let at = path.dirname(file); path.dirname(at) !== at; at = path.dirname(at)) {
    if (path.basename(at) === 'sessions') return plainLayout(path.dirname(at))
  }
  return own
}

function isBelow(directory: string, file: string): boolean {
  const relative = path.relative(directory, file)
  return relative !== '' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}
