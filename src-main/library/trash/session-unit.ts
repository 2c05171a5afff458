/**
 * What belongs to one session and goes as one: its journal, its artifact directory (subagents and draft lie in
 * there), and backups of the journal that omp left beside it. Looks only; a link is taken as itself.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { artifactKind, DRAFT_FILE } from '../../engine/artifacts/artifact-directory'
import type { Environment, WorkContext } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import { captureIdentity, type FileIdentity, verifyIdentity } from '../../engine/storage/file-identity'
import type { DirectoryEntry } from '../../engine/storage/file-system'
import { type TreeEntry, treeDifference, walkTree } from '../../engine/storage/tree-walk'
import type { ManifestPart } from './manifest'

/** A part of a unit, with all that must still be true when it moves. Plain JSON. */
export type UnitPart = ManifestPart & {
  files: number
  bytes: number
  /** Of a file or link; a directory has its inventory only. */
  identity: FileIdentity | null
  entries: TreeEntry[]
}

export type SessionUnit = {
  /** The journal first. */
  parts: UnitPart[]
  files: number
  bytes: number
  artifactFiles: number
  subagents: number
  hasDraft: boolean
}

/** Readings of directories, shared by the sessions of one plan. */
export type DirectoryCache = Map<string, readonly DirectoryEntry[]>

/** The unit of the session at `journal` as it is now. */
export async function inventoryUnit(
  env: Environment,
  journal: string,
  cache: DirectoryCache,
  work: WorkContext,
): Promise<Result<SessionUnit>> {
  const found = attempt('look at', journal, () => findParts(env, journal, cache))
  if (!found.ok) return found
  const parts: UnitPart[] = []
  for (const part of found.value) {
    const place = path.join(path.dirname(journal), part.name)
    const tree = await walkTree(env, place, work)
    if (!tree.ok) return tree
    const identity = part.kind === 'directory' ? ok(null) : captureIdentity(env.fs, place)
    if (!identity.ok) return identity
    const { files, bytes, entries } = tree.value
    parts.push({ ...part, files, bytes, entries, identity: identity.value })
  }
  if (parts[0]?.role !== 'journal') {
    return err('not-found', `${journal} is not a session file that is there.`, journal)
  }
  return ok({ parts, ...factsOf(parts) })
}

/** Names and kinds of the parts that are there. */
export function findParts(env: Environment, journal: string, cache: DirectoryCache): ManifestPart[] {
  const directory = path.dirname(journal)
  const name = path.basename(journal)
  const parts: ManifestPart[] = []
  const journalStat = lstatOrUndefined(env.fs, journal)
  if (journalStat?.kind === 'file' || journalStat?.kind === 'symlink') {
    parts.push({ role: 'journal', name, kind: journalStat.kind })
  }
  const artifacts = artifactDirectoryOf(journal)
  const artifactStat = artifacts === null ? undefined : lstatOrUndefined(env.fs, artifacts)
  if (artifacts !== null && (artifactStat?.kind === 'directory' || artifactStat?.kind === 'symlink')) {
    parts.push({ role: 'artifacts', name: path.basename(artifacts), kind: artifactStat.kind })
  }
  for (const entry of readCached(env, directory, cache)) {
    const isBackup = entry.name.startsWith(`${name}.`) && entry.name.endsWith('.bak')
    if (isBackup && (entry.kind === 'file' || entry.kind === 'symlink')) {
      parts.push({ role: 'backup', name: entry.name, kind: entry.kind })
    }
  }
  return parts
}

function readCached(env: Environment, directory: string, cache: DirectoryCache): readonly DirectoryEntry[] {
  const known = cache.get(directory)
  if (known !== undefined) return known
  const entries = [...env.fs.readDirectory(directory)].sort((a, b) => (a.name < b.name ? -1 : 1))
  cache.set(directory, entries)
  return entries
}

function factsOf(parts: readonly UnitPart[]): Omit<SessionUnit, 'parts'> {
  const artifacts = parts.find(part => part.role === 'artifacts')
  return {
    files: parts.reduce((sum, part) => sum + part.files, 0),
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    artifactFiles: artifacts?.files ?? 0,
    subagents: countSubagents(artifacts?.entries ?? []),
    hasDraft: hasDraft(artifacts?.entries ?? []),
  }
}

/** Subagents among the entries of an artifact directory. */
export function countSubagents(entries: readonly TreeEntry[]): number {
  return entries.filter(({ kind, path: name }) => kind === 'file' && artifactKind(name) === 'subagent').length
}

/** Whether an artifact directory holds an unsent draft; an empty one is none. */
export function hasDraft(entries: readonly TreeEntry[]): boolean {
  return entries.some(entry => entry.path === DRAFT_FILE && entry.size > 0)
}

/** Ok when the session at `journal` is still exactly the unit that was planned; else `changed-on-disk`. */
export async function verifyUnit(
  env: Environment,
  journal: string,
  parts: readonly UnitPart[],
  work: WorkContext,
): Promise<Result<void>> {
  const now = attempt('look at', journal, () => findParts(env, journal, new Map()))
  if (!now.ok) return now
  const names = new Set(parts.map(part => part.name))
  const added = now.value.find(part => !names.has(part.name))
  if (added !== undefined) {
    const place = path.join(path.dirname(journal), added.name)
    return err('changed-on-disk', `${place} appeared since it was planned.`, place)
  }
  for (const part of parts) {
    const same = await verifyPart(env, path.join(path.dirname(journal), part.name), part, work)
    if (!same.ok) return same
  }
  return ok(undefined)
}

/** Ok when what lies at `place` is still the planned part; holds after a rename too, inodes being kept. */
export async function verifyPart(
  env: Environment,
  place: string,
  part: UnitPart,
  work: WorkContext,
): Promise<Result<void>> {
  if (part.identity !== null) {
    const same = verifyIdentity(env.fs, place, part.identity)
    return same.ok ? ok(undefined) : same
  }
  const tree = await walkTree(env, place, work)
  if (!tree.ok && tree.error.code !== 'not-found') return tree
  const difference = treeDifference(part.entries, tree.ok ? tree.value.entries : [])
  if (difference === null) return ok(undefined)
  return err('changed-on-disk', `${place} changed on disk meanwhile: ${difference}.`, place)
}
