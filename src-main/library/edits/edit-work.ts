/**
 * What the everyday changes of one session share: the session at work, the record among the recent changes, the report, and
 * what Undo answers.
 */
import path from 'node:path'
import type { ChangeReport } from '@shared/ipc/models/change-models'
import { type AppError, type ErrorCode, err, ok, type Result } from '@shared/ipc/result'
import { listText } from '@shared/session/text'
import type { SessionDocument } from '../../engine/session/session-document'
import type { SessionManager } from '../../engine/session/session-manager'
import type { StorageStat } from '../../engine/storage/session-storage'
import type { ChangeContext, RecoveryOutcome, UndoOutcome } from '../changes/change-handlers'
import type { ChangeKind, OpenOperation } from '../changes/operation-journal'
import { type ChangeRecord, recordChange } from '../changes/recent-changes'
import { notRemembered } from '../changes/remember-made'
import { stayingBecause } from '../changes/staying'
import { UNREADABLE } from '../changes/words'
import type { SessionAt } from '../may-change'
import { rootAround } from '../session-home'
import { workingSettings } from '../working-session'

/** A session that is open for one change. */
export type SessionEdit = { context: ChangeContext; manager: SessionManager }

/** What became of a change of one session. */
export type EditDone = {
  /** False: there was nothing to do, or it may not be; `notes` says why. */
  changed: boolean
  /** For Undo; null when nothing was changed, or it could not be recorded. */
  changeId: string | null
  /** Bytes that were written. */
  bytes: number
  notes: string[]
}

/** Characters of a text of the user's in a sentence. */
const QUOTE_CHARS = 60

export function quoted(text: string): string {
  return `“${listText(text, QUOTE_CHARS)}”`
}

/** What a session is called in sentences. */
export function nameOf(document: SessionDocument): string {
  return document.title.title ?? (document.facts.firstPrompt || path.basename(document.path))
}

export function nothingDone(...notes: string[]): EditDone {
  return { changed: false, changeId: null, bytes: 0, notes }
}

/** Bytes that a change wrote: what was added, or the whole file where it was written anew; none where it was only cut. */
export function bytesBetween(before: StorageStat, after: StorageStat): number {
  return before.fileId === after.fileId ? Math.max(0, after.size - before.size) : after.size
}

/** Records a change that was made. A list that cannot be written undoes nothing; a note says so. */
export async function recordEdit(
  { env, data }: ChangeContext,
  kind: ChangeKind,
  edit: { text: string; detail: string; undo: unknown },
): Promise<{ changeId: string | null; notes: string[] }> {
  const id = env.uuid()
  const record: ChangeRecord = { id, kind, ...edit, time: env.now(), state: 'done', whyNot: null }
  const recorded = await recordChange(env, data, record)
  if (recorded.ok) return { changeId: id, notes: [] }
  const note = `The change could not be noted among the recent changes, so it cannot be undone there: ${recorded.error.message}`
  return { changeId: null, notes: [note] }
}

/** What Undo answers for a change that it cannot read. */
export function unreadable(): Result<never> {
  return err('damaged', UNREADABLE)
}

/** These changes are one append or one replaced file: they leave no operation that would have to be recovered. */
export async function noRecovery({ path: file }: OpenOperation): Promise<Result<RecoveryOutcome>> {
  return err('damaged', `${file} is no operation that this version of Grove begins; it is left alone.`, file)
}

/**
 * Whether an error is about the session, which then stays as it is with the reason; others are about what was asked for.
 */
export function keepsSession(code: ErrorCode): boolean {
  switch (code) {
    case 'in-use':
    case 'conflict':
    case 'changed-on-disk':
    case 'damaged':
    case 'unsupported-version':
    case 'permission':
    case 'no-space':
    case 'io':
      return true
    case 'invalid-argument':
    case 'not-found':
    case 'too-large':
    case 'cancelled':
    case 'internal':
      return false
    default:
      return code satisfies never
  }
}

/** The place and the settings with which an undo opens the session at `journal`, and what it says when it is done. */
export function undoWork(context: ChangeContext, journal: string, includeMaybe: boolean) {
  const { layout, readOnly } = rootAround(context.env, journal, null)
  const working = workingSettings(context, layout, null, { gate: 'open', includeMaybe })
  const session: SessionAt = { journal, layout, readOnly }
  return { session, settings: working.settings, notes: () => notRemembered(working.remember()) }
}

/** The outcome of an undo of one session that was tried: done, or staying with the reason, to be tried again. */
export function undoOutcome(
  record: ChangeRecord,
  title: string,
  done: Result<{ bytes: number; notes: string[] }>,
): Result<UndoOutcome> {
  const report: ChangeReport = {
    changeId: null,
    done: 0,
    asked: 1,
    files: 0,
    bytes: 0,
    staying: [],
    notes: [],
  }
  if (done.ok) {
    const { bytes, notes } = done.value
    return ok({
      report: { ...report, changeId: record.id, done: 1, files: 1, bytes, notes },
      remaining: null,
    })
  }
  if (done.error.code === 'cancelled' || done.error.code === 'internal') return done
  const staying = [stayingBecause({ ref: null, title }, done.error)]
  return ok({ report: { ...report, staying }, remaining: record.undo })
}

/** Why a session's file cannot be looked at, as a reason not to undo. */
export function whyUnseen(journal: string, { code, message }: AppError): string {
  return code === 'not-found' ? `${journal} is not there any more.` : message
}
