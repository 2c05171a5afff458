/** What recovery and undo know of edits of drafts. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { WorkContext } from '../../engine/environment'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt } from '../../engine/storage/errors'
import type { ChangeContext, ChangeHandler, RecoveryOutcome, UndoOutcome } from '../changes/change-handlers'
import { type KeptText, readKept, whyNotKept } from '../changes/kept-texts'
import type { OpenOperation } from '../changes/operation-journal'
import type { ChangeRecord } from '../changes/recent-changes'
import { UNREADABLE } from '../changes/words'
import { openToChange } from '../may-change'
import { rootAround } from '../session-home'
import { workingSettings } from '../working-session'
import { parseDraftPlan, parseDraftUndo } from './draft-record'
import { settleDraft } from './draft-settle'
import { isSameVersion, versionNow, versionToReplace } from './draft-version'

export const draftHandler: ChangeHandler = {
  kind: 'draft',
  recover: recoverDraft,
  whyNotUndo: whyNotUndoDraft,
  undo: undoDraft,
}

async function recoverDraft(
  operation: OpenOperation,
  context: ChangeContext,
): Promise<Result<RecoveryOutcome>> {
  const plan = parseDraftPlan(operation.plan)
  if (plan === null)
    return err('damaged', `${operation.path} holds no edit of a draft that can be read.`, operation.path)
  const settled = await settleDraft(context, operation.id, operation.time, plan)
  if (!settled.ok) return settled
  const notes = settled.value ? [`An interrupted edit of the draft of “${plan.title}” was noted.`] : []
  return ok({ notes })
}

function whyNotUndoDraft(record: ChangeRecord, { env, data }: ChangeContext): string | null {
  const undo = parseDraftUndo(record.undo)
  if (undo === null) return UNREADABLE
  const { journal, before, after } = undo
  if (before === null && after === null) return 'There was no draft before it, and there is none now.'
  const there = attempt('look at', journal, () => lstatOrUndefined(env.fs, journal))
  if (!there.ok) return there.error.message
  if (there.value === undefined) return `Its session is no longer at ${journal}.`
  const now = versionNow(env, journal)
  if (!now.ok) return now.error.message
  if (isSameVersion(now.value, after)) return isKeptOutside(before) ? whyNotKept(env, data, before) : null
  if (now.value === null) return 'The draft was sent or discarded since.'
  return after === null ? 'There is another draft now.' : 'The draft was changed since.'
}

/** The text before, in place of what we wrote; whoever wrote since keeps what is there. */
async function undoDraft(
  record: ChangeRecord,
  context: ChangeContext,
  _work: WorkContext,
  includeMaybe: boolean,
): Promise<Result<UndoOutcome>> {
  const undo = parseDraftUndo(record.undo)
  if (undo === null) return err('damaged', UNREADABLE)
  const { env, data } = context
  const { journal } = undo
  const before = isKeptOutside(undo.before) ? readKept(env, data, undo.before) : ok(undo.before ?? '')
  if (!before.ok) return before
  const root = rootAround(env, journal, null)
  // A draft is no part of the journal: there is no write of ours that the next run would have to know.
  const { settings } = workingSettings(context, root.layout, null, { includeMaybe })
  const manager = openToChange(env, settings, { ...root, journal })
  if (!manager.ok) return manager
  const now = manager.value.readDraft()
  if (!now.ok) return now
  const saved = await manager.value.saveDraft(before.value, versionToReplace(undo.after, now.value))
  if (!saved.ok) return saved
  const report = {
    changeId: record.id,
    done: 1,
    asked: 1,
    files: 1,
    bytes: saved.value.version?.size ?? 0,
    staying: [],
    notes: [],
  }
  return ok({ report, remaining: null })
}

function isKeptOutside(text: string | KeptText | null): text is KeptText {
  return text !== null && typeof text !== 'string'
}
