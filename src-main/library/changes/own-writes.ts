/** Changes of sessions that the caller has just written itself: a recent write is then no sign that others use them. */
import type { FileIdentity } from '../../engine/storage/file-identity'
import type { FileStat } from '../../engine/storage/file-system'
import type { ChangeContext } from './change-handlers'

/** A context in which files that are exactly as `left` says are not in use because of their times. */
export function ownWrites(context: ChangeContext, left: readonly FileIdentity[]): ChangeContext {
  if (left.length === 0) return context
  const { deps } = context
  const writtenByGrove = (_journal: string, stat: FileStat): boolean => left.some(own => isAsLeft(own, stat))
  return { ...context, deps: { ...deps, inUse: work => deps.inUse(work, { writtenByGrove }) } }
}

function isAsLeft(own: FileIdentity, stat: FileStat): boolean {
  return (
    own.ino === stat.ino.toString() &&
    own.dev === stat.dev.toString() &&
    own.size === stat.size &&
    own.mtimeNs === stat.mtimeNs.toString()
  )
}
