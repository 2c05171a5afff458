/**
 * RENAMING a session, recorded and undone. Rule: docs/format.md, Rename.
 *
 * Undo, while the title is still what was set
 *   only the slot was written       the slot as it was
 *   our line is the last one        the line is cut off again and the slot put back, in one replacement: the bytes as they were
 *   somebody wrote behind it        another `title_change` with the title before, and its source; history is never cut
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { foldTitle } from '@shared/session/header'
import { isJsonObject, parseObject } from '@shared/session/json'
import type { EntryPlace } from '@shared/session/new-entry'
import { cleanTitle } from '@shared/session/session-title'
import { encodeTitleSlot, readTitleSlot, type TitleSource, titleSourceOf } from '@shared/session/title-slot'
import type { Environment, WorkContext } from '../../engine/environment'
import { lastId } from '../../engine/session/document-marks'
import { freshEntryId } from '../../engine/session/fresh-entry-id'
import type { Renamed } from '../../engine/session/manager-options'
import type { SessionDocument } from '../../engine/session/session-document'
import { slotLineFor } from '../../engine/session/session-head'
import { SessionJournal } from '../../engine/session/session-journal'
import { attempt } from '../../engine/storage/errors'
import type { ChangeContext, ChangeHandler, UndoOutcome } from '../changes/change-handlers'
import { numberOr, stringOr } from '../changes/json-guards'
import type { ChangeRecord } from '../changes/recent-changes'
import { UNREADABLE } from '../changes/words'
import { mayChangeAt } from '../may-change'
import { readHead } from '../reroot/journal-bytes'
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

export type RenameDone = EditDone & {
  slotOnly: boolean
  /** Of the `title_change`; null when there is none. */
  id: string | null
}

type Title = { title: string | null; source: TitleSource | null }

type RenameUndo = {
  journal: string
  /** Of the `title_change`; null when only the slot was written. */
  id: string | null
  /** What was set. */
  title: string
  before: Title
  /** The slot line before, where there was one of its exact size. */
  slot: string | null
  /** Bytes of the journal before; null in records of earlier versions. */
  size: number | null
}

export const renameHandler: ChangeHandler = {
  kind: 'rename',
  recover: noRecovery,
  whyNotUndo: (record, context) => whyNotUndoRename(record, context),
  undo: undoRename,
}

/** Gives the session a title, as typed. */
export async function renameSession(
  { context, manager }: SessionEdit,
  text: string,
  source: TitleSource,
): Promise<Result<RenameDone>> {
  const title = cleanTitle(text)
  const none = { slotOnly: false, id: null }
  if (hasTitle(manager.title, title, source))
    return ok({ ...nothingDone('It has that title already.'), ...none })
  let found = beforeRename(manager.document)
  const seen = (document: SessionDocument): void => {
    // Who has the session was asked meanwhile, and whoever has it may have given it another title.
    found = beforeRename(document)
  }
  const renamed = await manager.setSessionName(text, source, { seen })
  if (!renamed.ok) return renamed
  const { changed, slotOnly } = renamed.value
  const { before, name, slot, stat } = found
  if (!changed) {
    const kept = manager.title.title ?? ''
    return ok({ ...nothingDone(`A user gave it the title ${quoted(kept)}, which stays.`), ...none })
  }
  const id = slotOnly ? null : manager.leafId
  const undo: RenameUndo = { journal: manager.file, id, title, before, slot, size: stat.size }
  const recorded = await recordEdit(context, 'rename', {
    text: `Renamed ${quoted(name)}`,
    detail: `to ${quoted(title)}`,
    undo,
  })
  const added = bytesBetween(stat, manager.document.stat)
  const inPlace = slot !== null && stat.fileId === manager.document.fileId
  return ok({
    changed,
    slotOnly,
    id,
    changeId: recorded.changeId,
    bytes: inPlace ? added + limits.slotBytes : added,
    notes: [...renameNotes(renamed.value, title, source), ...recorded.notes],
  })
}

/** Whether a rename would change nothing. A generated title that the user confirms becomes the user's. */
export function hasTitle(present: Title, title: string, source: TitleSource): boolean {
  return present.title === title && title !== '' && (present.source === source || source === 'auto')
}

/** As much of the title as the slot holds, which is what omp shows. */
export function slotTitle(title: string, source: TitleSource): string {
  // Every time has the same length.
  const slot = encodeTitleSlot({ title, source, updatedAt: new Date(0).toISOString() })
  return readTitleSlot(parseObject(slot) ?? {})?.title ?? title
}

/** What is worth knowing about a rename that was made, or would be. */
export function renameNotes({ changed, slotOnly }: Renamed, title: string, source: TitleSource): string[] {
  const notes: string[] = []
  const inSlot = slotTitle(title, source)
  if (slotOnly)
    notes.push(
      'Another program has the session: only the title at its start is written, and that program may put its own there.',
    )
  if (changed && inSlot !== title) notes.push(`omp shows as much of the title as fits its place: ${inSlot}`)
  return notes
}

