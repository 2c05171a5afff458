/**
 * The typed jobs of the worker. `JobHandlers` is the one list: main's client and the worker's handlers are
 * both typed from it. A job takes plain data and answers a `Result` of plain data.
 */
import type { Result } from '@shared/ipc/result'
import type { WorkContext } from '../engine/environment'
import type { createChangeJobs } from './change-jobs'
import type { createDraftJobs } from './draft-jobs'
import type { createEditJobs } from './edit-jobs'
import type { createFolderJobs } from './folder-jobs'
import type { createMoveJobs } from './move-jobs'
import type { createReadingJobs } from './reading-jobs'
import type { createUseJobs } from './use-jobs'

export type JobHandlers = ReturnType<typeof createReadingJobs> &
  ReturnType<typeof createChangeJobs> &
  ReturnType<typeof createUseJobs> &
  ReturnType<typeof createFolderJobs> &
  ReturnType<typeof createDraftJobs> &
  ReturnType<typeof createEditJobs> &
  ReturnType<typeof createMoveJobs>

/** A list of jobs as any worker may have: what a handler takes is known by its own list only. */
export type AnyHandlers = Record<string, (input: never, work: WorkContext) => unknown>

export type JobName<H extends AnyHandlers> = keyof H & string
export type JobInput<H extends AnyHandlers, N extends JobName<H>> = Parameters<H[N]>[0]
export type JobOutput<H extends AnyHandlers, N extends JobName<H>> =
  Awaited<ReturnType<H[N]>> extends Result<infer T> ? T : never

/** Work that a handler gets beside its input. */
export type JobContext = WorkContext
