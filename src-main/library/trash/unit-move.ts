/**
 * UNIT MOVE: the parts of one session to another directory, all or none.
 *
 * Guarantees
 *   On one file system each part is one rename; the first that fails takes back those before it.
 *   Between file systems: everything is copied and verified (copy-verify.ts), noted, the source looked at once more,
 *   then removed. Until the note the source is untouched; after it the copy is complete.
 *   What the parts are is checked after the move too: what was written in between brings them back (`changed-on-disk`).
 *   Nothing is overwritten: a place where others may write is entered exclusively, the way back always is.
 *
 * Outcomes
 *   moved   all parts are at the new place; `left` names what appeared at the old one meanwhile and stays there
 *   back    all parts are at the old place, and why
 *   stuck   neither could be reached (the disk fails); the operation journal is left for recovery
 *
 * The order of the parts is the caller's: a delete moves the journal first, a restore moves it last, so that where
 * omp looks there is never a journal without its artifacts.
 */
import path from 'node:path'
import { type AppError, ok, type Result } from '@shared/ipc/result'
import { type Environment, silentWork, type WorkContext } from '../../engine/environment'
import { copyTreeVerified, removeListed } from '../../engine/storage/copy-verify'
import { syncDirectory } from '../../engine/storage/directory-sync'
import { attempt, errnoOf, toAppError } from '../../engine/storage/errors'
import { moveNoReplace } from '../../engine/storage/move-entry'
import { walkTree } from '../../engine/storage/tree-walk'
import { type UnitPart, verifyPart } from './session-unit'

export type UnitMove = {
  from: string
  to: string
  /** In the order in which they move. */
  parts: readonly UnitPart[]
  /** Another program may put something at the new place: every step there is exclusive. */
  contested: boolean
  /** Called when copies are complete and before anything is removed; must be durable when it returns ok. */
  noteCopied(): Result<void>
}

export type MoveOutcome =
  | { state: 'moved'; left: string[] }
  | { state: 'back'; error: AppError }
  | { state: 'stuck'; error: AppError }

export async function moveUnit(env: Environment, move: UnitMove, work: WorkContext): Promise<MoveOutcome> {
  const renamed = renameParts(env, move)
  if (renamed.state === 'other-device') return copyUnit(env, move, work)
  if (renamed.state !== 'moved') return renamed
  for (const part of move.parts) {
    const same = await verifyPart(env, path.join(move.to, part.name), part, work)
    if (!same.ok) return takeBack(env, move, move.parts, same.error)
  }
  const synced = syncBoth(env, move)
  return synced.ok ? renamed : takeBack(env, move, move.parts, synced.error)
}

function renameParts(env: Environment, move: UnitMove): MoveOutcome | { state: 'other-device' } {
  const moved: UnitPart[] = []
  for (const part of move.parts) {
    const from = path.join(move.from, part.name)
    try {
      const to = path.join(move.to, part.name)
      if (move.contested) moveNoReplace(env.fs, from, to)
      else env.fs.rename(from, to)
      moved.push(part)
    } catch (thrown) {
      const back = takeBack(env, move, moved, toAppError(thrown, 'move', from))
      return errnoOf(thrown) === 'EXDEV' && back.state === 'back' ? { state: 'other-device' } : back
    }
  }
  return { state: 'moved', left: [] }
}

/** Puts moved parts back, last first. */
function takeBack(
  env: Environment,
  move: UnitMove,
  moved: readonly UnitPart[],
  because: AppError,
): MoveOutcome {
  for (const part of [...moved].reverse()) {
    const step = () => moveNoReplace(env.fs, path.join(move.to, part.name), path.join(move.from, part.name))
    // A failure that passes must not leave a session in two places.
    const back = attempt('move back', move.from, step).ok
      ? ok(undefined)
      : attempt('move back', move.from, step)
    if (!back.ok) return { state: 'stuck', error: stuckError(because, back.error) }
  }
  if (moved.length > 0) syncBoth(env, move)
  return { state: 'back', error: because }
}

function stuckError(because: AppError, back: AppError): AppError {
  return { ...because, message: `${because.message} It could not be put back yet: ${back.message}` }
}

function syncBoth(env: Environment, move: UnitMove): Result<void> {
  return attempt('sync', move.to, () => {
    // The new names first: after a power loss a file may have two names, but not none.
    syncDirectory(env, move.to)
    syncDirectory(env, move.from)
  })
}

async function copyUnit(env: Environment, move: UnitMove, work: WorkContext): Promise<MoveOutcome> {
  const copied: UnitPart[] = []
  const back = async (error: AppError): Promise<MoveOutcome> => {
    const removed = await removeCopies(env, move.to, copied)
    return removed ? { state: 'back', error } : { state: 'stuck', error }
  }
  for (const part of move.parts) {
    const from = path.join(move.from, part.name)
    const copy = await copyTreeVerified(env, from, path.join(move.to, part.name), work)
    if (!copy.ok) return back(copy.error)
    copied.push(part)
  }
  for (const part of move.parts) {
    const same = await verifyPart(env, path.join(move.from, part.name), part, work)
    if (!same.ok) return back(same.error)
  }
  const noted = move.noteCopied()
  if (!noted.ok) return back(noted.error)
  const removed = await removeSources(env, move.from, move.parts)
  const first = move.parts[0]
  if (!move.contested && first !== undefined && removed.kept.has(first.name)) {
    // The journal could not be taken away, so nothing was: the session stays where it was.
    return back(removed.kept.get(first.name) ?? UNKNOWN_REASON)
  }
  const synced = syncBoth(env, move)
  return synced.ok
    ? { state: 'moved', left: keptSentences(move.from, removed) }
    : { state: 'stuck', error: synced.error }
}

const UNKNOWN_REASON: AppError = { code: 'internal', message: 'The reason is not known.' }

export type SourceRemoval = {
  /** Parts of which something stays, with the first reason. */
  kept: Map<string, AppError>
}

export function keptSentences(from: string, { kept }: SourceRemoval): string[] {
  return [...kept].map(([name, error]) => `${path.join(from, name)} stays in part: ${error.message}`)
}

/**
 * Removes the sources of complete copies, in the order of the parts. When something of the first part, a file, stays,
 * the others are left alone. Not to be interrupted: what is removed cannot be put back by cancelling.
 */
export async function removeSources(
  env: Environment,
  from: string,
  parts: readonly UnitPart[],
): Promise<SourceRemoval> {
  const kept = new Map<string, AppError>()
  for (const [at, part] of parts.entries()) {
    const removal = await removeListed(env, path.join(from, part.name), part.entries, silentWork)
    const reason = removal.ok ? removal.value.left[0]?.error : removal.error
    if (reason !== undefined) kept.set(part.name, reason)
    if (reason !== undefined && at === 0 && part.kind !== 'directory') break
  }
  return { kept }
}

/** Removes copies that we made at the new place; true when nothing of them is left. */
export async function removeCopies(
  env: Environment,
  to: string,
  copied: readonly UnitPart[],
): Promise<boolean> {
  let clean = true
  for (const part of [...copied].reverse()) {
    const place = path.join(to, part.name)
    const tree = await walkTree(env, place, silentWork)
    if (!tree.ok) {
      clean = clean && tree.error.code === 'not-found'
      continue
    }
    const removal = await removeListed(env, place, tree.value.entries, silentWork)
    clean = clean && removal.ok && removal.value.left.length === 0
  }
  return clean
}
