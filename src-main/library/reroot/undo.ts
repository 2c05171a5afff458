/**
 * UNDO of a re-root: the same move with the places exchanged. The journal is taken as it is now, so everything written
 * in the new place meanwhile comes along; only the header is set back, and of it only what the re-root had changed.
 *
 * A session stays, with the reason, when it is in use, when its old place is taken, when it was deleted or moved again
 * since, or when its header cannot be set back. What stays can be undone later. Where one that would go back may be in
 * use, nothing is done before the user was asked.
 */
import type { MaybeInUse, StayingSession } from '@shared/ipc/models/change-models'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { headerMovedBack } from '../../engine/session/header-rewrite'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt, attemptAsync, EngineError } from '../../engine/storage/errors'
import { captureIdentity } from '../../engine/storage/file-identity'
import type { ChangeContext, UndoOutcome } from '../changes/change-handlers'
import type { ChangeRecord } from '../changes/recent-changes'
import { staying, stayingBecause } from '../changes/staying'
import { UNREADABLE } from '../changes/words'
import { mapFolder } from '../projects/folder-paths'
import { RerootRun } from './apply'
import { readBytes, readHead } from './journal-bytes'
import { moveUse, type PlannedMove } from './plan'
import { isInPlace, type Relocation, relocationKey } from './relocation'
import { parseOperation, type RerootOperation, withoutUndone } from './reroot-record'
import { countTree, exists } from './trees'

/** Undoes a recorded re-root as far as it can be. */
export async function undoReroot(
  context: ChangeContext,
  record: ChangeRecord,
  work: WorkContext,
  includeMaybe: boolean,
): Promise<Result<UndoOutcome>> {
  const operation = parseOperation(record.undo)
  if (operation === null) return err('damaged', UNREADABLE)
  const id = context.env.uuid()
  const stays: StayingSession[] = []
  const planned = await attemptAsync('plan the undo', undefined, () =>
    planBack(context.env, operation, id, stays, work),
  )
  if (!planned.ok) return planned
  const run = new RerootRun(context, id, stays, [], includeMaybe, operation.breadcrumbs)
  const maybe = includeMaybe ? ok([]) : await maybeInUse(context, planned.value, work)
  if (!maybe.ok) return maybe
  // All or nothing: a move half undone because of a question would have to be told apart in the answer.
  if (maybe.value.length > 0) {
    const report = { ...run.report(operation.moves.length, []), staying: [] }
    return ok({ report, remaining: operation, maybe: maybe.value })
  }
  const prefix = operation.prefix
  const back: RerootOperation = {
    version: 1,
    direction: 'undo',
    undoOf: record.id,
    from: operation.to,
    to: operation.from ?? operation.to,
    prefix: prefix === null ? null : { from: prefix.to, to: prefix.from },
    root: null,
    moves: planned.value.map(({ move }) => move),
    breadcrumbDirs: operation.breadcrumbDirs,
    breadcrumbs: [],
  }
  const moved = await run.all(planned.value, back, work)
  if (!moved.ok) return moved
  const remaining = withoutUndone(
    operation,
    moved.value.map(({ move }) => move),
  )
  const report = run.report(operation.moves.length, moved.value)
  return ok({ report: { ...report, changeId: moved.value.length > 0 ? record.id : null }, remaining })
}

/** The sessions in whose folder an omp runs that nothing ties to one session: where they are, or where they go. */
function maybeInUse(
  { deps }: ChangeContext,
  planned: readonly PlannedMove[],
  work: WorkContext,
): Promise<Result<MaybeInUse[]>> {
  if (planned.length === 0) return Promise.resolve(ok([]))
  return attemptAsync('look who uses the sessions', undefined, async () => {
    const inUse = await deps.inUse(work)
    const maybe: MaybeInUse[] = []
    for (const { move } of planned) {
      await work.breathe()
      const use = moveUse(inUse, move.from, move.oldCwd, move.newCwd)
      if (use.state === 'maybe') maybe.push({ ref: null, title: move.title, text: use.text })
    }
    return maybe
  })
}

