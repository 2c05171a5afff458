/** Moving sessions to another folder or agent directory. */
import { err } from '@shared/ipc/result'
import { changed } from '../after-change'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'
import { rootsOf, targetsOf } from './change-handlers'

type Calls = 'move.plan' | 'move.apply'

export function moveHandlers(deps: HandlerDeps): Pick<Handlers, Calls> {
  const { library, worker } = deps
  return {
    'move.plan': ({ sessions, to }, { signal, progress }) => {
      const targets = targetsOf(deps, sessions)
      if (!targets.ok) return targets
      const root = to.root === null ? null : library.catalog.root(to.root)
      if (root === undefined) return err('not-found', 'That agent directory is not in the list (any more).')
      const input = {
        roots: rootsOf(deps, sessions),
        sessions: targets.value,
        to: { folder: to.folder, root },
      }
      return worker.run('planMove', input, { signal, onProgress: progress })
    },

    'move.apply': ({ planId, includeMaybeInUse }, { signal, progress }) => {
      const input = { planId, includeMaybe: includeMaybeInUse }
      return changed(deps, worker.run('applyMove', input, { signal, onProgress: progress }))
    },
  }
}
