/** Whether a draft lies beside a journal, and its facts. Looks only, and opens nothing. */
import path from 'node:path'
import type { Environment } from '../../engine/environment'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import type { FileStat } from '../../engine/storage/file-system'
import { draftFileOf } from './draft-version'

/** The facts of the draft in that file; undefined when there is none, or an empty one. */
export function draftStat(env: Environment, file: string): FileStat | undefined {
  const stat = attempt('look at', file, () =>
    lstatOrUndefined(env.fs, path.dirname(file))?.kind === 'directory'
      ? lstatOrUndefined(env.fs, file)
      : undefined,
  )
  // A folder that cannot be looked into is told with the session's artifacts.
  if (!stat.ok || stat.value === undefined) return undefined
  return stat.value.kind === 'file' && stat.value.size === 0 ? undefined : stat.value
}

/** How many of these journals, which are not there, left a draft behind. */
export function countStrayDrafts(env: Environment, strays: readonly string[]): number {
  return strays.filter(journal => {
    const file = draftFileOf(journal)
    return file !== null && draftStat(env, file) !== undefined
  }).length
}
