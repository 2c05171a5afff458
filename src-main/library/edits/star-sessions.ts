/**
 * STARRING SESSIONS: omp's own pins, of any number of sessions in any number of roots, recorded and undone. The sessions
 * themselves are not written, so it does not matter who has them.
 *
 * A root whose list cannot be changed keeps its sessions from it, with the reason; the others go on.
 */
import type { ChangeReport, StayingSession } from '@shared/ipc/models/change-models'
import { type AppError, ok, type Result } from '@shared/ipc/result'
import { isJsonObject } from '@shared/session/json'
import type { WorkContext } from '../../engine/environment'
import { attemptAsync } from '../../engine/storage/errors'
import { changePins, lookAtPins, type PinChange, type PinChanged, readPins } from '../catalog/pins'
import type { ChangeContext, ChangeHandler, UndoOutcome } from '../changes/change-handlers'
import { numberOr } from '../changes/json-guards'
import type { ChangeRecord } from '../changes/recent-changes'
import { staying, stayingBecause } from '../changes/staying'
import { countText, sessionsText, UNREADABLE } from '../changes/words'
import { noRecovery, recordEdit, unreadable } from './edit-work'

/** A session that is to be starred, or not any more. */
export type StarTarget = {
  ref: string | null
  title: string
  id: string | null
  /** The list of its root. */
  pinsFile: string
  /** The root may not be changed. */
  readOnly: boolean
}

export const starHandler: ChangeHandler = {
  kind: 'star',
  recover: noRecovery,
  whyNotUndo: (record, context) => whyNotUndoStars(record, context),
  undo: undoStars,
}

/**
 * Stars the sessions, or takes their stars away. `elsewhere`: lists of other roots that may be changed, which can name a session
 * that was moved out of there; a star is taken out of these too. `dryRun`: only tells what would be.
 */
