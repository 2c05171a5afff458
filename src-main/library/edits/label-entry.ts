/**
 * NAMING AN ENTRY, recorded and undone. Undo is another `label`, with the name before, while the name is still what was set.
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { isJsonObject, parseObject } from '@shared/session/json'
import { cleanTitle } from '@shared/session/session-title'
import type { Environment, WorkContext } from '../../engine/environment'
import type { SessionManager } from '../../engine/session/session-manager'
import { attempt } from '../../engine/storage/errors'
import type { ChangeContext, ChangeHandler, UndoOutcome } from '../changes/change-handlers'
import { numberOr, stringOr } from '../changes/json-guards'
import type { ChangeRecord } from '../changes/recent-changes'
import { UNREADABLE } from '../changes/words'
import { openToChange } from '../may-change'
import { readBytes } from '../reroot/journal-bytes'
import {
  bytesBetween,
  type EditDone,
  nameOf,
  noRecovery,
  nothingDone,
  quoted,
  recordEdit,
  type SessionEdit,
  undoOutcome,
  undoWork,
  unreadable,
  whyUnseen,
} from './edit-work'

export type LabelDone = EditDone & {
  /** Of the `label` entry. */
  id: string | null
  previous: string | null
}

type LabelUndo = {
  journal: string
  /** What the session is called. */
  name: string
  targetId: string
  label: string | null
  previous: string | null
  /** Bytes of the journal behind our entry. */
  end: number
}

export const labelHandler: ChangeHandler = {
  kind: 'label',
  recover: noRecovery,
  whyNotUndo: (record, context) => whyNotUndoLabel(record, context),
  undo: undoLabel,
}

/** Names the entry; null or an empty text takes its name away. */
export async function labelEntry(
  { context, manager }: SessionEdit,
  targetId: string,
  text: string | null,
): Promise<Result<LabelDone>> {
  const label = text === null || text === '' ? null : cleanTitle(text)
  if (label === '') return err('invalid-argument', 'A label needs at least one visible character.')
  const name = nameOf(manager.document)
  const previous = labelOf(manager, targetId)
  if (!previous.ok) return previous
  if (previous.value === label) {
    const note = label === null ? 'It has no label.' : 'It has that label already.'
    return ok({ ...nothingDone(note), id: null, previous: label })
  }
  const { stat } = manager.document
  const added = await manager.setLabel(targetId, label)
  if (!added.ok) return added
  const undo: LabelUndo = {
    journal: manager.file,
    name,
    targetId,
    label,
    previous: previous.value,
    end: manager.document.bytes,
  }
  const recorded = await recordEdit(context, 'label', {
    text: label === null ? `Cleared a label in ${quoted(name)}` : `Labelled an entry of ${quoted(name)}`,
    detail: label === null ? `it was ${quoted(previous.value ?? '')}` : quoted(label),
    undo,
  })
  return ok({
    changed: true,
    id: added.value,
    previous: previous.value,
    changeId: recorded.changeId,
    bytes: bytesBetween(stat, manager.document.stat),
    notes: recorded.notes,
  })
}

function labelOf({ document, file }: SessionManager, targetId: string): Result<string | null> {
  if (document.index.ordinalOf(targetId) === undefined)
    return err('not-found', `${file} holds no entry ${targetId}.`, file)
  return ok(document.facts.labels.get(targetId) ?? null)
}

const LABELLED_SINCE = 'The entry got another label since.'

function whyNotUndoLabel(record: ChangeRecord, { env }: Pick<ChangeContext, 'env'>): string | null {
  const undo = parseUndo(record.undo)
  if (undo === null) return UNREADABLE
  const { journal } = undo
  const looked = attempt('read', journal, () => wasLabelledSince(env, undo))
  if (!looked.ok) return whyUnseen(journal, looked.error)
  return looked.value ? LABELLED_SINCE : null
}

/**
 * Whether the entry has another label by later lines: what they say last counts, so that a name that was given back is that
 * name again. Only what is behind ours is read, and no more than a list can wait for: where the file was written anew or much
 * was added, the undo itself finds out.
 */
function wasLabelledSince({ fs }: Environment, { journal, end, targetId, label }: LabelUndo): boolean {
  const { size } = fs.stat(journal)
  if (size <= end || size - end > limits.chunkBytes) return false
  const last = readBytes(fs, journal, end, size)
    .toString('utf8')
    .split('\n')
    .map(parseObject)
    .findLast(entry => entry?.type === 'label' && entry.targetId === targetId)
  // No text, or none at all, clears.
  return last !== undefined && (stringOr(last?.label, null) || null) !== label
}

async function undoLabel(
  record: ChangeRecord,
  context: ChangeContext,
  _work: WorkContext,
  includeMaybe: boolean,
): Promise<Result<UndoOutcome>> {
  const undo = parseUndo(record.undo)
  if (undo === null) return unreadable()
  const { journal, name, targetId, label, previous } = undo
  const { session, settings, notes } = undoWork(context, journal, includeMaybe)
  const opened = openToChange(context.env, settings, session)
  if (!opened.ok) return undoOutcome(record, name, opened)
  const manager = opened.value
  const now = labelOf(manager, targetId)
  if (!now.ok) return undoOutcome(record, name, now)
  if (now.value !== label)
    return undoOutcome(record, name, err('conflict', `${journal}: ${LABELLED_SINCE}`, journal))
  const { stat } = manager.document
  const back = await manager.setLabel(targetId, previous)
  const more = notes()
  const bytes = bytesBetween(stat, manager.document.stat)
  return undoOutcome(record, name, back.ok ? ok({ bytes, notes: more }) : back)
}

function parseUndo(value: unknown): LabelUndo | null {
  if (!isJsonObject(value)) return null
  const { journal, targetId } = value
  if (typeof journal !== 'string' || typeof targetId !== 'string') return null
  return {
    journal,
    targetId,
    name: stringOr(value.name, journal),
    label: stringOr(value.label, null),
    previous: stringOr(value.previous, null),
    end: numberOr(value.end, 0),
  }
}
