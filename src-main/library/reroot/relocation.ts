/**
 * One session's move as plain data: it lies in the operation journal before anything is done, and in recent changes
 * afterwards. Everything that recovery and undo need is in it or on the disk.
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { isJsonObject } from '@shared/session/json'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import type { FileIdentity } from '../../engine/storage/file-identity'
import { numberOr, stringOr } from '../changes/json-guards'

export type Relocation = {
  /** 16 hex digits, in the names of this move's temporary files. */
  key: string
  /** The journal now, and after; the same path when only its header changes. */
  from: string
  to: string
  /** What the journal was when the move was decided. */
  identity: FileIdentity
  /** Place of the header line without its line end, and that line before and after, base64 of its bytes. */
  header: { offset: number; length: number; before: string; after: string }
  oldCwd: string | null
  newCwd: string
  /** Blob stores of the root that it leaves and of the one that it comes to; null within one root. */
  blobs: { from: string; to: string } | null
  /** omp's `<name>.jsonl.<snowflake>.bak` files, which it would promote to a session of their own; names only. */
  backups: string[]
  title: string
  id: string | null
  /** Files and bytes of the whole session, as counted when it was decided. */
  files: number
  bytes: number
}

export type RelocationPaths = {
  artifactsFrom: string | null
  artifactsTo: string | null
  /** The new journal until it has its name. */
  part: string
  /** The copied artifact directory until it has its name (across file systems only). */
  artifactsPart: string | null
  /** The old journal and the old artifact directory once they are out of the way. */
  aside: string
  artifactsAside: string | null
}

/** All names that a move uses. A name that is too long for a hidden variant is shortened. */
export function relocationPaths({ key, from, to }: Relocation): RelocationPaths {
  const artifactsFrom = artifactDirectoryOf(from)
  const artifactsTo = artifactDirectoryOf(to)
  return {
    artifactsFrom: from === to ? null : artifactsFrom,
    artifactsTo: from === to ? null : artifactsTo,
    part: hiddenBeside(to, `.${key}.tmp`),
    artifactsPart: artifactsTo === null ? null : hiddenBeside(artifactsTo, `.${key}.tmp`),
    aside: hiddenBeside(from, `.${key}.moved`),
    artifactsAside: artifactsFrom === null ? null : hiddenBeside(artifactsFrom, `.${key}.moved`),
  }
}

export function isInPlace({ from, to }: Relocation): boolean {
  return from === to
}

/** Size that the new journal has when nobody has written to it since. */
export function writtenSize({ identity, header }: Relocation): number {
  return identity.size - header.length + Buffer.from(header.after, 'base64').length
}

/** A key that is the same for the same move of the same change. */
export function relocationKey(changeId: string, from: string): string {
  return createHash('sha256').update(`${changeId}\0${from}`).digest('hex').slice(0, 16)
}

/** `.<name><suffix>` beside `target`; 255 bytes is the longest name that common file systems take. */
export function hiddenBeside(target: string, suffix: string): string {
  const name = Buffer.from(path.basename(target)).subarray(0, 254 - suffix.length)
  return path.join(path.dirname(target), `.${name.toString('utf8').replace(/\uFFFD/g, '')}${suffix}`)
}

/** A relocation read back from one of our files, or null when it is none. */
export function parseRelocation(value: unknown): Relocation | null {
  if (!isJsonObject(value) || !isJsonObject(value.header)) return null
  const identity = parseIdentity(value.identity)
  const key = stringOr(value.key, null)
  const from = stringOr(value.from, null)
  const to = stringOr(value.to, null)
  const newCwd = stringOr(value.newCwd, null)
  const before = stringOr(value.header.before, null)
  const after = stringOr(value.header.after, null)
  if (identity === null || key === null || !/^[0-9a-f]{16}$/.test(key)) return null
  if (from === null || to === null || newCwd === null || before === null || after === null) return null
  if (!path.isAbsolute(from) || !path.isAbsolute(to)) return null
  return {
    key,
    from,
    to,
    identity,
    header: {
      offset: numberOr(value.header.offset, 0),
      length: numberOr(value.header.length, 0),
      before,
      after,
    },
    oldCwd: stringOr(value.oldCwd, null),
    newCwd,
    blobs: parseBlobs(value.blobs),
    backups: Array.isArray(value.backups)
      ? value.backups.filter(
          (name): name is string => typeof name === 'string' && path.basename(name) === name,
        )
      : [],
    title: stringOr(value.title, ''),
    id: stringOr(value.id, null),
    files: numberOr(value.files, 0),
    bytes: numberOr(value.bytes, 0),
  }
}

function parseBlobs(value: unknown): Relocation['blobs'] {
  if (!isJsonObject(value)) return null
  const { from, to } = value
  return typeof from === 'string' && typeof to === 'string' ? { from, to } : null
}

/** An identity of a regular file read back from one of our files, or null when it is none. */
export function parseIdentity(value: unknown): FileIdentity | null {
  if (!isJsonObject(value) || value.kind !== 'file') return null
  const dev = stringOr(value.dev, null)
  const ino = stringOr(value.ino, null)
  const size = numberOr(value.size, null)
  const mtimeNs = stringOr(value.mtimeNs, null)
  const tailHash = stringOr(value.tailHash, null)
  if (dev === null || ino === null || size === null || mtimeNs === null || tailHash === null) return null
  return { kind: 'file', dev, ino, size, mtimeNs, tailHash }
}