export async function starSessions(
  context: ChangeContext,
  targets: readonly StarTarget[],
  starred: boolean,
  elsewhere: readonly string[],
  work: WorkContext,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Result<ChangeReport>> {
  const stays: StayingSession[] = []
  const able = targets.filter(target => {
    const reason = whyNot(target)
    if (reason !== null) stays.push(reason)
    return reason === null
  })
  const run = new StarRun(context, work, dryRun)
  const byFile = groupedBy(able, ({ pinsFile }) => pinsFile)
  for (const [file, here] of byFile) {
    const done = await run.change(file, here.map(changeTo(starred)))
    // What was changed before it was cancelled is told, and can be undone.
    if (!done.ok && done.error.code === 'cancelled' && run.changed.length === 0) return done
    if (!done.ok) stays.push(...here.map(target => stayingBecause(target, done.error)))
  }
  if (!starred)
    for (const file of elsewhere) {
      const held = readPins(context.env, [file])
      const here = able.filter(({ id, pinsFile }) => pinsFile !== file && id !== null && held.has(id))
      const done = here.length === 0 ? ok(undefined) : await run.change(file, here.map(changeTo(starred)))
      if (!done.ok) stays.push(...here.map(target => stayingBecause(target, done.error)))
    }
  const ids = new Set(run.changed.map(({ id }) => id))
  const done = able.filter(({ id }) => id !== null && ids.has(id))
  const notes = able.length > 0 && done.length === 0 && stays.length === 0 ? [alreadySo(able, starred)] : []
  if (done.length === 0 || dryRun) return ok(run.report(null, targets.length, done.length, stays, notes))
  const recorded = await recordEdit(context, 'star', {
    text: `${starred ? 'Starred' : 'Unstarred'} ${sessionsText(done.map(({ title }) => title))}`,
    detail: starred ? "with omp's own stars" : "omp's own stars",
    undo: { changed: run.changed },
  })
  return ok(run.report(recorded.changeId, targets.length, done.length, stays, recorded.notes))
}

function whyNot(target: StarTarget): StayingSession | null {
  if (target.readOnly)
    return staying(target, 'read-only', `${target.pinsFile} belongs to a root that Grove only reads.`)
  if (target.id === null)
    return staying(target, 'damaged', 'The session has no id, and a star is noted under one.')
  return null
}

function alreadySo(targets: readonly StarTarget[], starred: boolean): string {
  const are = targets.length === 1 ? 'It is' : 'They are'
  return starred ? `${are} starred already.` : `${are} not starred.`
}

function changeTo(starred: boolean) {
  // Only sessions with an id come this far.
  return ({ id }: StarTarget): PinChange => ({ id: id ?? '', starred, at: null })
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** One round of changes, over several lists. */
class StarRun {
  readonly changed: PinChanged[] = []
  private readonly context: ChangeContext
  private readonly work: WorkContext
  private readonly dryRun: boolean
  private readonly files = new Set<string>()
  private bytes = 0

  constructor(context: ChangeContext, work: WorkContext, dryRun: boolean) {
    this.context = context
    this.work = work
    this.dryRun = dryRun
  }

  async change(file: string, changes: readonly PinChange[]): Promise<Result<undefined>> {
    const going = await attemptAsync('go on', file, () => this.work.breathe())
    if (!going.ok) return going
    const { env } = this.context
    const done = this.dryRun ? lookAtPins(env, file, changes) : await changePins(env, file, changes)
    if (!done.ok) return done
    this.changed.push(...done.value.changed)
    this.bytes += done.value.bytes
    if (done.value.changed.length > 0) this.files.add(file)
    return ok(undefined)
  }

  report(
    changeId: string | null,
    asked: number,
    done: number,
    stays: StayingSession[],
    notes: string[],
  ): ChangeReport {
    return { changeId, done, asked, files: this.files.size, bytes: this.bytes, staying: stays, notes }
  }
}

function whyNotUndoStars(record: ChangeRecord, { env }: Pick<ChangeContext, 'env'>): string | null {
  const changed = parseUndo(record.undo)
  if (changed === null) return UNREADABLE
  const still = changed.some(({ file, id, starred }) => readPins(env, [file]).has(id) === starred)
  return still ? null : 'The stars are as they were before.'
}

/** Each star as it was; one that somebody changed back since is so already. */
async function undoStars(
  record: ChangeRecord,
  context: ChangeContext,
  work: WorkContext,
): Promise<Result<UndoOutcome>> {
  const changed = parseUndo(record.undo)
  if (changed === null) return unreadable()
  const run = new StarRun(context, work, false)
  const failed: { file: string; error: AppError }[] = []
  for (const [file, here] of groupedBy(changed, one => one.file)) {
    // The last that was taken out comes in first: then every place is right.
    const back = here.map(({ id, starred, at }) => ({ id, starred: !starred, at })).reverse()
    const done = await run.change(file, back)
    if (!done.ok) failed.push({ file, error: done.error })
  }
  const remaining = changed.filter(({ file }) => failed.some(one => one.file === file))
  const sessions = new Set(changed.map(({ id }) => id)).size
  const left = new Set(remaining.map(({ id }) => id)).size
  const stays = failed.map(({ file, error }) => {
    const count = changed.filter(one => one.file === file).length
    return stayingBecause({ ref: null, title: countText(count, 'session') }, error)
  })
  const changeId = left < sessions ? record.id : null
  return ok({
    report: run.report(changeId, sessions, sessions - left, stays, []),
    remaining: remaining.length === 0 ? null : { changed: remaining },
  })
}

function parseUndo(value: unknown): PinChanged[] | null {
  if (!isJsonObject(value) || !Array.isArray(value.changed)) return null
  const changed: PinChanged[] = []
  for (const one of value.changed) {
    if (!isJsonObject(one)) return null
    const { file, id, starred } = one
    if (typeof file !== 'string' || typeof id !== 'string' || typeof starred !== 'boolean') return null
    changed.push({ file, id, starred, at: numberOr(one.at, null) })
  }
  return changed
}
