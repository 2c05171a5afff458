/**
 * EDITING A SESSION for the window: who has it is asked, it is opened, changed once, and closed.
 *
 * Guarantees
 *   The session is changed as the change says, or stays as it was with the reason in the report.
 *   One that may be in use (an omp runs in its folder that nothing ties to a session) is changed only with `includeMaybe`;
 *   without it `maybe` names it.
 *   Of a session that another program has only the title slot is written, by a rename.
 */
import type { StayingSession } from '@shared/ipc/models/change-models'
import type { EditReport } from '@shared/ipc/models/manage-models'
import { type AppError, ok, type Result } from '@shared/ipc/result'
import type { WorkContext } from '../../engine/environment'
import { attemptAsync } from '../../engine/storage/errors'
import type { ChangeContext } from '../changes/change-handlers'
import { notRemembered } from '../changes/remember-made'
import { staying, stayingBecause } from '../changes/staying'
import { isReadOnlyPlace, openToChange, type SessionAt } from '../may-change'
import { workingSettings } from '../working-session'
import { type EditDone, keepsSession, nameOf, type SessionEdit } from './edit-work'

/** A session that is to be changed. */
export type EditSession = SessionAt & {
  /** Name the window knows it by; null elsewhere. */
  ref: string | null
  /** What it is called when it cannot be read. */
  title: string
}

const NOTHING: EditReport = {
  changeId: null,
  done: 0,
  asked: 1,
  files: 0,
  bytes: 0,
  staying: [],
  notes: [],
  maybe: [],
}

/** Makes one change of one session. */
export async function editSession(
  context: ChangeContext,
  session: EditSession,
  includeMaybe: boolean,
  change: (edit: SessionEdit) => Promise<Result<EditDone>>,
  work: WorkContext,
): Promise<Result<EditReport>> {
  const { journal, layout, ref } = session
  const working = workingSettings(context, layout, null, { gate: 'open', includeMaybe })
  const opened = openToChange(context.env, working.settings, session)
  if (!opened.ok && isReadOnlyPlace(context.env, session))
    return stays(staying(session, 'read-only', opened.error.message))
  if (!opened.ok) return refused(session, opened.error, true)
  const manager = opened.value
  const title = nameOf(manager.document)
  if (!includeMaybe) {
    const asked = await attemptAsync('look who uses', journal, () => context.deps.inUse(work))
    if (!asked.ok) return asked
    const use = asked.value.check(journal, manager.cwd)
    if (use.state === 'maybe') return ok({ ...NOTHING, maybe: [{ ref, title, text: use.text }] })
  }
  const done = await change({ context, manager })
  const notes = notRemembered(working.remember())
  const closed = await manager.close()
  if (!done.ok) return refused({ ref, title }, done.error, false)
  const { changed, changeId, bytes } = done.value
  if (!closed.ok) notes.push(closed.error.message)
  notes.unshift(...done.value.notes)
  return ok({
    ...NOTHING,
    changeId,
    done: changed ? 1 : 0,
    files: changed ? 1 : 0,
    bytes: changed ? bytes : 0,
    notes,
  })
}

function stays(session: StayingSession): Result<EditReport> {
  return ok({ ...NOTHING, staying: [session] })
}

/** `opening`: what is not found is the session itself. */
function refused(
  named: { ref: string | null; title: string },
  error: AppError,
  opening: boolean,
): Result<EditReport> {
  const keeps = keepsSession(error.code) || (opening && error.code === 'not-found')
  return keeps ? stays(stayingBecause(named, error)) : { ok: false, error }
}
