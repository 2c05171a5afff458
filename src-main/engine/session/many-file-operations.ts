/**
 * The operations on a session that concern many files. The engine says here what it needs, and is given it: whole only
 * with a journal of the operation, recovery and trash, which belong to the library of all sessions.
 *
 * Guarantees of every implementation
 *   Whole or not at all, also after a kill at any moment, once recovery has run. Nothing is overwritten.
 *   An error means that the session is as it was, unless its text says otherwise.
 *   Nothing that the disk holds or the system refuses throws; all of it is an error value.
 *
 * The caller's own documents, descriptors and caches of the session are stale after an ok: it opens `file` anew.
 */
import { err, type Result } from '@shared/ipc/result'
import type { WorkContext } from '../environment'
import type { AgentLayout } from '../layout/agent-directories'
import type { FileIdentity } from '../storage/file-identity'

export interface ManyFileOperations {
  /** A new session with the same entries (docs/format.md, Fork). */
  fork(request: ForkRequest, work?: WorkContext): Promise<Result<ForkedSession>>
  /** The session for another folder, or in another root (docs/format.md, Move). */
  move(request: MoveRequest, work?: WorkContext): Promise<Result<MovedSession>>
  /** The session into the trash of its root, as a whole (docs/durability.md, Trash). */
  drop(request: DropRequest, work?: WorkContext): Promise<Result<DroppedSession>>
}

export type ForkRequest = {
  /** Absolute path of the journal. It may be in use. Where everything is forked it must not change meanwhile: `changed-on-disk`. */
  source: string
  /** The new session's working directory, absolute. */
  cwd: string
  /** Directory of the new journal, absolute; made when it is missing. */
  directory: string
  /** Copy the artifact directory. What the session's entries name is missing without it. */
  withArtifacts: boolean
  /**
   * Only the path to this entry (docs/format.md, Branched session), with the artifacts but for the draft. Null: everything, which
   * is the default.
   */
  leafId?: string | null
  /** The inherited entries cost nothing; their tokens stay. Default false. */
  zeroCosts?: boolean
  /** Of everything only: calls at the end of the active path that wait for a result get one that says aborted. Default false. */
  abortDangling?: boolean
}

export type ForkedSession = {
  /** Absolute path of the new journal. */
  file: string
  /** The agent directory that it came to: pictures of later entries belong into its store. */
  layout: AgentLayout
  id: string
  /** Files copied into the artifact directory. */
  artifactFiles: number
  /** Bytes of journal and artifacts. */
  bytes: number
  /** Sentences about what happened beside the copying. */
  notes: string[]
  /** Name of the change, for undo. */
  changeId: string
}

/** What a change of a session that somebody may have needs to know. */
export type SessionInQuestion = {
  /** Absolute path of the journal. */
  journal: string
  /**
   * The journal as the caller itself left it. A recent write that left exactly this is the caller's own and does not
   * make the session one that is in use; any other recent write does.
   */
  asLeft?: FileIdentity
  /** Go on although an omp that nothing ties to a session runs in its folder. Default false: `in-use`. */
  includeMaybe?: boolean
}

export type MoveRequest = SessionInQuestion & {
  /** The folder that the session names afterwards, absolute. It must be there, unless it is named already. */
  newCwd: string
  /** Sessions root to move to: the folder's directory in there. Default: the root it lies in. */
  sessionsDir?: string
  /** Directory for the journal, instead of the one that the folder has in a sessions root. */
  directory?: string
}

export type MovedSession = {
  /** Absolute path of the journal now; the same when only its header changed. */
  file: string
  /** The agent directory that it lies in now. */
  layout: AgentLayout
  notes: string[]
  /** Name of the change, for undo. */
  changeId: string
}

export type DropRequest = SessionInQuestion

export type DroppedSession = {
  notes: string[]
  /** Where it is now, for restoring it. */
  trashItem: { id: string; sessionsDir: string; location: string }
  /** Name of the change, for undo. */
  changeId: string
}

/** The answer where no operations on many files are given. */
export function withoutOperations(what: string, journal: string): Result<never> {
  return err(
    'invalid-argument',
    `${journal} cannot be ${what} here: no operations on many files are given.`,
    journal,
  )
}
