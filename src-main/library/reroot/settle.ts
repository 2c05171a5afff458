/**
 * Bringing one session's move to an end, in either direction, from whatever the disk shows: after a failure, at the
 * end of a move that went well, and after a crash. Repeatable; every step looks before it acts.
 *
 * The order of a move (relocate.ts), and what is whole after each step, with no recovery at all:
 *
 *   1  the new journal gets its name           old whole
 *   2  the artifact directory changes place    new whole
 *   3  the old journal goes aside              new whole
 *   4  the old journal is removed              new whole
 *
 * Across file systems the artifacts are copied and verified before 1; then 2 gives the copy its name (both whole) and
 * puts the old directory aside (new whole), 4 removes that too. A move in place replaces the journal by one rename.
 *
 * Going back undoes the steps in the opposite order. A new journal to which someone has written is never removed.
 */
import path from 'node:path'
import type { Environment, WorkContext } from '../../engine/environment'
import { lstatOrUndefined, syncDirectory } from '../../engine/storage/directory-sync'
import { EngineError } from '../../engine/storage/errors'
import { moveBackups, renameToFree } from './backups'
import { carryOver, isHeaderless } from './carry-over'
import { readBytes, readHead, TAIL_BYTES, tailHashAt, tailHashOf } from './journal-bytes'
import { removeIfThere } from './journal-part'
import { isInPlace, type Relocation, relocationPaths, writtenSize } from './relocation'
import { exists, isSameTree, removeTree } from './trees'

/**
 * Whether the journal of this move stands in the new place. `exact`: with the header that was written, and all the
 * old bytes. `likely`: the same session for the same folder, but written anew since (by omp), or not by us at all.
 */
export function publication(env: Environment, move: Relocation): 'none' | 'exact' | 'likely' {
  const stat = lstatOrUndefined(env.fs, move.to)
  if (stat === undefined || stat.kind !== 'file') return 'none'
  const { header } = readHead(env.fs, move.to)
  if (header === null) return 'none'
  const line = readBytes(env.fs, move.to, header.offset, header.offset + header.length)
  const size = writtenSize(move)
  const isWritten = Buffer.from(move.header.after, 'base64').equals(line) && stat.size >= size
  if (isWritten && endsAsBefore(env, move, size)) return 'exact'
  return move.id !== null && header.fields.id === move.id && header.fields.cwd === move.newCwd
    ? 'likely'
    : 'none'
}

/** The last bytes as of the decision, as far as they lie behind the header. */
function endsAsBefore(env: Environment, move: Relocation, size: number): boolean {
  const { offset, length } = move.header
  if (move.identity.size - (offset + length) >= TAIL_BYTES)
    return tailHashAt(env.fs, move.to, size) === move.identity.tailHash
  // The tail takes in the header line: what was read of the old file is put together again.
  const before = Buffer.from(move.header.before, 'base64')
  const behind = readBytes(env.fs, move.to, size - (move.identity.size - offset - length), size)
  const slot = readBytes(env.fs, move.to, 0, offset)
  // A slot written since lies within the tail of a small file; the rest decides then.
  return tailHashOf(Buffer.concat([slot, before, behind])) === move.identity.tailHash || behind.length === 0
}

/**
 * Where a move that was interrupted goes: on, once the new place is whole or in use; else back. `keep` when both
 * places hold the session and it cannot be told that the new one has all of the old.
 */
export function recoveryDirection(env: Environment, move: Relocation): 'forward' | 'back' | 'keep' {
  const state = publication(env, move)
  if (state === 'none') return 'back'
  if (isInPlace(move)) return 'forward'
  const { artifactsFrom, aside } = relocationPaths(move)
  if (state === 'likely') return exists(env.fs, move.from) && !exists(env.fs, aside) ? 'keep' : 'forward'
  if (artifactsFrom === null || !exists(env.fs, artifactsFrom)) return 'forward'
  return isUntouched(env, move) ? 'back' : 'forward'
}

function isUntouched(env: Environment, move: Relocation): boolean {
  return publication(env, move) === 'exact' && lstatOrUndefined(env.fs, move.to)?.size === writtenSize(move)
}

