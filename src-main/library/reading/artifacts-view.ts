/** The Artifacts tab: files of the artifact directory and the blobs that the session refers to. */
import path from 'node:path'
import type { ArtifactPreview, BlobView } from '@shared/ipc/models/session-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { jsonText } from '@shared/session/json'
import { cutAtCharacter } from '@shared/session/text'
import { type ArtifactFile, isArtifact, listArtifacts } from '../../engine/artifacts/artifact-directory'
import type { BlobStore } from '../../engine/blobs/blob-store'
import { sniffImageType } from '../../engine/blobs/image-type'
import type { Environment } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import type { SessionDocument } from '../../engine/session/session-document'
import { readRange, withByteSource } from '../../engine/storage/byte-source'
import { attempt } from '../../engine/storage/errors'
import { isInside } from '../catalog/session-files'
import { blobUrl } from './shown-image'

export type ArtifactEntry = ArtifactFile & {
  madeBy: number | null
  /** Nesting of subagents below the root session. */
  depth: number
}

export type OwnArtifacts = {
  revision: number
  directory: string | null
  files: ArtifactEntry[]
  blobs: BlobView[]
  bytes: number
}

export function artifactsView(
  env: Environment,
  document: SessionDocument,
  blobs: BlobStore,
  blobRoot: string,
): Result<OwnArtifacts> {
  const directory = artifactDirectoryOf(document.path)
  const listing = directory === null ? null : listArtifacts(env.fs, directory)
  const makers = findMakers(document)
  if (!makers.ok) return makers
  const files = (listing?.files ?? []).filter(isArtifact).map(file => ({
    ...file,
    madeBy: makers.value.get(makerKey(file)) ?? null,
    depth: file.kind === 'subagent' || file.kind === 'advisor' ? file.name.split('/').length - 1 : 0,
  }))
  return ok({
    revision: document.revision,
    directory: listing?.exists ? directory : null,
    files,
    blobs: blobViews(document, blobs, blobRoot),
    bytes: listing?.bytes ?? 0,
  })
}

/** Numbered outputs are referred to by number, subagents and their results by name. */
function makerKey(file: ArtifactFile): string {
  const base = file.name.slice(file.name.lastIndexOf('/') + 1)
  const number = file.kind === 'output' ? /^(\d+)\./.exec(base)?.[1] : undefined
  return number === undefined ? `name:${base.replace(/\.[^.]+$/, '')}` : `number:${number}`
}

/** Entries that refer to artifacts: `artifact://N` and `agent://Name` in tool results. */
function findMakers(document: SessionDocument): Result<Map<string, number>> {
  const makers = new Map<string, number>()
  const results: number[] = []
  for (let ordinal = 0; ordinal < document.index.count; ordinal++)
    if (document.columns.kind(ordinal) === 'tool-result') results.push(ordinal)
  const read = document.visit(results, (record, ordinal) => {
    for (const key of artifactsNamedIn(jsonText(record) ?? '')) if (!makers.has(key)) makers.set(key, ordinal)
  })
  return read.ok ? ok(makers) : read
}

/** Keys as in `makerKey` of everything that a record refers to. */
function* artifactsNamedIn(text: string): Generator<string> {
  for (const match of text.matchAll(/artifact:\/\/(\d+)|"artifactId":"?(\d+)/g))
    yield `number:${match[1] ?? match[2]}`
  for (const match of text.matchAll(/"id":"([^"\\]{1,100})"|agent:\/\/([\w.-]+)/g))
    yield `name:${match[1] ?? match[2]}`
}

function blobViews(document: SessionDocument, blobs: BlobStore, blobRoot: string): BlobView[] {
  return [...document.facts.blobs].map(([hash, { firstOrdinal, uses }]) => {
    const bytes = blobs.size(hash)
    const missing = bytes === null
    const url = missing ? null : blobUrl(blobRoot, hash)
    return { hash, url, mimeType: blobs.imageType(hash), bytes, missing, ordinal: firstOrdinal, uses }
  })
}

/**
 * A file inside an artifact directory by its name, contained by real path: a link that leads out of the
 * directory is refused.
 */
export function artifactPath(env: Environment, journal: string, name: string): Result<string> {
  const directory = artifactDirectoryOf(journal)
  if (directory === null) return err('not-found', `${journal} has no artifact directory.`, journal)
  const file = path.join(directory, ...name.split('/'))
  const inside = attempt(
    'read the artifact',
    file,
    // A link in the directory's own place would make anything lie inside it.
    () => env.fs.lstat(directory).kind === 'directory' && isInside(env, directory, file),
  )
  if (!inside.ok) return inside
  if (!inside.value)
    return err('permission', `${file} leads out of the artifact directory and is not opened.`, file)
  return ok(file)
}

/** The whole of an artifact that is shown as a picture. */
export function artifactBytes(env: Environment, journal: string, name: string): Result<Uint8Array> {
  const file = artifactPath(env, journal, name)
  if (!file.ok) return file
  const read = attempt('read the artifact', file.value, () =>
    withByteSource(env.fs, file.value, source =>
      source.size > limits.imageBytes ? null : readRange(source, 0, source.size),
    ),
  )
  if (!read.ok) return read
  return read.value !== null
    ? ok(read.value)
    : err('too-large', `${file.value} is too large to show as a picture.`, file.value)
}

/** The start of an artifact as something to look at. `url` is where the window fetches a picture. */
export function artifactPreview(
  env: Environment,
  journal: string,
  name: string,
  url: string,
): Result<ArtifactPreview> {
  const file = artifactPath(env, journal, name)
  if (!file.ok) return file
  return attempt('read the artifact', file.value, () =>
    withByteSource(env.fs, file.value, source => {
      const head = readRange(source, 0, Math.min(source.size, limits.artifactPreviewChars * 2))
      return previewOf(name, head, source.size, url)
    }),
  )
}

function previewOf(name: string, head: Uint8Array, bytes: number, url: string): ArtifactPreview {
  const base = { name, bytes, text: '', cut: false, url: null }
  if (sniffImageType(head) !== null) {
    const small = bytes <= limits.imageBytes
    return { ...base, kind: small ? 'image' : 'binary', url: small ? url : null }
  }
  if (head.subarray(0, 8192).includes(0)) return { ...base, kind: 'binary' }
  // A character that the cut went through is left out, not shown as broken.
  const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head, { stream: head.length < bytes })
  const cut = head.length < bytes || whole.length > limits.artifactPreviewChars
  const text = cut ? cutAtCharacter(whole, Math.min(whole.length, limits.artifactPreviewChars)) : whole
  return { ...base, kind: textKind(name), text, cut }
}

function textKind(name: string): ArtifactPreview['kind'] {
  if (/\.(md|markdown)$/i.test(name)) return 'markdown'
  if (name.endsWith('.json')) return 'json'
  return /\.(patch|diff)$/.test(name) ? 'patch' : 'text'
}
