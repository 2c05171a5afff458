/**
 * The artifacts of a fork: a copy of the source's artifact directory, without what belongs to those who work in the
 * source at this moment. Rule: docs/format.md, Fork.
 *
 * Guarantees
 *   Every file is read back and compared before it counts (copy-verify.ts); modes and times are kept; links are copied as
 *   links. The source is the same before and after, else `changed-on-disk`. The source is never changed.
 *   On failure the caller removes what is at the target.
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { DRAFT_FILE, DRAFT_ONLY_MARKER } from '../../engine/artifacts/artifact-directory'
import type { Environment, WorkContext } from '../../engine/environment'
import type { ForkRequest } from '../../engine/session/many-file-operations'
import { isTemporaryName } from '../../engine/storage/atomic-replace'
import { copyFileVerified } from '../../engine/storage/copy-verify'
import { lstatOrUndefined, syncDirectory } from '../../engine/storage/directory-sync'
import { attempt, attemptAsync } from '../../engine/storage/errors'
import { absolutePath, type TreeEntry, treeDifference, walkTree } from '../../engine/storage/tree-walk'

/**
 * What of the directory comes along. `of-path`: not the draft, which was typed behind the last entry; and what comes while it is
 * copied is of no earlier path.
 */
export type ForkedParts = 'all' | 'of-path'

/** The parts that a request means. */
export function partsToFork({ leafId = null }: Pick<ForkRequest, 'leafId'>): ForkedParts {
  return leafId === null ? 'all' : 'of-path'
}

export type CopiedArtifacts = { files: number; bytes: number; entries: TreeEntry[] }

/**
 * What of the artifact directory `from` comes along with a fork; null when there is none. `conflict` when something of it cannot
 * be copied.
 */
export async function artifactsToFork(
  env: Environment,
  from: string,
  parts: ForkedParts,
  work: WorkContext,
): Promise<Result<TreeEntry[] | null>> {
  const kind = attempt('look at', from, () => lstatOrUndefined(env.fs, from)?.kind)
  if (!kind.ok) return kind
  if (kind.value === undefined) return ok(null)
  if (kind.value !== 'directory') {
    const text = `${from} is not a folder but leads elsewhere, and what it leads to is not copied. Fork without artifacts, or put the folder there.`
    return err('conflict', text, from)
  }
  const entries = await artifactsToCopy(env, from, parts, work)
  if (!entries.ok) return entries
  // A directory that was there for the draft only.
  if (parts === 'of-path' && entries.value.every(entry => entry.kind === 'directory')) return ok(null)
  const strange = entries.value.find(entry => entry.kind === 'other')
  if (strange === undefined) return entries
  const where = absolutePath(from, strange.path)
  return err('conflict', `${where} is neither file, folder nor link and cannot be copied.`, where)
}

/** Files, links included, and bytes of what `artifactsToFork` answers. */
export function amountOf(entries: readonly TreeEntry[]): { files: number; bytes: number } {
  const files = entries.filter(entry => entry.kind !== 'directory')
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

/** Copies the artifact directory `from` to `to`, which must not exist. Nothing and ok when there is none. */
export async function copyArtifacts(
  env: Environment,
  from: string,
  to: string,
  parts: ForkedParts,
  work: WorkContext,
): Promise<Result<CopiedArtifacts | null>> {
  const found = await artifactsToFork(env, from, parts, work)
  if (!found.ok || found.value === null) return found.ok ? ok(null) : found
  const entries = found.value
  const copied = await copyEntries(env, from, to, entries, work)
  if (!copied.ok) return copied
  const same = await verifyArtifacts(env, from, entries, parts, work)
  return same.ok ? ok({ ...amountOf(entries), entries }) : same
}

/** Ok when what is to be copied of `from` is still what `entries` list. */
export async function verifyArtifacts(
  env: Environment,
  from: string,
  entries: readonly TreeEntry[],
  parts: ForkedParts,
  work: WorkContext,
): Promise<Result<void>> {
  const now = await artifactsToCopy(env, from, parts, work)
  if (!now.ok) return now
  const copied = new Set(entries.map(entry => entry.path))
  const there = parts === 'all' ? now.value : now.value.filter(entry => copied.has(entry.path))
  const difference = treeDifference(entries, there)
  if (difference === null) return ok(undefined)
  return err('changed-on-disk', `${from} changed while it was copied: ${difference}. Try again.`, from)
}

async function artifactsToCopy(
  env: Environment,
  from: string,
  parts: ForkedParts,
  work: WorkContext,
): Promise<Result<TreeEntry[]>> {
  const tree = await walkTree(env, from, work)
  if (!tree.ok) return tree
  const isWanted = (entry: TreeEntry) =>
    !isOfTheMoment(entry) && (parts === 'all' || entry.path !== DRAFT_FILE)
  return ok(tree.value.entries.filter(isWanted))
}

/** Unfinished files of omp's: an artifact, and a journal on its way to another file system. */
const UNFINISHED = /\.(tmp-[0-9a-f]{8}-[0-9a-f-]{27}|\d+\.[0-9a-f]{8}-[0-9a-f-]{27}\.(move|bak|tmp))$/

/**
 * What is of the source's own moment: locks and unfinished files, whose owners know nothing of the fork, and the marker
 * that the session is there for its draft only. A fork is there because somebody wanted it.
 */
function isOfTheMoment({ path: relative, kind }: TreeEntry): boolean {
  if (kind === 'directory') return false
  const name = relative.slice(relative.lastIndexOf('/') + 1)
  if (relative === DRAFT_ONLY_MARKER) return true
  return /^\..+\.lock$/.test(name) || isTemporaryName(name) || UNFINISHED.test(name)
}

async function copyEntries(
  env: Environment,
  from: string,
  to: string,
  entries: readonly TreeEntry[],
  work: WorkContext,
): Promise<Result<void>> {
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  let bytes = 0
  for (const entry of entries) {
    const target = absolutePath(to, entry.path)
    const made =
      entry.kind === 'directory'
        ? attempt('make', target, () => env.fs.makeDirectory(target))
        : await copyFileVerified(env, absolutePath(from, entry.path), target, work)
    if (!made.ok) return made
    bytes += entry.size
    const breathed = await attemptAsync('copy', from, async () => {
      work.progress(bytes, total, entry.path)
      await work.breathe()
    })
    if (!breathed.ok) return breathed
  }
  return attempt('sync', to, () => settleDirectories(env, from, to, entries))
}

/** Modes and times of directories, innermost first, since adding a file changes them. */
function settleDirectories(env: Environment, from: string, to: string, entries: readonly TreeEntry[]): void {
  for (const entry of [...entries].reverse()) {
    if (entry.kind !== 'directory') continue
    const stat = env.fs.lstat(absolutePath(from, entry.path))
    const target = absolutePath(to, entry.path)
    env.fs.setMode(target, stat.mode & 0o7777)
    env.fs.setTimes(target, stat.atimeMs, stat.mtimeMs)
    syncDirectory(env, target)
  }
}
