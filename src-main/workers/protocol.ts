/** Messages between main and the worker. Plain data, one shape per direction. */
import type { Result } from '@shared/ipc/result'

export type ToWorker =
  | { kind: 'run'; id: number; job: string; input: unknown }
  | { kind: 'cancel'; id: number }

export type FromWorker =
  | { kind: 'done'; id: number; result: Result<unknown> }
  | { kind: 'progress'; id: number; done: number; total: number; text: string }
