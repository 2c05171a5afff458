/** Making and taking away the directories of one trash item. */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { type Environment, silentWork } from '../../engine/environment'
import { removeListed } from '../../engine/storage/copy-verify'
import { ensureDirectory, lstatOrUndefined, syncDirectory } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import { type TreeEntry, walkTree } from '../../engine/storage/tree-walk'
import { containerOf, type Manifest, writeManifest } from './manifest'
import { itemDirectoryOf, MANIFEST_NAME, type TrashItemRef, trashRootOf } from './trash-places'

/** Makes the item with its note, durably and before anything is moved into it. On failure nothing of it is left. */
export function createItem(env: Environment, ref: TrashItemRef, manifest: Manifest): Result<void> {
  const root = trashRootOf(ref.sessionsDir)
  const place = attempt('look at', root, () => lstatOrUndefined(env.fs, root)?.kind)
  if (!place.ok) return place
  if (place.value !== undefined && place.value !== 'directory') {
    return err(
      'conflict',
      `${root} is not a folder; Grove does not follow a link to a trash elsewhere.`,
      root,
    )
  }
  const item = itemDirectoryOf(ref)
  let made = false
  const ready = attempt('make', item, () => {
    ensureDirectory(env, root, 0o700)
    env.fs.makeDirectory(item)
    made = true
    env.fs.setMode(item, 0o700)
    env.fs.makeDirectory(containerOf(ref, manifest))
  })
  const written = ready.ok ? writeManifest(env, ref, manifest) : ready
  const synced = written.ok ? attempt('sync', root, () => syncDirectory(env, root)) : written
  if (!synced.ok && made) discardEmptyItem(env, ref, manifest.container)
  else if (!synced.ok) removeRootWhenEmpty(env, ref)
  return synced
}

/**
 * Takes away an item from which everything was moved: its note, its directories, and the trash itself when nothing
 * else is in it. Whatever else lies there stays, and so do the directories above it; true when all is gone.
 */
export function discardEmptyItem(env: Environment, ref: TrashItemRef, container: string | null): boolean {
  const item = itemDirectoryOf(ref)
  const steps: (() => void)[] = [
    () => env.fs.unlink(path.join(item, MANIFEST_NAME)),
    () => env.fs.removeDirectory(item),
  ]
  if (container !== null) steps.unshift(() => env.fs.removeDirectory(path.join(item, container)))
  for (const step of steps) if (!isGoneAfter(step, item)) return false
  removeRootWhenEmpty(env, ref)
  return true
}

/** Twice: a failure that passes must not leave an empty item. Gone already is as good as removed. */
function isGoneAfter(step: () => void, item: string): boolean {
  const first = attempt('remove', item, step)
  if (first.ok || first.error.code === 'not-found') return true
  const second = attempt('remove', item, step)
  return second.ok || second.error.code === 'not-found'
}

function removeRootWhenEmpty(env: Environment, ref: TrashItemRef): void {
  const root = trashRootOf(ref.sessionsDir)
  attempt('remove', root, () => env.fs.removeDirectory(root))
  attempt('sync', root, () => syncDirectory(env, ref.sessionsDir))
}

/** What an item holds beside its note. */
export type ItemContent = {
  /** Relative to the item's directory. */
  entries: TreeEntry[]
  files: number
  bytes: number
}

/** The content of an item, Grove's own note left out. */
export async function contentOf(
  env: Environment,
  ref: TrashItemRef,
  breathe: () => Promise<void>,
): Promise<Result<ItemContent>> {
  const tree = await walkTree(env, itemDirectoryOf(ref), { ...silentWork, breathe })
  if (!tree.ok) return tree
  const entries = tree.value.entries.filter(entry => entry.path !== '' && entry.path !== MANIFEST_NAME)
  const names = entries.filter(entry => entry.kind !== 'directory')
  return ok({ entries, files: names.length, bytes: names.reduce((sum, entry) => sum + entry.size, 0) })
}

/**
 * Removes the listed content of an item, then its note and directories. `left` names what stays; the note stays
 * with it. The freed files and bytes are those of the content.
 */
export async function removeItem(
  env: Environment,
  ref: TrashItemRef,
  entries: readonly TreeEntry[],
): Promise<Result<{ files: number; bytes: number; left: { path: string; message: string }[] }>> {
  const item = itemDirectoryOf(ref)
  const removal = await removeListed(env, item, entries, silentWork)
  if (!removal.ok) return removal
  const { files, bytes } = removal.value
  let { left } = removal.value
  if (left.length === 0 && !discardEmptyItem(env, ref, null)) {
    left = [
      {
        path: item,
        error: { code: 'io', message: `${item} could not be removed; something else is in it.` },
      },
    ]
  }
  return ok({
    files,
    bytes,
    left: left.map(({ path: place, error }) => ({ path: place, message: error.message })),
  })
}
