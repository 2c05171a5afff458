/**
 * Where trash lies: `<sessions>/grove-trash/<item>/`, holding `manifest.json` and one directory, named as the one the
 * session came from, with the session's files under their own names. A rename away from where they were, too deep for
 * omp's listing (`sessions/<dir>/<name>.jsonl`), and still seen by `omp gc` when it counts references to blobs.
 */
import path from 'node:path'
import { TRASH_DIRECTORY } from '../catalog/session-files'

export const MANIFEST_NAME = 'manifest.json'

/** One item of one sessions directory's trash. */
export type TrashItemRef = { id: string; sessionsDir: string }

export function trashRootOf(sessionsDir: string): string {
  return path.join(sessionsDir, TRASH_DIRECTORY)
}

export function itemDirectoryOf({ id, sessionsDir }: TrashItemRef): string {
  return path.join(trashRootOf(sessionsDir), id)
}

export function manifestPathOf(ref: TrashItemRef): string {
  return path.join(itemDirectoryOf(ref), MANIFEST_NAME)
}

/** Whether `name` is a single name: manifests and requests may come from anywhere and must not lead elsewhere. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)
}

/** Whether `target` lies in the trash of `sessionsDir`. */
export function isInTrash(sessionsDir: string, target: string): boolean {
  const relative = path.relative(trashRootOf(sessionsDir), target)
  return relative === '' || (relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative))
}
