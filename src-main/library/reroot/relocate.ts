/**
 * RELOCATE: moving one session to another folder's place, or changing its header where it is.
 *
 * Guarantees
 *   After an ok, the new place is whole and has its names; the old journal lies aside, hidden, until `finish`
 *   (settle.ts) has taken over what was appended to it meanwhile and removes it.
 *   After a failure, the old place is whole and the new one is as it was (or, when even going back failed, the error
 *   says so, and recovery settles it).
 *   Every byte but the header line is the old journal's. Times and mode are kept. Nothing is overwritten.
 *   The session's lock is held while names change, not while bytes are copied.
 *
 * Order: see settle.ts. Refusals: `changed-on-disk` (the journal is not what the decision was made on), `conflict`
 * (something has the new name), `in-use` (the lock), or what the system says.
 */
import path from 'node:path'
import { type AppError, err, ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../../engine/environment'
import { addName, isWithoutHardLinks } from '../../engine/storage/atomic-replace'
import { copyTreeVerified } from '../../engine/storage/copy-verify'
import { ensureDirectory, removeMadeDirectories, syncDirectory } from '../../engine/storage/directory-sync'
import { attempt, attemptAsync, EngineError, errnoOf } from '../../engine/storage/errors'
import { verifyIdentity } from '../../engine/storage/file-identity'
import { type LockProbe, withPublishLock } from '../../engine/storage/publish-lock'
import { moveBackups } from './backups'
import { removeIfThere, writePart } from './journal-part'
import { isInPlace, type Relocation, relocationPaths } from './relocation'
import { finish, rollBack } from './settle'
import { exists, isSameTree } from './trees'

/** `back`: the old place is whole and nothing is left of the try. `stuck`: recovery has to settle it. */
export type RelocateOutcome = { state: 'moved' } | { state: 'back' | 'stuck'; error: AppError }

/** What a try found out on its way. */
type MoveState = { acrossFileSystems: boolean; published: boolean }

/** Moves the session; `finishRelocation` must follow, or `takeBack`. */
export async function relocate(
  env: Environment,
  move: Relocation,
  probe: LockProbe,
  work: WorkContext,
): Promise<RelocateOutcome> {
  const state: MoveState = { acrossFileSystems: false, published: false }
  const renamed = await tryRelocate(env, move, needsCopy(env, move), state, probe, work)
  if (renamed.state !== 'back' || !state.acrossFileSystems) return renamed
  return tryRelocate(env, move, true, state, probe, work)
}

/** Takes over late lines and removes the old place; answers sentences about what had to stay. */
export function finishRelocation(
  env: Environment,
  move: Relocation,
  probe: LockProbe,
  work: WorkContext,
): Promise<Result<string[]>> {
  return withBothLocks(env, move, probe, () =>
    attemptAsync('remove the old place of', move.to, () => finish(env, move, silent(work))),
  )
}

/** `takeBack` under the locks, for recovery: it also takes over the locks that the killed process held. */
export function takeBackLocked(
  env: Environment,
  move: Relocation,
  probe: LockProbe,
  published: boolean,
  work: WorkContext,
): Promise<Result<void>> {
  return withBothLocks(env, move, probe, () => takeBack(env, move, silent(work), published))
}

/** Holds the locks of the old and the new journal, as far as there is a directory for them to lie in. */
function withBothLocks<T>(
  env: Environment,
  move: Relocation,
  probe: LockProbe,
  step: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const looked = attempt('look at', move.to, () =>
    [...new Set([move.from, move.to])].filter(file => exists(env.fs, path.dirname(file))),
  )
  if (!looked.ok) return Promise.resolve(looked)
  const locked = looked.value.reduceRight<() => Promise<Result<T>>>(
    (inner, file) => () => withPublishLock(env, file, inner, probe),
    step,
  )
  return locked()
}

/** Undoes what `relocate` did, as long as the new place was not written to. */
export async function takeBack(
  env: Environment,
  move: Relocation,
  work: WorkContext,
  published = true,
): Promise<Result<void>> {
  const back = (): Promise<Result<void>> =>
    attemptAsync('put back', move.from, () => rollBack(env, move, work, published))
  const first = await back()
  // A failure that passes must not leave a session in two places.
  return first.ok || first.error.code === 'changed-on-disk' ? first : back()
}

async function tryRelocate(
  env: Environment,
  move: Relocation,
  copyArtifacts: boolean,
  state: MoveState,
  probe: LockProbe,
  work: WorkContext,
): Promise<RelocateOutcome> {
  state.published = false
  const same = verifyIdentity(env.fs, move.from, move.identity)
  if (!same.ok) return { state: 'back', error: same.error }
  const directory = path.dirname(move.to)
  const made = attempt('make the folder', directory, () => ensureDirectory(env, directory))
  if (!made.ok) return { state: 'back', error: made.error }
  const prepared = await prepare(env, move, copyArtifacts, work)
  const switchNames = (): Result<void> | Promise<Result<void>> =>
    isInPlace(move)
      ? switchInPlace(env, move)
      : withPublishLock(env, move.to, () => switchOver(env, move, copyArtifacts, state, work), probe)
  const done = prepared.ok ? await withPublishLock(env, move.from, switchNames, probe) : prepared
  if (done.ok) return { state: 'moved' }
  const back = await takeBack(env, move, silent(work), state.published)
  removeMadeDirectories(env.fs, made.value)
  if (back.ok) return { state: 'back', error: done.error }
  const text = `${done.error.message} Going back failed too: ${back.error.message} Grove settles it when it starts next.`
  return { state: 'stuck', error: { ...done.error, message: text } }
}

/** Going back must not be cancelled halfway. */
function silent(work: WorkContext): WorkContext {
  return {
    breathe: () => Promise.resolve(),
    progress: (done, total, text) => work.progress(done, total, text),
  }
}

async function prepare(
  env: Environment,
  move: Relocation,
  copyArtifacts: boolean,
  work: WorkContext,
): Promise<Result<void>> {
  const written = await attemptAsync('write', move.to, () => writePart(env, move, work))
  if (!written.ok || !copyArtifacts) return written
  const { artifactsFrom, artifactsPart } = relocationPaths(move)
  if (artifactsFrom === null || artifactsPart === null) return ok(undefined)
  const there = attempt('look at', artifactsFrom, () => exists(env.fs, artifactsFrom))
  if (!there.ok || !there.value) return there.ok ? ok(undefined) : there
  const copied = await copyTreeVerified(env, artifactsFrom, artifactsPart, work)
  return copied.ok ? ok(undefined) : copied
}

async function switchOver(
  env: Environment,
  move: Relocation,
  copyArtifacts: boolean,
  state: MoveState,
  work: WorkContext,
): Promise<Result<void>> {
  const { fs } = env
  const places = relocationPaths(move)
  const same = verifyIdentity(fs, move.from, move.identity)
  if (!same.ok) return same
  for (const taken of [move.to, places.artifactsTo])
    if (taken !== null && exists(fs, taken)) return err('conflict', `${taken} is already there.`, taken)
  return attemptAsync('move', move.from, async () => {
    const bothNames = addName(fs, places.part, move.to)
    state.published = true
    if (bothNames) removeIfThere(fs, places.part)
    const { artifactsFrom, artifactsTo } = places
    if (artifactsFrom !== null && artifactsTo !== null && exists(fs, artifactsFrom)) {
      // After a power loss, artifacts in the new place must find their journal there.
      syncDirectory(env, path.dirname(move.to))
      if (copyArtifacts) await switchToCopy(env, move, work)
      else renameArtifacts(env, artifactsFrom, artifactsTo, state)
    }
    await moveBackups(env, move, move.from, move.to, silent(work))
    // The new place is whole: its names must be on the disk before the old ones go.
    syncDirectory(env, path.dirname(move.to))
    fs.rename(move.from, places.aside)
  })
}

function renameArtifacts(env: Environment, from: string, to: string, state: MoveState): void {
  try {
    env.fs.rename(from, to)
  } catch (thrown) {
    if (errnoOf(thrown) === 'EXDEV') state.acrossFileSystems = true
    throw thrown
  }
}

async function switchToCopy(env: Environment, move: Relocation, work: WorkContext): Promise<void> {
  const { artifactsFrom, artifactsTo, artifactsPart, artifactsAside } = relocationPaths(move)
  if (artifactsFrom === null || artifactsTo === null || artifactsPart === null || artifactsAside === null)
    return
  if (!exists(env.fs, artifactsPart) || !(await isSameTree(env, artifactsFrom, artifactsPart, silent(work))))
    throw new EngineError('changed-on-disk', `${artifactsFrom} changed while it was copied.`, artifactsFrom)
  env.fs.rename(artifactsPart, artifactsTo)
  syncDirectory(env, path.dirname(artifactsTo))
  env.fs.rename(artifactsFrom, artifactsAside)
}

function switchInPlace(env: Environment, move: Relocation): Result<void> {
  const { fs } = env
  const { part, aside } = relocationPaths(move)
  const same = verifyIdentity(fs, move.from, move.identity)
  if (!same.ok) return same
  return attempt('write', move.from, () => {
    removeIfThere(fs, aside)
    try {
      // Keeps hold of the old bytes: a line appended in this very moment is taken over afterwards.
      fs.link(move.from, aside)
    } catch (thrown) {
      if (!isWithoutHardLinks(thrown)) throw thrown
    }
    fs.rename(part, move.from)
    syncDirectory(env, path.dirname(move.from))
  })
}

/** Whether the artifacts must be copied: the two places lie on different file systems. */
function needsCopy(env: Environment, move: Relocation): boolean {
  const { artifactsFrom } = relocationPaths(move)
  if (artifactsFrom === null) return false
  const [artifacts, target] = [artifactsFrom, path.dirname(move.to)].map(place =>
    attempt('look at', place, () => env.fs.stat(place).dev),
  )
  return artifacts?.ok === true && target?.ok === true && artifacts.value !== target.value
}
