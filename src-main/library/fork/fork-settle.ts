/** A fork on the disk, whatever became of it: looked at, and taken away again. Repeatable; every step looks first. */
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../../engine/environment'
import { lstatOrUndefined, removeMadeDirectories, syncDirectory } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import { captureIdentity } from '../../engine/storage/file-identity'
import { treeFingerprint, walkTree } from '../../engine/storage/tree-walk'
import { readHead } from '../reroot/journal-bytes'
import { removeIfThere } from '../reroot/journal-part'
import { exists, removeTree } from '../reroot/trees'
import { type ForkPlan, forkPaths, type MadeFork } from './fork-plan'

/** Bytes of the fork's journal, or null while it has no name. Throws what the system refuses to tell. */
export function forkedSize(env: Environment, plan: ForkPlan): number | null {
  const stat = lstatOrUndefined(env.fs, plan.file)
  if (stat?.kind !== 'file') return null
  return readHead(env.fs, plan.file).header?.fields.id === plan.id ? stat.size : null
}

/**
 * Takes away everything of a fork, the journal first: what is there without it is no session. Throws when something
 * cannot be removed; calling again goes on.
 */
export async function removeFork(env: Environment, plan: ForkPlan, work: WorkContext): Promise<void> {
  const { fs } = env
  const { artifacts, artifactsPart, part } = forkPaths(plan)
  const directory = path.dirname(plan.file)
  if (exists(fs, directory)) {
    if (forkedSize(env, plan) !== null || isReservation(env, plan)) {
      fs.unlink(plan.file)
      // A journal that a power loss brings back must find its artifacts.
      syncDirectory(env, directory)
    }
    removeIfThere(fs, part)
    await removeTree(env, artifactsPart, work)
    // The name is of our id: what lies there without a journal is ours.
    if (!exists(fs, plan.file)) await removeTree(env, artifacts, work)
    syncDirectory(env, directory)
  }
  removeMadeDirectories(fs, plan.makes)
}

/** The empty file that reserves a name on a file system without hard links. */
function isReservation(env: Environment, plan: ForkPlan): boolean {
  const stat = lstatOrUndefined(env.fs, plan.file)
  return stat?.kind === 'file' && stat.size === 0 && exists(env.fs, forkPaths(plan).part)
}

/** The fork as it is now, for undo. */
export async function madeForkOf(
  env: Environment,
  plan: ForkPlan,
  work: WorkContext,
): Promise<Result<MadeFork>> {
  const identity = captureIdentity(env.fs, plan.file)
  if (!identity.ok) return identity
  const artifacts = await fingerprintOf(env, forkPaths(plan).artifacts, work)
  return artifacts.ok ? ok({ plan, identity: identity.value, artifacts: artifacts.value }) : artifacts
}

async function fingerprintOf(
  env: Environment,
  directory: string,
  work: WorkContext,
): Promise<Result<string | null>> {
  const there = attempt('look at', directory, () => exists(env.fs, directory))
  if (!there.ok || !there.value) return there.ok ? ok(null) : there
  const tree = await walkTree(env, directory, work)
  return tree.ok ? ok(treeFingerprint(tree.value.entries)) : tree
}
