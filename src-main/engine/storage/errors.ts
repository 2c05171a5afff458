/**
 * The one place where an error of the system becomes an error value. Message: the file, the reason, and
 * what can be done about it, in one line.
 */
import { type AppError, type Err, type ErrorCode, ok, type Result } from '@shared/ipc/result'

/** Thrown inside the engine where unwinding is simpler than passing values; `attempt` turns it back. */
export class EngineError extends Error {
  readonly code: ErrorCode
  readonly path: string | undefined
  constructor(code: ErrorCode, message: string, path?: string) {
    super(message)
    this.name = 'EngineError'
    this.code = code
    this.path = path
  }
}

const REASONS: Record<string, [ErrorCode, string]> = {
  ENOENT: ['not-found', 'it is not there (any more)'],
  ENOTDIR: ['not-found', 'a part of its path is not a folder'],
  EACCES: ['permission', 'permission denied; check who may read or write it'],
  EPERM: ['permission', 'the system does not permit it; check who owns it'],
  EROFS: ['permission', 'it lies on a file system that is read-only'],
  EEXIST: ['conflict', 'something of that name is already there'],
  ENOTEMPTY: ['conflict', 'the folder is not empty'],
  EISDIR: ['conflict', 'it is a folder, not a file'],
  ENOSPC: ['no-space', 'the disk is full; free some room and try again'],
  EDQUOT: ['no-space', 'the disk quota is used up; free some room and try again'],
  EFBIG: ['too-large', 'the file would become too large for this file system'],
  EMFILE: ['io', 'too many files are open in this program; try again'],
  ENFILE: ['io', 'too many files are open on this system; try again'],
  EIO: ['io', 'the disk reported a read or write error; check the disk'],
  ELOOP: ['io', 'its symbolic links go round in a circle'],
  EBUSY: ['in-use', 'the system says that it is busy; close what uses it and try again'],
  ETXTBSY: ['in-use', 'the system says that it is busy; close what uses it and try again'],
  ENAMETOOLONG: ['invalid-argument', 'the name is too long for this file system'],
  EXDEV: ['io', 'source and target lie on different file systems'],
}

function systemCode(thrown: unknown): string | undefined {
  // Our own errors carry a code as well, of another set: a cancelled job must not pass for a missing file.
  if (thrown instanceof EngineError) return undefined
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}

/** The errno name of a thrown system error (`ENOENT`, ...), or undefined for anything else. */
export function errnoOf(thrown: unknown): string | undefined {
  return systemCode(thrown)
}

/** Any thrown thing as an error value. `what` says what was tried: "read the session". */
export function toAppError(thrown: unknown, what: string, path?: string): AppError {
  if (thrown instanceof EngineError) {
    return { code: thrown.code, message: thrown.message, path: thrown.path ?? path }
  }
  const errno = systemCode(thrown)
  const known = errno === undefined ? undefined : REASONS[errno]
  const where = path ?? (hasPath(thrown) ? thrown.path : undefined)
  const subject = where === undefined ? '' : ` ${where}`
  if (known !== undefined) {
    return { code: known[0], message: `Cannot ${what}${subject}: ${known[1]} (${errno}).`, path: where }
  }
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return {
    code: errno === undefined ? 'internal' : 'io',
    message: `Cannot ${what}${subject}: ${text}.`,
    path: where,
  }
}

function hasPath(thrown: unknown): thrown is { path: string } {
  return typeof thrown === 'object' && thrown !== null && 'path' in thrown && typeof thrown.path === 'string'
}

/** Runs `work`; what it throws becomes an error value that names `what` and `path`. */
export function attempt<T>(what: string, path: string | undefined, work: () => T): Result<T> {
  try {
    return ok(work())
  } catch (thrown) {
    return failure(thrown, what, path)
  }
}

/** As `attempt`, for work that waits. */
export async function attemptAsync<T>(
  what: string,
  path: string | undefined,
  work: () => Promise<T>,
): Promise<Result<T>> {
  try {
    return ok(await work())
  } catch (thrown) {
    return failure(thrown, what, path)
  }
}

export function failure(thrown: unknown, what: string, path?: string): Err {
  return { ok: false, error: toAppError(thrown, what, path) }
}
