/** Which draft was read, as those who save one say it: an identity here, text of no meaning to the window. */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { DRAFT_FILE } from '../../engine/artifacts/artifact-directory'
import type { DraftState } from '../../engine/artifacts/draft-store'
import type { Environment } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import { captureIdentity, type FileIdentity, identityDifference } from '../../engine/storage/file-identity'
import { parseJson } from '../changes/json-guards'
import { parseIdentity } from '../reroot/relocation'

export function versionText(version: FileIdentity): string {
  return JSON.stringify(version)
}

/** The version that the window hands back; null, or an empty text, is that of no draft. */
export function parseVersion(text: string | null): Result<FileIdentity | null> {
  if (text === null || text === '') return ok(null)
  const identity = parseIdentity(parseJson(text))
  return identity === null
    ? err('invalid-argument', 'That version of a draft is none that Grove has told.')
    : ok(identity)
}

/** When the draft was written, Unix ms. */
export function modifiedOf({ mtimeNs }: FileIdentity): number {
  return Number(mtimeNs) / 1e6
}

export function isSameVersion(a: FileIdentity | null, b: FileIdentity | null): boolean {
  if (a === null || b === null) return a === b
  return identityDifference(a, b) === null
}

/** The version to save over: whoever read an empty file read no draft, and may have been told so. */
export function versionToReplace(read: FileIdentity | null, now: DraftState): FileIdentity | null {
  return read === null && now.text === '' ? now.version : read
}

/** Where the draft of a journal lies; null for one that cannot have any. */
export function draftFileOf(journal: string): string | null {
  const directory = artifactDirectoryOf(journal)
  return directory === null ? null : path.join(directory, DRAFT_FILE)
}

/** The version that is there now, without reading its text; null when there is none, or an empty one. */
export function versionNow(env: Environment, journal: string): Result<FileIdentity | null> {
  const file = draftFileOf(journal)
  if (file === null) return ok(null)
  const directory = path.dirname(file)
  const kind = attempt('look at', directory, () => lstatOrUndefined(env.fs, directory)?.kind)
  if (!kind.ok) return kind
  if (kind.value !== 'directory') return ok(null)
  const identity = captureIdentity(env.fs, file)
  if (!identity.ok) return identity.error.code === 'not-found' ? ok(null) : identity
  return ok(identity.value.size === 0 ? null : identity.value)
}
