/**
 * The note beside a trashed session: what it is and where it was. The trash stands on its own: with Grove's own data
 * lost, or the whole sessions directory moved elsewhere, this is enough to put the session back.
 * Read as hostile input: names must be single names, and a place outside the sessions directory is not believed alone.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import type { Environment } from '../../engine/environment'
import { publishNewNow } from '../../engine/storage/atomic-replace'
import { attempt } from '../../engine/storage/errors'
import { readWholeText } from '../../engine/storage/read-whole'
import { numberOr, parseJson, stringOr } from '../changes/json-guards'
import { isPlainName, itemDirectoryOf, manifestPathOf, type TrashItemRef } from './trash-places'

const MANIFEST_BYTES = 1024 * 1024

export type PartRole = 'journal' | 'artifacts' | 'backup'

export type ManifestPart = { role: PartRole; name: string; kind: 'file' | 'directory' | 'symlink' }

export type Manifest = {
  version: 1
  id: string
  /** The change that put it here. */
  changeId: string
  /** Unix ms. */
  deleted: number
  /**
   * Directory that the files were in: relative to the sessions directory (`inside`), so that it holds when that is
   * moved, or absolute when the session lay elsewhere.
   */
  origin: { inside: boolean; directory: string }
  /** Directory below the item in which the parts lie now. */
  container: string
  parts: ManifestPart[]
  session: { id: string | null; title: string; cwd: string | null }
  files: number
  bytes: number
  artifactFiles: number
  subagents: number
  hasDraft: boolean
}

/** Writes the note of a new item, durably. */
export function writeManifest(env: Environment, ref: TrashItemRef, manifest: Manifest): Result<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  const written = publishNewNow(env, manifestPathOf(ref), [Buffer.from(text, 'utf8')], { mode: 0o600 })
  return written.ok ? ok(undefined) : written
}

/** The note of an item; `damaged` when it cannot be believed. */
export function readManifest(env: Environment, ref: TrashItemRef): Result<Manifest> {
  const file = manifestPathOf(ref)
  const text = attempt('read', file, () => readWholeText(env.fs, file, MANIFEST_BYTES))
  if (!text.ok) return text
  const manifest = manifestOf(parseJson(text.value), ref.id)
  return manifest === undefined
    ? err('damaged', `${file} is damaged or was not written by this version of Grove.`, file)
    : ok(manifest)
}

function manifestOf(value: unknown, id: string): Manifest | undefined {
  if (!isJsonObject(value) || value.version !== 1 || value.id !== id) return undefined
  const { origin, session } = value
  if (!isJsonObject(origin) || typeof origin.inside !== 'boolean' || typeof origin.directory !== 'string')
    return undefined
  if (typeof value.container !== 'string' || !isPlainName(value.container)) return undefined
  const parts = partsOf(value.parts)
  if (parts === undefined || !isBelievableOrigin(origin.inside, origin.directory)) return undefined
  return {
    version: 1,
    id,
    changeId: stringOr(value.changeId, ''),
    deleted: numberOr(value.deleted, 0),
    origin: { inside: origin.inside, directory: origin.directory },
    container: value.container,
    parts,
    session: {
      id: isJsonObject(session) ? stringOr(session.id, null) : null,
      title: isJsonObject(session) ? stringOr(session.title, '') : '',
      cwd: isJsonObject(session) ? stringOr(session.cwd, null) : null,
    },
    files: numberOr(value.files, 0),
    bytes: numberOr(value.bytes, 0),
    artifactFiles: numberOr(value.artifactFiles, 0),
    subagents: numberOr(value.subagents, 0),
    hasDraft: value.hasDraft === true,
  }
}

function isBelievableOrigin(inside: boolean, directory: string): boolean {
  if (!inside) return path.isAbsolute(directory) && path.normalize(directory) === directory
  const names = directory.split('/')
  return directory === '' || names.every(isPlainName)
}

function partsOf(value: unknown): ManifestPart[] | undefined {
  if (!Array.isArray(value)) return undefined
  const parts: ManifestPart[] = []
  for (const item of value) {
    const part = partOf(item)
    if (part === undefined) return undefined
    parts.push(part)
  }
  const names = new Set(parts.map(part => part.name))
  const journals = parts.filter(part => part.role === 'journal')
  return journals.length === 1 && names.size === parts.length ? parts : undefined
}

function partOf(value: unknown): ManifestPart | undefined {
  if (!isJsonObject(value) || typeof value.name !== 'string' || !isPlainName(value.name)) return undefined
  const { role, kind, name } = value
  if (role !== 'journal' && role !== 'artifacts' && role !== 'backup') return undefined
  if (kind !== 'file' && kind !== 'directory' && kind !== 'symlink') return undefined
  return { role, kind, name }
}

/** Directory that the session's files were in and go back to. */
export function originDirectoryOf(ref: TrashItemRef, manifest: Manifest): string {
  const { inside, directory } = manifest.origin
  return inside ? path.join(ref.sessionsDir, ...directory.split('/')) : directory
}

/** The journal's own path, where it was. */
export function originalJournalOf(ref: TrashItemRef, manifest: Manifest): string {
  return path.join(originDirectoryOf(ref, manifest), journalNameOf(manifest))
}

export function journalNameOf(manifest: Manifest): string {
  // `partsOf` made sure that there is exactly one.
  return manifest.parts.find(part => part.role === 'journal')?.name ?? ''
}

/** Directory in the trash in which the parts lie. */
export function containerOf(ref: TrashItemRef, manifest: Manifest): string {
  return path.join(itemDirectoryOf(ref), manifest.container)
}

/** How the place of a directory is written down: relative to the sessions directory where it lies below it. */
export function originOf(sessionsDir: string, directory: string): Manifest['origin'] {
  const relative = path.relative(sessionsDir, directory)
  const names = relative.split(path.sep)
  if (names[0] === '..' || path.isAbsolute(relative))
    return { inside: false, directory: path.normalize(directory) }
  return { inside: true, directory: names.join('/') }
}
