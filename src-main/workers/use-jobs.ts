/** Who has sessions: one look at the processes serves all that are asked about. Looks only. */
import type { SessionUse } from '@shared/ipc/models/session-models'
import type { Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../engine/environment'
import type { InUseState } from '../engine/in-use/in-use'
import { createInUseCheck } from '../engine/in-use/in-use-check'
import type { AskedFile } from '../engine/in-use/used-among'
import { attemptAsync } from '../engine/storage/errors'
import { systemProcessTable } from '../library/changes/change-context'
import { readOwnWrites } from '../library/changes/own-writes-file'
import { groveData } from '../library/grove-data'
import type { LibraryRoot } from '../library/roots'

/** `used` holds the sessions that somebody has, or may have, by their place in the list; `others` is true of the rest. */
export type UsesFound = { used: { at: number; use: SessionUse }[]; others: SessionUse }

export function createUseJobs(env: Environment) {
  const processes = systemProcessTable(env)
  return {
    usesAmong: (
      input: { roots: LibraryRoot[]; files: AskedFile[] },
      work: WorkContext,
    ): Promise<Result<UsesFound>> =>
      attemptAsync('look who has the sessions', undefined, async () => {
        const crumbs = [...new Set(input.roots.map(({ layout }) => layout.breadcrumbsDir))]
        const own = readOwnWrites(env, groveData(env))
        const look = await createInUseCheck(env, processes, crumbs, work, {
          writtenByGrove: (journal, stat) => own.has(journal, stat),
        })
        return found(await look.usedAmong(input.files, work))
      }),
  }
}

function found(states: readonly InUseState[]): UsesFound {
  const uses: UsesFound = { used: [], others: { state: 'free', text: null } }
  for (const [at, state] of states.entries()) {
    // What is not known of one session is not known of any.
    if (state.state === 'unknown') uses.others = { state: 'unknown', text: state.text }
    else if (state.state !== 'free') uses.used.push({ at, use: { state: state.state, text: state.text } })
  }
  return uses
}
