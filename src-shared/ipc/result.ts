/**
 * Errors as values. Every call across a boundary (engine, worker, IPC) answers with a `Result`;
 * nothing throws across it.
 */

/** The closed set of error codes. The text for the user is chosen by an exhaustive switch over these. */
export const ERROR_CODES = [
  'invalid-argument',
  'not-found',
  'conflict',
  'changed-on-disk',
  'in-use',
  'damaged',
  'unsupported-version',
  'too-large',
  'io',
  'no-space',
  'permission',
  'cancelled',
  'internal',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** What went wrong: `message` names the file, the reason and what can be done, in one line. */
export type AppError = {
  code: ErrorCode
  message: string
  /** Absolute path the error is about, for display. */
  path?: string | undefined
}

export type Ok<T> = { ok: true; value: T }
export type Err = { ok: false; error: AppError }
export type Result<T> = Ok<T> | Err

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value }
}

export function err(code: ErrorCode, message: string, path?: string): Err {
  return { ok: false, error: path === undefined ? { code, message } : { code, message, path } }
}
