/**
 * A session manager as app and command line use it: who has a session is asked, fork, move and drop are journalled and can be
 * undone, and what was written is remembered as our own.
 */
import { ok, type Result } from '@shared/ipc/result'
import { silentWork } from '../engine/environment'
import { OwnWrites } from '../engine/in-use/own-writes'
import type { AgentLayout } from '../engine/layout/agent-directories'
import type { ManagerSettings } from '../engine/session/manager-settings'
import type { ChangeContext } from './changes/change-handlers'
import { readOwnWrites, saveOwnWrites } from './changes/own-writes-file'
import { sessionOperations } from './session-operations'

export type WorkingSettings = {
  settings: ManagerSettings
  /** To be called when the work is done: the next run of Grove then knows what was written. */
  remember(): Result<unknown>
}

/** Settings for sessions of `layout`. `only` is `--agent-dir`; `more` overrides what is the same for all otherwise. */
export function workingSettings(
  context: ChangeContext,
  layout: AgentLayout,
  only: string | null,
  more: Partial<ManagerSettings> = {},
): WorkingSettings {
  const { env, data, deps } = context
  const writes = new OwnWrites()
  const earlier = readOwnWrites(env, data)
  // Also a move or a drop by another manager of this run than the one that wrote.
  const inUse: ChangeContext['deps']['inUse'] = (work, options = {}) =>
    deps.inUse(work, {
      ...options,
      writtenByGrove: (journal, stat) =>
        writes.has(journal, stat) || options.writtenByGrove?.(journal, stat) === true,
    })
  return {
    settings: {
      layout,
      inUse: () => inUse(silentWork),
      wasOurs: (journal, stat) => writes.left(journal, stat) || earlier.left(journal, stat),
      operations: sessionOperations({ ...context, deps: { ...deps, inUse } }, only),
      wrote: (journal, { fileId, size, modified }) => writes.note({ journal, fileId, size, modified }),
      ...more,
    },
    remember: () => (writes.all.length === 0 ? ok(true) : saveOwnWrites(env, data, writes)),
  }
}
