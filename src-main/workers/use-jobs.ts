/** Who has sessions: one look at the processes serves all that are asked about. Looks only. */
import type { SessionUse } from '@shared/ipc/models/session-models'
import { ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../engine/environment'
import type { InUseState } from '../engine/in-use/in-use'
import { createInUseCheck } from '../engine/in-use/in-use-check'
import type { AskedFile } from '../engine/in-use/used-among'
import { attemptAsync } from '../engine/storage/errors'
import { systemProcessTable } from '../library/changes/change-context'
import { readOwnWrites } from '../library/changes/own-writes-file'
import { groveData } from '../library/grove-data'
import type { LibraryRoot } from '../library/roots'
import { KeptList, type ListChange } from './kept-list'

/** `used` holds the sessions that somebody has, or may have; `others` is true of the rest that was asked about. */
export type UsesFound = { used: { journal: string; use: SessionUse }[]; others: SessionUse }

export function createUseJobs(env: Environment) {
  const processes = systemProcessTable(env)
  const known = new KeptList<AskedFile>(({ journal }) => journal)
  return {
    /** The sessions that are asked about again and again. */
    changeAskedFiles: (input: ListChange<AskedFile>): Result<null> => {
      known.take(input)
      return ok(null)
    },

    /** Who has these, and with `known` all others that the worker was told of. */
    usesAmong: (
      input: { roots: LibraryRoot[]; files: AskedFile[]; known: boolean },
      work: WorkContext,
    ): Promise<Result<UsesFound>> =>
      attemptAsync('look who has the sessions', undefined, async () => {
        const crumbs = [...new Set(input.roots.map(({ layout }) => layout.breadcrumbsDir))]
        const own = readOwnWrites(env, groveData(env))
        const look = await createInUseCheck(env, processes, crumbs, work, {
          writtenByGrove: (journal, stat) => own.has(journal, stat),
        })
        const files = input.known ? [...known.all(), ...input.files] : input.files
        return found(files, await look.usedAmong(files, work))
      }),
  }
}

function found(files: readonly AskedFile[], states: readonly InUseState[]): UsesFound {
  const uses: UsesFound = { used: [], others: { state: 'free', text: null } }
  for (const [at, state] of states.entries()) {
    // What is not known of one session is not known of any.
    if (state.state === 'unknown') uses.others = { state: 'unknown', text: state.text }
    else if (state.state !== 'free') {
      const journal = files[at]?.journal
      if (journal !== undefined) uses.used.push({ journal, use: { state: state.state, text: state.text } })
    }
  }
  return uses
}
