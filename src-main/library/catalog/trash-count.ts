/** How many items lie in the trash, without reading any of them. */
import type { Environment } from '../../engine/environment'
import { errnoOf } from '../../engine/storage/errors'
import { trashRootOf } from '../trash/trash-places'

export function countTrashItems(env: Environment, sessionsDirs: readonly string[]): number {
  return [...new Set(sessionsDirs)].reduce((sum, directory) => sum + itemsIn(env, trashRootOf(directory)), 0)
}

function itemsIn(env: Environment, directory: string): number {
  try {
    return env.fs.readDirectory(directory).filter(({ kind }) => kind === 'directory').length
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown
    return 0
  }
}
