/**
 * What lies in the trash of some roots. Looks only. A note that is missing, damaged or not ours hides nothing: the item
 * is listed with what is there and the problem.
 */
import path from 'node:path'
import type { TrashItem, TrashView } from '@shared/ipc/models/change-models'
import type { Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { listText } from '@shared/session/text'
import type { Environment, WorkContext } from '../../engine/environment'
import { isPathInside } from '../../engine/layout/path-inside'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt, attemptAsync, EngineError, errnoOf } from '../../engine/storage/errors'
import type { DirectoryEntry } from '../../engine/storage/file-system'
import { treeFingerprint } from '../../engine/storage/tree-walk'
import { projectName } from '../catalog/session-row'
import type { ChangeContext } from '../changes/change-handlers'
import { shortFolder } from '../projects/folder-paths'
import { isKnownItem } from './known-items'
import { containerOf, type Manifest, originalJournalOf, originDirectoryOf, readManifest } from './manifest'
import { contentOf } from './trash-item'
import { itemDirectoryOf, type TrashItemRef, trashRootOf } from './trash-places'

export type TrashEntry = TrashItemRef & {
  location: string
  /** Null when it cannot be read or believed. */
  manifest: Manifest | null
  files: number
  bytes: number
  /** Of exactly what is listed; emptying refuses an item that is no longer this. */
  fingerprint: string
  /** Why it cannot be restored as it is, or null. */
  problem: string | null
}

export type TrashListing = {
  /** Newest first. */
  items: TrashEntry[]
  /** Trash directories that exist. */
  locations: string[]
  /** Trash that could not be read, one sentence each. */
  notes: string[]
}

export function listTrash(
  context: ChangeContext,
  roots: readonly { sessionsDir: string }[],
  work: WorkContext,
): Promise<Result<TrashListing>> {
  return attemptAsync('list the trash', undefined, async () => {
    const listing: TrashListing = { items: [], locations: [], notes: [] }
    for (const sessionsDir of new Set(roots.map(root => root.sessionsDir))) {
      for (const entry of namesIn(context, sessionsDir, listing)) {
        await work.breathe()
        const item = await readItem(context, { id: entry.name, sessionsDir }, work)
        if (item !== undefined) listing.items.push(item)
      }
    }
    listing.items.sort(
      (a, b) => (b.manifest?.deleted ?? 0) - (a.manifest?.deleted ?? 0) || (a.id < b.id ? -1 : 1),
    )
    return listing
  })
}

function namesIn({ env }: ChangeContext, sessionsDir: string, listing: TrashListing): DirectoryEntry[] {
  const root = trashRootOf(sessionsDir)
  try {
    const stat = lstatOrUndefined(env.fs, root)
    if (stat === undefined) return []
    if (stat.kind !== 'directory') {
      listing.notes.push(`${root} is not a folder and is not followed.`)
      return []
    }
    listing.locations.push(root)
    // Plain files at this level (a file manager's own) are nobody's session.
    return env.fs.readDirectory(root).filter(entry => entry.kind === 'directory')
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === undefined) throw thrown
    listing.notes.push(`${root} cannot be read (${errno}).`)
    return []
  }
}

/** One item as it is now, or undefined when it is gone. */
export async function readItem(
  context: ChangeContext,
  ref: TrashItemRef,
  work: WorkContext,
): Promise<TrashEntry | undefined> {
  const { env } = context
  const location = itemDirectoryOf(ref)
  const content = await contentOf(env, ref, work.breathe)
  if (!content.ok && content.error.code === 'not-found') return undefined
  // Cancelling ends the whole listing.
  if (!content.ok && content.error.code === 'cancelled')
    throw new EngineError('cancelled', content.error.message)
  const manifest = readManifest(env, ref)
  const known = manifest.ok ? manifest.value : null
  const item = { ...ref, location, manifest: known }
  if (!content.ok) return { ...item, files: 0, bytes: 0, fingerprint: '', problem: content.error.message }
  const { files, bytes, entries } = content.value
  const problem = manifest.ok ? restoreProblem(context, ref, manifest.value) : manifest.error.message
  return { ...item, files, bytes, fingerprint: treeFingerprint(entries), problem }
}

/** Why an item cannot be put back where it was, or null. */
export function restoreProblem(context: ChangeContext, ref: TrashItemRef, manifest: Manifest): string | null {
  const { env } = context
  const origin = originDirectoryOf(ref, manifest)
  let inside = manifest.origin.inside
  const looked = attempt('look at', origin, () => {
    for (const part of manifest.parts) {
      const place = path.join(containerOf(ref, manifest), part.name)
      if (lstatOrUndefined(env.fs, place) === undefined) return `${part.name} is missing from the trash.`
    }
    for (const part of manifest.parts) {
      const place = path.join(origin, part.name)
      if (lstatOrUndefined(env.fs, place) !== undefined)
        return `${place} is there again; nothing is overwritten.`
    }
    inside &&= staysInside(env, ref.sessionsDir, origin)
    return null
  })
  const problem = looked.ok ? looked.value : looked.error.message
  if (problem !== null) return problem
  if (inside || isKnownItem(context, ref, originalJournalOf(ref, manifest))) return null
  return `Its note says that it came from ${origin}, outside of this root, and Grove has no record of that; move it by hand.`
}

/** Whether `directory`, as far as it is there, lies below the sessions directory once links are followed. */
function staysInside(env: Environment, sessionsDir: string, directory: string): boolean {
  let there = directory
  while (lstatOrUndefined(env.fs, there) === undefined && path.dirname(there) !== there)
    there = path.dirname(there)
  return isPathInside(env.fs.realPath(sessionsDir), env.fs.realPath(there))
}

/** One item as the window shows it. */
export function trashItemView(entry: TrashEntry, home: string): TrashItem {
  const { manifest } = entry
  const cwd = manifest?.session.cwd ?? null
  return {
    id: entry.id,
    title: listText(manifest?.session.title ?? '', limits.firstPromptChars) || 'Untitled',
    projectName: projectName(cwd),
    shortCwd: cwd === null ? '' : listText(shortFolder(home, cwd), limits.firstPromptChars),
    deleted: manifest === null || manifest.deleted === 0 ? null : manifest.deleted,
    files: entry.files,
    bytes: entry.bytes,
    subagents: manifest?.subagents ?? 0,
    hasDraft: manifest?.hasDraft ?? false,
    location: entry.location,
    originalFile: manifest === null ? '' : originalJournalOf(entry, manifest),
    problem: entry.problem,
  }
}

export function trashView(listing: TrashListing, home: string): TrashView {
  return {
    items: listing.items.map(entry => trashItemView(entry, home)),
    files: listing.items.reduce((sum, item) => sum + item.files, 0),
    bytes: listing.items.reduce((sum, item) => sum + item.bytes, 0),
    locations: listing.locations,
  }
}
