/** What re-rooting one session means: where it goes, which line changes, and why it stays if it does. Looks only. */
import path from 'node:path'
import type { StayingSession } from '@shared/ipc/models/change-models'
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment, WorkContext } from '../../engine/environment'
import { directoryNameOf, realOrSame } from '../../engine/layout/session-directory'
import { artifactDirectoryOf, isArchive } from '../../engine/layout/session-paths'
import { movedHeader } from '../../engine/session/header-rewrite'
import { futureVersion } from '../../engine/session/journal-copy'
import type { JournalHead } from '../../engine/session/journal-head'
import { archivedRefusal } from '../../engine/storage/archived-session-storage'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt, EngineError } from '../../engine/storage/errors'
import { captureIdentity } from '../../engine/storage/file-identity'
import type { ChangeTarget } from '../changes/change-target'
import { staying, stayingBecause } from '../changes/staying'
import { mapFolder } from '../projects/folder-paths'
import { isInTrash } from '../trash/trash-places'
import { readBytes, readHead } from './journal-bytes'
import type { PlannedMove, RerootPlanData } from './plan'
import { type Relocation, relocationKey } from './relocation'
import { countTree, exists } from './trees'

/** Names in the directories looked at so far: thousands of sessions may lie in one. */
export type DirectoryNames = Map<string, readonly string[]>

/** Where a session goes: the folder it names afterwards, its journal's path, and its blob stores if they differ. */
export type Destination = { newCwd: string; to: string; blobs: Relocation['blobs'] }

/** The move of one session, or why it stays. Throws only `cancelled`. */
export async function planMove(
  env: Environment,
  plan: Pick<RerootPlanData, 'planId' | 'prefix'>,
  session: ChangeTarget,
  { newCwd, to, blobs }: Destination,
  names: DirectoryNames,
  work: WorkContext,
): Promise<Omit<PlannedMove, 'maybe'> | StayingSession> {
  const { journal } = session
  if (isArchive(journal)) return stayingBecause(session, archivedRefusal(journal).error)
  if (session.readOnly)
    return staying(session, 'read-only', `${journal} lies in a root that Grove only reads.`)
  // Its note tells what lies there, to the byte.
  if (isInTrash(session.sessionsDir, journal))
    return staying(session, 'failed', `${journal} is in the trash; restore it first.`)
  const identity = captureIdentity(env.fs, journal)
  if (!identity.ok) {
    const { code, message } = identity.error
    return code === 'invalid-argument'
      ? staying(session, 'damaged', message)
      : stayingBecause(session, identity.error)
  }
  if (identity.value.kind !== 'file')
    return staying(session, 'failed', `${journal} is a symbolic link; what it leads to is not moved.`)
  const head = attempt('read', journal, () => readHead(env.fs, journal))
  if (!head.ok) return stayingBecause(session, head.error)
  const changed = attempt('read', journal, () => changedHeader(env, plan, session, head.value, to, newCwd))
  if (!changed.ok) return stayingBecause(session, changed.error)
  const header = changed.value
  if ('reason' in header) return header
  const blocked = blockedBy(env, session, to)
  if (blocked !== undefined) return blocked
  const inPlace = to === journal
  const artifacts = await countTree(env, inPlace ? null : artifactDirectoryOf(journal), work)
  if (!artifacts.ok) {
    if (artifacts.error.code === 'cancelled')
      throw new EngineError('cancelled', artifacts.error.message, artifacts.error.path)
    return stayingBecause(session, artifacts.error)
  }
  const backups = inPlace ? ok([]) : backupsOf(env, journal, names)
  if (!backups.ok) return stayingBecause(session, backups.error)
  const move: Relocation = {
    key: relocationKey(plan.planId, journal),
    from: journal,
    to,
    identity: identity.value,
    header,
    oldCwd: head.value.header?.fields.cwd ?? null,
    newCwd,
    blobs,
    backups: backups.value,
    title: session.title,
    id: head.value.header?.fields.id ?? null,
    files: 1 + (artifacts.value?.files ?? 0),
    bytes: identity.value.size + (artifacts.value?.bytes ?? 0),
  }
  return { move, ref: session.ref, hasArtifacts: artifacts.value !== null }
}

