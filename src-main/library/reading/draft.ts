/** The unsent text of a session. Read only; an empty draft is none. Rule: docs/format.md, Drafts. */
import { ok, type Result } from '@shared/ipc/result'
import { DraftStore } from '../../engine/artifacts/draft-store'
import type { Environment } from '../../engine/environment'
import type { FileIdentity } from '../../engine/storage/file-identity'
import { modifiedOf } from '../drafts/draft-version'

export type Draft = { text: string; bytes: number; modified: number; version: FileIdentity }

/** The draft, whole; an error says why there is one that cannot be shown: a link, no UTF-8, too large. */
export function readDraft(env: Environment, journal: string): Result<Draft | null> {
  const read = new DraftStore(env, journal).readDraft()
  if (!read.ok) return read
  const { text, version } = read.value
  if (text === '' || version === null) return ok(null)
  return ok({ text, bytes: version.size, modified: modifiedOf(version), version })
}

/** Whether the text is what was sent last: omp was ended between sending and taking the draft away. */
export function isAlreadySent(text: string, lastPrompt: string): boolean {
  return lastPrompt !== '' && text.trim() === lastPrompt.trim()
}
