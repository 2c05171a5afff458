/**
 * EMPTY: removes trash items for good.
 *
 * Guarantees
 *   Exactly the names that were listed are unlinked; links are unlinked, never followed; an entry that is no longer
 *   what was listed stays, and so does its item. An item that differs from what the user was shown is not begun.
 *   The report counts what was really removed (Grove's own note, beside the content, is not counted, as it was not when
 *   listed). Blobs are shared and not touched.
 *
 * Failures
 *   of one file   tried once more; then it stays, the item with its note stays, and the report says so
 *   a full disk   the way to room: what cannot be noted before is removed all the same
 *   a kill        recovery removes the rest of what was listed (the user wanted it gone), nothing else
 */
import type { ChangeReport, StayingSession } from '@shared/ipc/models/change-models'
import { err, ok, type Result } from '@shared/ipc/result'
import type { WorkContext } from '../../engine/environment'
import { attemptAsync } from '../../engine/storage/errors'
import { type TreeEntry, treeFingerprint } from '../../engine/storage/tree-walk'
import type { ChangeContext } from '../changes/change-handlers'
import { beginOperation, currentOwner } from '../changes/operation-journal'
import { type ChangeRecord, recordChange } from '../changes/recent-changes'
import { stayingBecause } from '../changes/staying'
import { amountText, countText } from '../changes/words'
import { readManifest } from './manifest'
import { contentOf, removeItem } from './trash-item'
import { isPlainName, itemDirectoryOf, type TrashItemRef } from './trash-places'

/** An item as the user was shown it. */
export type EmptyRequest = TrashItemRef & { fingerprint: string }

/** Plain JSON; lies in the operation journal. */
export type EmptyUnit = { ref: TrashItemRef; title: string; entries: TreeEntry[] }

export async function emptyTrash(
  context: ChangeContext,
  requests: readonly EmptyRequest[],
  work: WorkContext,
): Promise<Result<ChangeReport>> {
  const { env, data, deps } = context
  const stays: StayingSession[] = []
  const planned = await attemptAsync('empty the trash', undefined, () =>
    planUnits(context, requests, stays, work),
  )
  if (!planned.ok) return planned
  const changeId = env.uuid()
  const total: EmptyTotal = { items: 0, files: 0, bytes: 0 }
  const report = (notes: string[]): ChangeReport => ({
    changeId: total.files > 0 || total.items > 0 ? changeId : null,
    done: total.items,
    asked: requests.length,
    files: total.files,
    bytes: total.bytes,
    staying: stays,
    notes,
  })
  if (planned.value.length === 0) return ok(report([]))
  const journal = beginOperation(env, data, {
    id: changeId,
    kind: 'empty',
    plan: { units: planned.value },
    owner: currentOwner(env, deps.processes, deps.instance),
  })
  // On a full disk nothing can be noted before there is room, and this is what makes room. Killed meanwhile, what is left of an
  // item stays in the trash and can be emptied again.
  if (!journal.ok && journal.error.code !== 'no-space') return journal
  for (const [at, unit] of planned.value.entries()) {
    const turn = await attemptAsync('go on', undefined, work.breathe)
    work.progress(at, planned.value.length, unit.title)
    const removed = turn.ok ? await removeUnit(context, unit, total) : turn
    if (!removed.ok) stays.push(stayingBecause({ ref: null, title: unit.title }, removed.error))
  }
  const notes: string[] = []
  let recorded: Result<void> = ok(undefined)
  if (total.files > 0 || total.items > 0) {
    recorded = await recordChange(env, data, emptyRecord(changeId, env.now(), total))
    if (!recorded.ok)
      notes.push(`The change could not be noted among the recent changes: ${recorded.error.message}`)
  }
  if (journal.ok && !journal.value.finish().ok) journal.value.abandon()
  return ok(report(notes))
}

export type EmptyTotal = { items: number; files: number; bytes: number }

async function planUnits(
  { env }: ChangeContext,
  requests: readonly EmptyRequest[],
  stays: StayingSession[],
  work: WorkContext,
): Promise<EmptyUnit[]> {
  const units: EmptyUnit[] = []
  for (const request of requests) {
    await work.breathe()
    const ref: TrashItemRef = { id: request.id, sessionsDir: request.sessionsDir }
    const manifest = isPlainName(ref.id)
      ? readManifest(env, ref)
      : err('invalid-argument', 'Not a trash item.')
    const title = manifest.ok ? manifest.value.session.title : ref.id
    const content = isPlainName(ref.id)
      ? await contentOf(env, ref, work.breathe)
      : err('invalid-argument', 'Not a trash item.')
    const entries = content.ok ? content.value.entries : []
    const same = content.ok && treeFingerprint(entries) === request.fingerprint
    const changed = err('changed-on-disk', `${itemDirectoryOf(ref)} is not what was shown; look at it again.`)
    if (same) units.push({ ref, title, entries })
    else stays.push(stayingBecause({ ref: null, title }, content.ok ? changed.error : content.error))
  }
  return units
}

/** Removes one item, adding what was removed to `total`; an error says what stays. */
export async function removeUnit(
  { env }: ChangeContext,
  { ref, entries }: EmptyUnit,
  total: EmptyTotal,
): Promise<Result<void>> {
  const removed = await removeItem(env, ref, entries)
  if (!removed.ok) return removed
  total.files += removed.value.files
  total.bytes += removed.value.bytes
  const [first] = removed.value.left
  if (first === undefined) {
    total.items++
    return ok(undefined)
  }
  const more = removed.value.left.length > 1 ? ` (and ${removed.value.left.length - 1} more)` : ''
  return err('io', `Not all of it could be removed: ${first.message}${more}`, first.path)
}

/** What recent changes keep of it: that it happened. */
export function emptyRecord(id: string, time: number, total: EmptyTotal): ChangeRecord {
  return {
    id,
    kind: 'empty',
    text: `Removed ${countText(total.items, 'session')} from trash for good`,
    detail: amountText(total),
    time,
    state: 'done',
    undo: null,
    whyNot: 'What was removed from the trash is gone for good.',
  }
}
