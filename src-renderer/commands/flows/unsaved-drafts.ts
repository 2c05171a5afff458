/** Before sessions go to another place, what is typed in their drafts is put on the disk: it goes with them. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { Client } from '../../api/client'
import { readyValue } from '../../stores/async'
import { draftStoreOf } from '../../stores/draft-store'

/** Saves the drafts of some sessions, or of all (null); an error says why one of them cannot be. */
export async function saveDraftsOf(
  client: Client,
  sessions: readonly string[] | null,
): Promise<Result<null>> {
  const { flush, unsaved } = draftStoreOf(client).getState()
  const asked = (session: string) => sessions === null || sessions.includes(session)
  await Promise.all([...unsaved().keys()].filter(asked).map(flush))
  const left = [...unsaved().keys()].find(asked)
  if (left === undefined) return ok(null)
  const state = draftStoreOf(client).getState().drafts.get(left)
  const save = state ? readyValue(state)?.save : undefined
  const what = 'What was typed in the draft of a session is not saved, so nothing was done.'
  return save?.state === 'failed'
    ? err(save.error.code, `${what} ${save.error.message}`, save.error.path)
    : err('changed-on-disk', `${what} Open its Draft tab and choose one of the two texts first.`)
}
