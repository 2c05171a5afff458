/** What became of an edit of a draft that did not come to its end: told from what stands on the disk. */
import { createHash } from 'node:crypto'
import { type ErrorCode, ok, type Result } from '@shared/ipc/result'
import { DraftStore } from '../../engine/artifacts/draft-store'
import type { ChangeContext } from '../changes/change-handlers'
import { readChanges, recordChange } from '../changes/recent-changes'
import { type DraftPlan, draftRecord } from './draft-record'
import { isSameVersion } from './draft-version'

/** Errors that say: something is there that Grove does not write. */
const FOREIGN: ReadonlySet<ErrorCode> = new Set(['damaged', 'conflict', 'too-large'])

/** Hash by which a text that we were about to write is known again. */
export function textHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/**
 * Records the edit when its text stands, or when another program has written since; nothing when the draft is the one before.
 * Repeatable. Answers whether it was recorded.
 */
export async function settleDraft(
  { env, data }: ChangeContext,
  id: string,
  time: number,
  plan: DraftPlan,
): Promise<Result<boolean>> {
  const records = readChanges(env, data)
  // Later saves of the round have noted more than is known here.
  if (records.ok && records.value.some(record => record.id === id)) return ok(false)
  const { version, journal, title, before, beforeVersion, afterHash } = plan
  const now = new DraftStore(env, journal).readDraft()
  // What cannot be read as a draft is none of ours; any other failure leaves the question open.
  if (!now.ok && !FOREIGN.has(now.error.code)) return now
  const known = now.ok ? now.value : null
  const text = known === null ? undefined : known.text
  const hash = text === undefined || text === '' ? null : textHash(text)
  const stands = text !== undefined && hash === afterHash
  if (!stands && known !== null && isSameVersion(known.version, beforeVersion)) return ok(false)
  const after = stands && hash !== null ? (known?.version ?? null) : null
  const record = draftRecord(id, time, { version, journal, title, before, after })
  const recorded = await recordChange(
    env,
    data,
    stands ? record : { ...record, whyNot: 'The draft was changed by another program since.' },
  )
  return recorded.ok ? ok(true) : recorded
}