/**
 * Puts everything back to the old place. `published`: whether the new journal is ours, where that is known; what lies
 * there otherwise is somebody else's and not touched. Throws when it cannot, with both places as whole as they were.
 */
export async function rollBack(
  env: Environment,
  move: Relocation,
  work: WorkContext,
  published = publication(env, move) !== 'none',
): Promise<void> {
  if (isInPlace(move)) return rollBackInPlace(env, move)
  const { fs } = env
  const places = relocationPaths(move)
  if (published && exists(fs, move.to) && !isUntouched(env, move))
    throw new EngineError('changed-on-disk', `${move.to} was written to meanwhile; it stays.`, move.to)
  if (exists(fs, places.aside)) putBackJournal(env, move)
  const { artifactsFrom, artifactsTo, artifactsAside, artifactsPart } = places
  if (artifactsAside !== null && artifactsFrom !== null && exists(fs, artifactsAside))
    renameToFree(env, artifactsAside, artifactsFrom)
  if (published && exists(fs, move.to)) {
    if (artifactsFrom !== null && artifactsTo !== null && exists(fs, artifactsTo)) {
      if (!exists(fs, artifactsFrom)) renameToFree(env, artifactsTo, artifactsFrom)
      else if (await isSameTree(env, artifactsFrom, artifactsTo, work))
        await removeTree(env, artifactsTo, work)
      else
        throw new EngineError(
          'changed-on-disk',
          `${artifactsTo} was written to meanwhile; it stays.`,
          artifactsTo,
        )
    }
    await moveBackups(env, move, move.to, move.from, work)
    syncIfThere(env, path.dirname(move.from))
    fs.unlink(move.to)
  } else {
    const stat = lstatOrUndefined(fs, move.to)
    // The reservation of a name on a file system without hard links.
    if (stat?.kind === 'file' && stat.size === 0 && exists(fs, places.part)) fs.unlink(move.to)
  }
  removeIfThere(fs, places.part)
  if (artifactsPart !== null) await removeTree(env, artifactsPart, work)
  syncIfThere(env, path.dirname(move.to))
}

/** The old journal gets its name again; lines that someone wrote under that name meanwhile are appended to it. */
function putBackJournal(env: Environment, move: Relocation): void {
  const { aside } = relocationPaths(move)
  if (exists(env.fs, move.from)) {
    if (!isHeaderless(env.fs, move.from))
      throw new EngineError('conflict', `Another session lies at ${move.from} now.`, move.from)
    const size = env.fs.lstat(aside).size
    carryOver(env, move.from, 0, aside, size)
  }
  env.fs.rename(aside, move.from)
}

function rollBackInPlace(env: Environment, move: Relocation): void {
  const { fs } = env
  const { aside, part } = relocationPaths(move)
  const old = lstatOrUndefined(fs, aside)
  if (old !== undefined) {
    const now = lstatOrUndefined(fs, move.from)
    if (now !== undefined && now.ino === old.ino && now.dev === old.dev) fs.unlink(aside)
    else if (now === undefined || isUntouched(env, move)) fs.rename(aside, move.from)
    else
      throw new EngineError('changed-on-disk', `${move.from} was written to meanwhile; it stays.`, move.from)
  }
  removeIfThere(fs, part)
  syncIfThere(env, path.dirname(move.from))
}

/**
 * Takes away what is left in the old place once the new one is whole. Answers sentences about what could not be
 * joined and was therefore kept. Throws when the system refuses; calling again goes on.
 */
export async function finish(env: Environment, move: Relocation, work: WorkContext): Promise<string[]> {
  const { fs } = env
  const places = relocationPaths(move)
  const notes: string[] = []
  if (isInPlace(move)) {
    const old = lstatOrUndefined(fs, places.aside)
    if (old !== undefined && old.ino !== fs.lstat(move.from).ino)
      carryOver(env, places.aside, move.identity.size, move.from, writtenSize(move))
  } else {
    notes.push(...(await finishArtifacts(env, move, work)))
    await moveBackups(env, move, move.from, move.to, work)
    if (exists(fs, move.from) && !exists(fs, places.aside)) notes.push(...setOldAside(env, move))
    if (exists(fs, places.aside)) carryOver(env, places.aside, move.identity.size, move.to, writtenSize(move))
    takeOverLateLines(env, move)
  }
  removeIfThere(fs, places.aside)
  if (places.artifactsAside !== null) await removeTree(env, places.artifactsAside, work)
  removeIfThere(fs, places.part)
  if (places.artifactsPart !== null) await removeTree(env, places.artifactsPart, work)
  return notes
}

