/**
 * EDITING A DRAFT, as one change: saved over and over while a person types, undone as a whole.
 *
 * Guarantees
 *   What draft-store.ts promises of each save: old or new, refused when another program wrote since.
 *   The text that the first save of a round replaces is on the disk before it is replaced, first in an operation journal,
 *   then among the recent changes. Later saves of the round note only which draft we wrote last.
 *   A session in use is left alone, as the engine says.
 *   Saving what is there already, and discarding what is gone, is ok and no change.
 *
 * Order of calls
 *   first save of a round: look whether it can be done; operation journal; save; record; end of the journal. Later ones: save; note.
 *
 * Failures
 *   the journal cannot be begun  nothing was done
 *   the save fails               looked at: what stands is recorded if it is ours; the error of the save
 *   the record fails             the draft is saved; recovery records it; the next save begins a round of its own
 *   the note fails, or a kill    the draft is saved; Undo takes it for another program's and says so
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { DraftState } from '../../engine/artifacts/draft-store'
import type { Environment } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import type { SessionManager } from '../../engine/session/session-manager'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import type { FileIdentity } from '../../engine/storage/file-identity'
import { displayTitle } from '../catalog/session-row'
import { summarizeDocument } from '../catalog/session-summary'
import type { ChangeContext } from '../changes/change-handlers'
import { beginOperation, currentOwner } from '../changes/operation-journal'
import { type ChangeRecord, readChanges, recordChange, updateChange } from '../changes/recent-changes'
import { continuedRecord, type DraftPlan, type DraftUndo, draftRecord, parseDraftUndo } from './draft-record'
import { settleDraft, textHash } from './draft-settle'
import { isSameVersion, versionToReplace } from './draft-version'

export type DraftEdit = {
  /** Empty: the draft is discarded. */
  text: string
  /** The draft that was read; null: there was none. */
  version: FileIdentity | null
  /** The change of this round of editing; null at its beginning. */
  change: string | null
}

export type EditedDraft = {
  state: DraftState
  /** The change of the round; null when nothing was changed in it yet. */
  change: string | null
}

/** Saves or discards the draft of a session. */
export async function editDraft(
  context: ChangeContext,
  manager: SessionManager,
  { text, version, change }: DraftEdit,
): Promise<Result<EditedDraft>> {
  const before = manager.readDraft()
  if (!before.ok) return before
  const expected = versionToReplace(version, before.value)
  const changes = before.value.text !== text && isSameVersion(expected, before.value.version)
  if (!changes) {
    // The same text, or refused: the store says which.
    const saved = await manager.saveDraft(text, expected)
    return saved.ok ? ok({ state: saved.value, change }) : saved
  }
  const round = change === null ? null : roundOf(context, manager.file, change, before.value)
  if (round === null) return firstSave(context, manager, text, before.value)
  const saved = await manager.saveDraft(text, expected)
  if (!saved.ok) return saved
  const undo: DraftUndo = { ...round, after: saved.value.version }
  await updateChange(context.env, context.data, change ?? '', record => continuedRecord(record, undo))
  return ok({ state: saved.value, change })
}

/** The round that `change` stands for, as long as the draft is still the one that it wrote last. */
function roundOf(
  { env, data }: ChangeContext,
  journal: string,
  change: string,
  now: DraftState,
): DraftUndo | null {
  const records = readChanges(env, data)
  const record = records.ok ? records.value.find(({ id }) => id === change) : undefined
  if (record?.kind !== 'draft' || record.state === 'undone') return null
  const undo = parseDraftUndo(record.undo)
  const there = now.text === '' ? null : now.version
  return undo !== null && undo.journal === journal && isSameVersion(undo.after, there) ? undo : null
}

async function firstSave(
  context: ChangeContext,
  manager: SessionManager,
  text: string,
  before: DraftState,
): Promise<Result<EditedDraft>> {
  const { env, data, deps } = context
  const plan: DraftPlan = {
    version: 1,
    journal: manager.file,
    title: displayTitle(summarizeDocument(env, manager.document)).title,
    before: before.text === '' ? null : before.text,
    beforeVersion: before.version,
    afterHash: text === '' ? null : textHash(text),
  }
  const possible = await mayEditDraft(env, manager, text)
  if (!possible.ok) return possible
  const owner = currentOwner(env, deps.processes, deps.instance)
  const journal = beginOperation(env, data, { kind: 'draft', plan, owner })
  if (!journal.ok) return journal
  const { id } = journal.value
  const saved = await manager.saveDraft(text, before.version)
  const noted = saved.ok
    ? await recordChange(env, data, recordOf(id, env.now(), plan, saved.value))
    : await settleDraft(context, id, env.now(), plan)
  if (!noted.ok || !journal.value.finish().ok) journal.value.abandon()
  if (!saved.ok) return saved
  return ok({ state: saved.value, change: noted.ok ? id : null })
}

/** Whether the draft could be saved now, as far as looking tells. */
export async function mayEditDraft(
  env: Environment,
  manager: SessionManager,
  text: string,
): Promise<Result<true>> {
  const free = await manager.check()
  if (!free.ok) return free
  const { file } = manager
  const directory = artifactDirectoryOf(file)
  if (directory === null)
    return err(
      'invalid-argument',
      `${file} has no artifact directory: its name does not end in .jsonl.`,
      file,
    )
  if (Buffer.byteLength(text, 'utf8') > limits.draftBytes)
    return err('too-large', `The draft is longer than ${limits.draftBytes} bytes.`, file)
  const kind = attempt('look at', directory, () => lstatOrUndefined(env.fs, directory)?.kind)
  if (!kind.ok) return kind
  return kind.value === undefined || kind.value === 'directory'
    ? ok(true)
    : err(
        'conflict',
        `${directory} is no folder, and nothing is written through it; put a folder there.`,
        directory,
      )
}

function recordOf(id: string, time: number, plan: DraftPlan, { version }: DraftState): ChangeRecord {
  const { journal, title, before } = plan
  return draftRecord(id, time, { version: 1, journal, title, before, after: version })
}