/**
 * Where the journal goes: the directory of the new folder, in the same sessions directory. One that does not lie
 * directly in such a directory was put where it is on purpose, and only its header changes.
 */
export function targetOf(
  env: Environment,
  session: Pick<ChangeTarget, 'journal' | 'sessionsDir'>,
  cwd: string,
): string {
  const directory = path.dirname(session.journal)
  if (!isSameDirectory(env, path.dirname(directory), session.sessionsDir)) return session.journal
  const name = directoryNameOf(env, cwd)
  if (path.basename(directory) === name) return session.journal
  return path.join(path.dirname(directory), name, path.basename(session.journal))
}

/** Whether both lead to the same directory, however they are spelled. */
export function isSameDirectory(env: Environment, a: string, b: string): boolean {
  return path.resolve(a) === path.resolve(b) || realOrSame(env, a) === realOrSame(env, b)
}

function changedHeader(
  env: Environment,
  plan: Pick<RerootPlanData, 'prefix'>,
  session: ChangeTarget,
  { header }: JournalHead,
  to: string,
  newCwd: string,
): Relocation['header'] | StayingSession {
  const { journal } = session
  if (header === null)
    return staying(
      session,
      'damaged',
      `${journal} has no header where it belongs; its folder cannot be changed.`,
    )
  if (header.fields.cwd !== session.cwd)
    return staying(session, 'changed-on-disk', `${journal} names another folder by now.`)
  const { version } = header.fields
  if (version > limits.sessionVersion)
    return staying(session, 'unsupported-version', futureVersion(journal, version).message)
  const oldPlace = plan.prefix?.from ?? header.fields.cwd
  const newPlace = plan.prefix?.to ?? newCwd
  const before = readBytes(env.fs, journal, header.offset, header.offset + header.length)
  const after = movedHeader(before, {
    cwd: newCwd,
    previousFile: to === journal ? null : journal,
    mapDirectory: directory =>
      (oldPlace === null ? undefined : mapFolder(oldPlace, newPlace, directory)) ?? directory,
  })
  if (after === null) return staying(session, 'damaged', `The header of ${journal} cannot be changed.`)
  return {
    offset: header.offset,
    length: header.length,
    before: before.toString('base64'),
    after: Buffer.from(after).toString('base64'),
  }
}

/** What has the new names already, or cannot be moved with the journal. */
function blockedBy(env: Environment, session: ChangeTarget, to: string): StayingSession | undefined {
  if (to === session.journal) return undefined
  const artifacts = artifactDirectoryOf(session.journal)
  const looked = attempt('look at', to, () => {
    for (const taken of [to, artifactDirectoryOf(to)])
      if (taken !== null && exists(env.fs, taken))
        return staying(session, 'clash', `${taken} is already there; neither is touched.`)
    const kind = artifacts === null ? undefined : lstatOrUndefined(env.fs, artifacts)?.kind
    if (kind === undefined || kind === 'directory') return undefined
    return staying(session, 'failed', `${artifacts} is not a folder, and what it is does not move.`)
  })
  return looked.ok ? looked.value : stayingBecause(session, looked.error)
}

/** omp's backups of this journal: left behind, omp would promote one to a session in the old place. */
function backupsOf(env: Environment, journal: string, names: DirectoryNames): Result<string[]> {
  const directory = path.dirname(journal)
  const start = `${path.basename(journal)}.`
  let known = names.get(directory)
  if (known === undefined) {
    const entries = attempt('read', directory, () => env.fs.readDirectory(directory))
    // Taken for none, they would stay behind.
    if (!entries.ok) return entries
    const files = entries.value.filter(({ kind }) => kind === 'file')
    known = files.map(({ name }) => name).filter(name => name.endsWith('.bak'))
    names.set(directory, known)
  }
  return ok(known.filter(name => name.startsWith(start)))
}
