/** Data that arrives later is one of these, never a set of booleans. */
import type { AppError, Result } from '@shared/ipc/result'

export type Async<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T }
  | { state: 'error'; error: AppError }

export const LOADING: { state: 'loading' } = { state: 'loading' }

/** A finished call as async state. */
export function settled<T>(result: Result<T>): Async<T> {
  return result.ok ? { state: 'ready', value: result.value } : { state: 'error', error: result.error }
}

/** The value when it is there. */
export function readyValue<T>(data: Async<T>): T | null {
  return data.state === 'ready' ? data.value : null
}
