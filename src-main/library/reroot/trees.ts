/** Artifact directories as whole trees: compared, and removed without following any link. */
import { ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../../engine/environment'
import { removeListed } from '../../engine/storage/copy-verify'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { EngineError } from '../../engine/storage/errors'
import type { FileSystem } from '../../engine/storage/file-system'
import { type TreeEntry, type TreeInventory, walkTree } from '../../engine/storage/tree-walk'

/** Times are set in fractions of milliseconds: a copy's may differ by that much, in ns. */
const TIME_MARGIN_NS = 2_000n

export function exists(fs: FileSystem, target: string): boolean {
  return lstatOrUndefined(fs, target) !== undefined
}

/** Files and bytes at `target`; nothing when it is not there. */
export async function countTree(
  env: Environment,
  target: string | null,
  work: WorkContext,
): Promise<Result<Pick<TreeInventory, 'files' | 'bytes'> | null>> {
  if (target === null || !exists(env.fs, target)) return ok(null)
  return walkTree(env, target, work)
}

/** Whether the copy holds the same names, kinds, sizes and times. */
export async function isSameTree(
  env: Environment,
  a: string,
  b: string,
  work: WorkContext,
): Promise<boolean> {
  const [one, other] = [await walkTree(env, a, work), await walkTree(env, b, work)]
  if (!one.ok || !other.ok || one.value.entries.length !== other.value.entries.length) return false
  return one.value.entries.every((entry, at) => isSameEntry(entry, other.value.entries[at]))
}

function isSameEntry(a: TreeEntry, b: TreeEntry | undefined): boolean {
  if (b === undefined || a.path !== b.path || a.kind !== b.kind || a.size !== b.size) return false
  if (a.kind !== 'file') return true
  const apart = BigInt(a.mtimeNs) - BigInt(b.mtimeNs)
  return apart < TIME_MARGIN_NS && apart > -TIME_MARGIN_NS
}

/** Removes a tree of ours, if it is there. Throws when something of it stays. */
export async function removeTree(env: Environment, target: string, work: WorkContext): Promise<void> {
  if (!exists(env.fs, target)) return
  const inventory = await walkTree(env, target, work)
  if (!inventory.ok)
    throw new EngineError(inventory.error.code, inventory.error.message, inventory.error.path)
  const removal = await removeListed(env, target, inventory.value.entries, work)
  if (!removal.ok) throw new EngineError(removal.error.code, removal.error.message, removal.error.path)
  const left = removal.value.left[0]
  if (left !== undefined)
    throw new EngineError('io', `${left.path} could not be removed: ${left.error.message}`, left.path)
}
