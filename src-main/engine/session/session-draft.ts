/**
 * The draft of a session and the session that exists only because of one. Rule: docs/format.md, Drafts.
 *
 * Guarantees: a draft is saved beside a journal that is on disk. A session that was put on disk for a draft, holds
 * nothing but settings, and has no draft any more is removed by `clearDraftOnly` of whoever made it or took the draft away;
 * anything else is left, and so is a session that was only looked at.
 */
import path from 'node:path'
import { type ErrorCode, ok, type Result } from '@shared/ipc/result'
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

/** Why a session stays although its draft is gone. */
const KEPT: ReadonlySet<ErrorCode> = new Set(['changed-on-disk', 'in-use', 'not-found'])

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
    const published = await journal.publish()
    if (!published.ok) return published
    if (isSettingsOnly(journal.document)) {
      const marked = await store.markDraftOnly()
      if (!marked.ok) return marked
    }
  }
  const saved = await store.saveDraft(text, expected)
  if (saved.ok) journal.draftIsGone = text === ''
  return saved
}

/** The draft, which is gone afterwards; null when there is none. */
export async function consumeSessionDraft(
  env: Environment,
  journal: SessionJournal,
): Promise<Result<string | null>> {
  const free = await journal.check()
  if (!free.ok) return free
  const consumed = await new DraftStore(env, journal.storage.path).consumeDraft()
  if (consumed.ok && consumed.value !== null) journal.draftIsGone = true
  return consumed
}

/** Removes the session when it is there only for a draft that is gone. Ok(true) when it was removed. */
export async function clearDraftOnly(env: Environment, journal: SessionJournal): Promise<Result<boolean>> {
  const directory = artifactDirectoryOf(journal.storage.path)
  if (directory === null || !journal.isOnDisk) return ok(false)
  const marker = path.join(directory, DRAFT_ONLY_MARKER)
  const mayGo = (): Result<boolean> => {
    if (!journal.draftIsGone && !journal.isOurs) return ok(false)
    const onlyMarker = holdsOnlyMarker(env, directory)
    return onlyMarker.ok && onlyMarker.value ? ok(isSettingsOnly(journal.document)) : onlyMarker
  }
  const looked = mayGo()
  if (!looked.ok || !looked.value) return looked
  // Asked once more under the lock: a draft that another program saved meanwhile keeps the session.
  const removed = await journal.remove(mayGo)
  // Another program goes on with it, or may.
  if (!removed.ok) return KEPT.has(removed.error.code) ? ok(false) : removed
  if (!removed.value) return ok(false)
  const cleared = attempt('remove', directory, () => {
    env.fs.unlink(marker)
    env.fs.removeDirectory(directory)
  })
  return cleared.ok ? ok(true) : cleared
}

function holdsOnlyMarker(env: Environment, directory: string): Result<boolean> {
  return attempt('look at', directory, () => {
    const { files, unreadable } = listArtifacts(env.fs, directory)
    return unreadable.length === 0 && files.length === 1 && files[0]?.name === DRAFT_ONLY_MARKER
  })
}

function isSettingsOnly({ facts, damaged, pending, title }: SessionDocument): boolean {
  const named = title.title !== null || facts.titleChangedTo !== null
  return (
    !named &&
    damaged.length === 0 &&
    pending === null &&
    [...facts.types.keys()].every(type => SETTINGS.has(type))
  )
}
