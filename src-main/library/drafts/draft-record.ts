/** A round of editing a draft as it lies in the operation journal and among the recent changes. */
import path from 'node:path'
import { isJsonObject } from '@shared/session/json'
import type { FileIdentity } from '../../engine/storage/file-identity'
import { stringOr } from '../changes/json-guards'
import { type KeptText, parseKeptText } from '../changes/kept-texts'
import type { ChangeRecord } from '../changes/recent-changes'
import { bytesText, sessionsText } from '../changes/words'
import { parseIdentity } from '../reroot/relocation'

/** Characters of a text that are kept for Undo: more than any draft a person types, and several are kept. */
const KEPT_CHARS = 8 * 1024 * 1024

export type DraftUndo = {
  version: 1
  /** Absolute path of the session's file. */
  journal: string
  title: string
  /** The text before, or where it is kept; null: there was no draft. */
  before: string | KeptText | null
  /** The draft as Grove wrote it last; null: there is none any more. Only over this one the text before comes back. */
  after: FileIdentity | null
}

export type DraftPlan = Omit<DraftUndo, 'before' | 'after'> & {
  /** The text before; null: there was no draft. */
  before: string | null
  /** The draft that is replaced; null: there is no file. */
  beforeVersion: FileIdentity | null
  /** SHA-256 of the new text; null: the draft is discarded. */
  afterHash: string | null
}

export function draftRecord(id: string, time: number, undo: DraftUndo): ChangeRecord {
  const { before } = undo
  const isKept = typeof before !== 'string' || before.length <= KEPT_CHARS
  const record: ChangeRecord = {
    id,
    kind: 'draft',
    ...wordsOf(undo),
    time,
    state: 'done',
    undo: isKept ? undo : { ...undo, before: null },
    whyNot: isKept ? null : 'The text before was too long to be kept.',
  }
  return record
}

/** The record after a further save of the same round. */
export function continuedRecord(record: ChangeRecord, undo: DraftUndo): ChangeRecord {
  return { ...record, ...wordsOf(undo), undo }
}

function wordsOf({ title, before, after }: DraftUndo): Pick<ChangeRecord, 'text' | 'detail'> {
  const session = sessionsText([title])
  if (after !== null)
    return {
      text: before === null ? `Wrote a draft for ${session}` : `Changed the draft of ${session}`,
      detail: bytesText(after.size),
    }
  if (before === null) return { text: `Wrote a draft for ${session} and discarded it`, detail: '' }
  return { text: `Discarded the draft of ${session}`, detail: bytesText(bytesOf(before)) }
}

function bytesOf(text: string | KeptText): number {
  return typeof text === 'string' ? Buffer.byteLength(text, 'utf8') : text.bytes
}

/** Undo information read back from one of our files, or null when it is none. */
export function parseDraftUndo(value: unknown): DraftUndo | null {
  const common = parseCommon(value)
  if (common === null || !isJsonObject(value)) return null
  const text = value.before === null ? null : stringOr(value.before, undefined)
  const before = text === undefined ? (parseKeptText(value.before) ?? undefined) : text
  const after = value.after === null ? null : parseIdentity(value.after)
  if (before === undefined || (after === null && value.after !== null)) return null
  return { ...common, before, after }
}

/** A plan read back from an operation journal, or null when it is none. */
export function parseDraftPlan(value: unknown): DraftPlan | null {
  const common = parseCommon(value)
  if (common === null || !isJsonObject(value)) return null
  const before = value.before === null ? null : stringOr(value.before, undefined)
  const beforeVersion = value.beforeVersion === null ? null : parseIdentity(value.beforeVersion)
  if (before === undefined || (beforeVersion === null && value.beforeVersion !== null)) return null
  const afterHash = stringOr(value.afterHash, null)
  return { ...common, before, beforeVersion, afterHash }
}

function parseCommon(value: unknown): Pick<DraftUndo, 'version' | 'journal' | 'title'> | null {
  if (!isJsonObject(value) || value.version !== 1) return null
  const journal = stringOr(value.journal, null)
  if (journal === null || !path.isAbsolute(journal)) return null
  return { version: 1, journal, title: stringOr(value.title, '') }
}
