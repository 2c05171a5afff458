/**
 * What lies in a session's artifact directory. Looks only: symbolic links are listed, never followed; a
 * directory that is not there is an empty one. Rule: docs/format.md, Artifact directory.
 */
import path from 'node:path'
import { limits } from '@shared/limits'
import { errnoOf } from '../storage/errors'
import type { FileSystem } from '../storage/file-system'

export type ArtifactKind =
  | 'output'
  | 'subagent'
  | 'advisor'
  | 'document'
  | 'data'
  | 'patch'
  | 'local'
  | 'draft'
  | 'other'

export type ArtifactFile = {
  /** Path inside the artifact directory, parts joined by `/`. */
  name: string
  kind: ArtifactKind
  bytes: number
  /** Unix ms. */
  modified: number
}

export const DRAFT_FILE = 'draft.txt'
export const DRAFT_ONLY_MARKER = '.draft-only-session'

export type ArtifactListing = {
  exists: boolean
  files: ArtifactFile[]
  /** Bytes of all files, the draft included. */
  bytes: number
  /** Folders that could not be read, with the reason. */
  unreadable: string[]
}

/** Every file below the artifact directory, sorted by path. Bounded in depth; links count as `other`. */
export function listArtifacts(fs: FileSystem, directory: string): ArtifactListing {
  const listing: ArtifactListing = { exists: false, files: [], bytes: 0, unreadable: [] }
  const open: { relative: string; depth: number }[] = [{ relative: '', depth: 0 }]
  while (open.length > 0) {
    const next = open.pop()
    if (next === undefined) break
    let entries: ReturnType<FileSystem['readDirectory']>
    try {
      if (next.depth === 0 && fs.lstat(directory).kind !== 'directory') return listing
      entries = fs.readDirectory(path.join(directory, next.relative))
    } catch (thrown) {
      const errno = errnoOf(thrown)
      if (errno === undefined) throw thrown
      if (errno !== 'ENOENT' && errno !== 'ENOTDIR')
        listing.unreadable.push(`${next.relative || '.'} (${errno})`)
      continue
    }
    listing.exists = true
    for (const entry of entries) {
      const name = next.relative === '' ? entry.name : `${next.relative}/${entry.name}`
      if (entry.kind === 'directory') {
        if (next.depth < limits.artifactDepth) open.push({ relative: name, depth: next.depth + 1 })
        else listing.unreadable.push(`${name} (too deep)`)
      } else addFile(fs, directory, name, listing)
    }
  }
  listing.files.sort((a, b) => (a.name < b.name ? -1 : 1))
  return listing
}

function addFile(fs: FileSystem, directory: string, name: string, listing: ArtifactListing): void {
  try {
    const stat = fs.lstat(path.join(directory, name))
    const kind = stat.kind === 'file' ? artifactKind(name) : 'other'
    listing.files.push({ name, kind, bytes: stat.size, modified: stat.mtimeMs })
    listing.bytes += stat.size
  } catch (thrown) {
    // Gone between listing and looking: it is not there.
    if (errnoOf(thrown) === undefined) throw thrown
  }
}

/** What a file is by its place and name. */
export function artifactKind(name: string): ArtifactKind {
  const base = name.slice(name.lastIndexOf('/') + 1)
  if (name === DRAFT_FILE) return 'draft'
  if (name.startsWith('local/')) return 'local'
  if (/^__advisor(\..+)?\.jsonl$/.test(base)) return 'advisor'
  if (base.endsWith('.jsonl')) return 'subagent'
  if (/^\d+\..*\.log$/.test(base)) return 'output'
  if (base.endsWith('.patch') || base.endsWith('.diff')) return 'patch'
  if (/\.(md|markdown|txt)$/i.test(base)) return 'document'
  if (base.endsWith('.json')) return 'data'
  return 'other'
}

/** The files that count as artifacts: all but the draft and the marker of a draft-only session. */
export function isArtifact(file: ArtifactFile): boolean {
  return file.kind !== 'draft' && file.name !== DRAFT_ONLY_MARKER
}