/** Waits until what `finish` did for these moves is on the disk: once per directory, however many sessions. */
export function syncPlaces(env: Environment, moves: readonly Relocation[]): void {
  const directories = moves.flatMap(({ from, to }) => [path.dirname(to), path.dirname(from)])
  for (const directory of new Set(directories)) syncIfThere(env, directory)
}

/** Only after a crash is there anything to do: a move that went well has its artifacts in the new place. */
async function finishArtifacts(env: Environment, move: Relocation, work: WorkContext): Promise<string[]> {
  const { artifactsFrom, artifactsTo, artifactsAside, artifactsPart } = relocationPaths(move)
  if (artifactsFrom === null || artifactsTo === null || artifactsAside === null) return []
  const { fs } = env
  if (!exists(fs, artifactsFrom)) return []
  if (artifactsPart !== null && exists(fs, artifactsPart) && !exists(fs, artifactsTo)) {
    if (await isSameTree(env, artifactsFrom, artifactsPart, work)) fs.rename(artifactsPart, artifactsTo)
  }
  if (!exists(fs, artifactsTo)) {
    fs.rename(artifactsFrom, artifactsTo)
    return []
  }
  if (await isSameTree(env, artifactsFrom, artifactsTo, work)) {
    fs.rename(artifactsFrom, artifactsAside)
    return []
  }
  return [`${artifactsFrom} stays: ${artifactsTo} is there already and holds other files.`]
}

/** Puts the old journal aside when it is what was moved, grown or not; what is another by now stays, and is told. */
function setOldAside(env: Environment, move: Relocation): string[] {
  const { aside } = relocationPaths(move)
  if (isWhatWasMoved(env, move)) {
    env.fs.rename(move.from, aside)
    return []
  }
  if (isHeaderless(env.fs, move.from)) return []
  return [
    `${move.from} stays: it was written to after it had been moved, and ${move.to} holds it as it was before.`,
  ]
}

function isWhatWasMoved(env: Environment, move: Relocation): boolean {
  const stat = lstatOrUndefined(env.fs, move.from)
  const { identity, header } = move
  if (stat?.size === identity.size && stat.mtimeNs.toString() === identity.mtimeNs) return true
  if (stat?.kind !== 'file' || stat.ino.toString() !== identity.ino || stat.size < identity.size) return false
  if (tailHashAt(env.fs, move.from, identity.size) !== identity.tailHash) return false
  const head = readBytes(env.fs, move.from, 0, header.offset + header.length)
  const slotNow = readBytes(env.fs, move.to, 0, header.offset)
  // The header, and what stands before it: a title slot may have been written since.
  return head.equals(Buffer.concat([slotNow, Buffer.from(header.before, 'base64')]))
}

/** A program that knows nothing of the move may open the old path anew and write: headerless lines of this session. */
function takeOverLateLines(env: Environment, move: Relocation): void {
  const late = `${relocationPaths(move).aside}.late`
  if (!exists(env.fs, late) && exists(env.fs, move.from) && isHeaderless(env.fs, move.from))
    env.fs.rename(move.from, late)
  if (!exists(env.fs, late)) return
  carryOver(env, late, 0, move.to, env.fs.stat(move.to).size)
  removeIfThere(env.fs, late)
}

function syncIfThere(env: Environment, directory: string): void {
  if (exists(env.fs, directory)) syncDirectory(env, directory)
}

/** Whether lines were written in the old place that the new one does not have yet. */
export function needsTakingOver(env: Environment, move: Relocation): boolean {
  const { aside } = relocationPaths(move)
  return [move.from, aside, `${aside}.late`].some(place => {
    if (isInPlace(move) && place === move.from) return false
    const size = lstatOrUndefined(env.fs, place)?.size
    return size !== undefined && (place.endsWith('.late') || size > move.identity.size)
  })
}