/** Why nothing of the change can be undone any more, or null. Looks at the files only. */
export function whyNotUndoReroot({ env }: Pick<ChangeContext, 'env'>, record: ChangeRecord): string | null {
  const operation = parseOperation(record.undo)
  if (operation === null) return UNREADABLE
  const there = operation.moves.some(({ to }) => {
    const looked = attempt('look at', to, () => exists(env.fs, to))
    return !looked.ok || looked.value
  })
  return there ? null : 'Its sessions are no longer where they were moved to.'
}

async function planBack(
  env: Environment,
  operation: RerootOperation,
  id: string,
  stays: StayingSession[],
  work: WorkContext,
): Promise<PlannedMove[]> {
  const planned: PlannedMove[] = []
  for (const move of operation.moves) {
    await work.breathe()
    const back = await moveBack(env, operation, move, id, work)
    if ('reason' in back) stays.push(back)
    else planned.push(back)
  }
  return planned
}

/** The way back of one move, or why it stays. */
async function moveBack(
  env: Environment,
  operation: RerootOperation,
  move: Relocation,
  id: string,
  work: WorkContext,
): Promise<PlannedMove | StayingSession> {
  const named = { ref: null, title: move.title }
  const identity = captureIdentity(env.fs, move.to)
  if (!identity.ok) {
    if (identity.error.code !== 'not-found') return stayingBecause(named, identity.error)
    return staying(named, 'missing', `${move.to} is gone: it was deleted or moved since.`)
  }
  if (identity.value.kind !== 'file') return staying(named, 'missing', `${move.to} is a link now.`)
  const planned = attempt('read', move.to, () => {
    const taken = takenPlace(env, move)
    if (taken !== null) return staying(named, 'clash', `${taken} is in its old place; neither is touched.`)
    return headerBack(env, operation, move) ?? headerRefused(named, move)
  })
  if (!planned.ok) return stayingBecause(named, planned.error)
  const header = planned.value
  if ('reason' in header) return header
  const artifacts = await countTree(env, isInPlace(move) ? null : artifactDirectoryOf(move.to), work)
  if (!artifacts.ok) {
    if (artifacts.error.code === 'cancelled') throw new EngineError('cancelled', artifacts.error.message)
    return stayingBecause(named, artifacts.error)
  }
  const back: Relocation = {
    ...move,
    key: relocationKey(id, move.to),
    from: move.to,
    to: move.from,
    identity: identity.value,
    header,
    oldCwd: move.newCwd,
    newCwd: move.oldCwd ?? '',
    // What was written in the other root may refer to blobs of that root.
    blobs: move.blobs === null ? null : { from: move.blobs.to, to: move.blobs.from },
    files: 1 + (artifacts.value?.files ?? 0),
    bytes: identity.value.size + (artifacts.value?.bytes ?? 0),
  }
  return { move: back, ref: null, hasArtifacts: artifacts.value !== null, maybe: null }
}

function takenPlace(env: Environment, move: Relocation): string | null {
  if (isInPlace(move)) return null
  const artifacts = artifactDirectoryOf(move.from)
  return [move.from, artifacts].find(place => place !== null && exists(env.fs, place)) ?? null
}

/** Null when the header is no longer one that can be set back. */
function headerBack(
  env: Environment,
  { prefix }: RerootOperation,
  move: Relocation,
): Relocation['header'] | null {
  if (lstatOrUndefined(env.fs, move.to)?.kind !== 'file') return null
  const { header } = readHead(env.fs, move.to)
  if (header === null || (move.id !== null && header.fields.id !== move.id)) return null
  const current = readBytes(env.fs, move.to, header.offset, header.offset + header.length)
  const [newPlace, oldPlace] = prefix === null ? [move.newCwd, move.oldCwd] : [prefix.to, prefix.from]
  const line = headerMovedBack(
    Buffer.from(move.header.before, 'base64'),
    Buffer.from(move.header.after, 'base64'),
    current,
    directory => (oldPlace === null ? undefined : mapFolder(newPlace, oldPlace, directory)) ?? directory,
  )
  if (line === null) return null
  return {
    offset: header.offset,
    length: header.length,
    before: current.toString('base64'),
    after: Buffer.from(line).toString('base64'),
  }
}

function headerRefused(named: { ref: null; title: string }, move: Relocation): StayingSession {
  const text = `The header of ${move.to} names another folder by now, or is damaged: it was changed since.`
  return staying(named, 'changed-on-disk', text)
}
