/** A session that is open without being listed, as changes name it: a file from elsewhere that the user opened. */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { isPathInside } from '../../engine/layout/path-inside'
import type { SessionPlace } from '../catalog/catalog'
import { displayTitle } from '../catalog/session-row'
import type { ChangeTarget } from './change-target'

/** `<directory>/<name>.jsonl` below the sessions root; what lies deeper belongs to a session. */
const OWN_DEPTH = 2

/**
 * The target at `place`, with the root that the file belongs to. A subagent is none: it is moved and deleted with its session,
 * whose links to it would be dead otherwise.
 */
export function unlistedTarget(ref: string, { file, root, summary }: SessionPlace): Result<ChangeTarget> {
  const { sessionsDir, agentDir } = root.layout
  const depth = path.relative(sessionsDir, file).split(path.sep).length
  if (isPathInside(sessionsDir, file) && depth > OWN_DEPTH) {
    const text = `${file} belongs to another session, and is moved and deleted only with it.`
    return err('invalid-argument', text, file)
  }
  if (summary === null) return err('not-found', `${file} is not in the library any more. Look again.`, file)
  const { cwd, id } = summary
  const title = displayTitle(summary).title
  return ok({ ref, journal: file, sessionsDir, agentDir, cwd, id, title, readOnly: root.readOnly })
}
