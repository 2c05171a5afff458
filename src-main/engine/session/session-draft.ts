/**
 * The draft of a session and the session that exists only because of one. Rule: docs/format.md, Drafts.
 *
 * Guarantees: a draft is saved beside a journal that is on disk. A session that was put on disk for a draft, holds
 * nothing but settings, and has no draft any more is removed by `clearDraftOnly`; anything else is left.
 */
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import { DRAFT_ONLY_MARKER, listArtifacts } from '../artifacts/artifact-directory'
import { type DraftState, DraftStore } from '../artifacts/draft-store'
import type { Environment } from '../environment'
import { artifactDirectoryOf } from '../layout/session-paths'
import { attempt } from '../storage/errors'
import type { FileIdentity } from '../storage/file-identity'
import type { SessionDocument } from './session-document'
import type { SessionJournal } from './session-journal'

/** Entries that say nothing of a conversation: settings that a program writes by itself. */
const SETTINGS: ReadonlySet<string> = new Set([
  'model_change',
  'thinking_level_change',
  'service_tier_change',
  'mode_change',
  'credential_pin',
])

/**
 * Saves `text` over the draft that was read as `expected` (null: there was none); empty text discards it. A session that is in
 * memory only is put on disk first.
 */
export async function saveSessionDraft(
  env: Environment,
  journal: SessionJournal,
  text: string,
  expected: FileIdentity | null,
): Promise<Result<DraftState>> {
  const store = new DraftStore(env, journal.storage.path)
  const free = await journal.check()
  if (!free.ok) return free
  if (text !== '' && !journal.isOnDisk) {
    const published = journal.publish()
    if (!published.ok) return published
    if (isSettingsOnly(journal.document)) {
      const marked = await store.markDraftOnly()
      if (!marked.ok) return marked
    }
  }
  return store.saveDraft(text, expected)
}

/** Removes the session when it is there only for a draft that is gone. Ok(true) when it was removed. */
export async function clearDraftOnly(env: Environment, journal: SessionJournal): Promise<Result<boolean>> {
  const directory = artifactDirectoryOf(journal.storage.path)
  if (directory === null || !journal.isOnDisk) return ok(false)
  const marker = path.join(directory, DRAFT_ONLY_MARKER)
  const listed = attempt('look at', directory, () => listArtifacts(env.fs, directory))
  if (!listed.ok) return listed
  const { files, unreadable } = listed.value
  if (unreadable.length > 0 || !files.some(({ name }) => name === DRAFT_ONLY_MARKER)) return ok(false)
  if (files.length > 1 || !journal.isOurs || !isSettingsOnly(journal.document)) return ok(false)
  const removed = await journal.remove()
  if (!removed.ok) return removed
  const cleared = attempt('remove', directory, () => {
    env.fs.unlink(marker)
    env.fs.removeDirectory(directory)
  })
  return cleared.ok ? ok(true) : cleared
}

function isSettingsOnly({ facts, damaged, pending, header }: SessionDocument): boolean {
  const named = header?.title != null || facts.titleChangedTo !== null
  return (
    !named &&
    damaged.length === 0 &&
    pending === null &&
    [...facts.types.keys()].every(type => SETTINGS.has(type))
  )
}