/** What a rename goes away from. */
function beforeRename(document: SessionDocument) {
  const { title: before, stat } = document
  return { before, name: nameOf(document), slot: exactSlotOf(document), stat }
}

function exactSlotOf(document: SessionDocument): string | null {
  if (!document.hasExactSlot) return null
  const bytes = document.rawBytes(0, limits.slotBytes)
  return bytes.ok ? Buffer.from(bytes.value).toString('utf8') : null
}

const RENAMED_SINCE = 'The session got another title since.'

/** By slot and header alone: the list of changes asks this of many sessions. */
function whyNotUndoRename(record: ChangeRecord, { env }: Pick<ChangeContext, 'env'>): string | null {
  const undo = parseUndo(record.undo)
  if (undo === null) return UNREADABLE
  const { journal, title } = undo
  const head = attempt('read', journal, () => readHead(env.fs, journal))
  if (!head.ok) return whyUnseen(journal, head.error)
  const shown = foldTitle(head.value.slot, head.value.header?.fields ?? null)
  return isCutOf(shown, title) ? null : RENAMED_SINCE
}

/** Whether a slot shows this title, or what fits of it. */
function isCutOf(shown: Title, title: string): boolean {
  return shown.title !== null && shown.title === slotTitle(title, shown.source ?? 'user')
}

async function undoRename(
  record: ChangeRecord,
  context: ChangeContext,
  _work: WorkContext,
  includeMaybe: boolean,
): Promise<Result<UndoOutcome>> {
  const undo = parseUndo(record.undo)
  if (undo === null) return unreadable()
  const { session, settings, notes } = undoWork(context, undo.journal, includeMaybe)
  const may = mayChangeAt(context.env, session)
  if (!may.ok) return undoOutcome(record, undo.title, may)
  const opened = SessionJournal.open(context.env, settings, undo.journal, false)
  if (!opened.ok) return undoOutcome(record, undo.title, opened)
  const journal = opened.value
  const { stat } = journal.document
  const back = await takeBack(context.env, journal, undo)
  const more = notes()
  if (!back.ok) return undoOutcome(record, undo.title, back)
  const bytes = bytesBetween(stat, journal.document.stat)
  return undoOutcome(record, undo.title, ok({ bytes, notes: more }))
}

async function takeBack(env: Environment, journal: SessionJournal, undo: RenameUndo): Promise<Result<true>> {
  const { id, slot, size, before, title } = undo
  const isOurs = (): boolean => journal.document.title.title === title
  const since = err('conflict', `${journal.storage.path}: ${RENAMED_SINCE}`, journal.storage.path)
  if (!isOurs()) return since
  if (id === null && slot !== null)
    return answered(await journal.retitleSlotOnly(() => (isOurs() ? slot : null)), since)
  if (id !== null && slot !== null && lastId(journal.document) === id) {
    const expect = (tail: Uint8Array): boolean => isOurs() && isTitleChange(tail, id, title)
    const back = { slot: Buffer.from(slot, 'utf8'), size: size ?? Number.NaN }
    const removed = await journal.removeFrom(id, expect, back)
    if (removed.ok || removed.error.code !== 'conflict') return removed
  }
  return answered(
    await journal.retitle(() => (isOurs() ? counterChange(env, journal.document, before, title) : null)),
    since,
  )
}

function answered(done: Result<boolean>, no: Result<never>): Result<true> {
  if (!done.ok) return done
  return done.value ? ok(true) : no
}

/** The title before as a change of its own. */
function counterChange(env: Environment, document: SessionDocument, before: Title, title: string) {
  const timestamp = new Date(env.now()).toISOString()
  const id = freshEntryId(env, taken => document.index.ordinalOf(taken) !== undefined)
  const place: EntryPlace = { id, parentId: lastId(document), timestamp }
  const entry = {
    type: 'title_change' as const,
    title: before.title ?? '',
    source: before.source ?? 'user',
    previousTitle: title,
  }
  return { place, entry, slot: slotLineFor(before, timestamp) }
}

/** Whether `tail` is one line: the change of the title that we made. */
function isTitleChange(tail: Uint8Array, id: string, title: string): boolean {
  const entry = parseObject(Buffer.from(tail).toString('utf8'))
  return entry?.type === 'title_change' && entry.id === id && entry.title === title
}

function parseUndo(value: unknown): RenameUndo | null {
  if (!isJsonObject(value) || !isJsonObject(value.before)) return null
  const { journal, title } = value
  if (typeof journal !== 'string' || typeof title !== 'string') return null
  const before = {
    title: stringOr(value.before.title, null),
    source: titleSourceOf(value.before.source),
  }
  const [id, slot] = [stringOr(value.id, null), stringOr(value.slot, null)]
  return { journal, title, id, before, slot, size: numberOr(value.size, null) }
}
