/** Everyday changes of sessions: title, labels, stars, forks, the branch that goes on. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { SessionPlace } from '../../library/catalog/catalog'
import { displayTitle } from '../../library/catalog/session-row'
import type { EditSession } from '../../library/edits/edit-session'
import type { StarTarget } from '../../library/edits/star-sessions'
import { resumeCommand } from '../../library/resume-command'
import { changed } from '../after-change'
import type { HandlerDeps } from '../handler-deps'
import type { CallContext, Handlers } from '../ipc-binding'

type Calls =
  | 'session.rename'
  | 'session.label'
  | 'session.star'
  | 'session.continueBranch'
  | 'session.forkPreview'
  | 'session.fork'

export function editHandlers(deps: HandlerDeps): Pick<Handlers, Calls> {
  const { env, library, worker, options } = deps
  const roots = () => library.roots()
  const long = ({ signal, progress }: CallContext) => ({ signal, onProgress: progress })

  async function withSession<T>(
    ref: string,
    work: (session: EditSession, place: SessionPlace) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const place = library.place(ref)
    if (place === undefined) return err('not-found', 'That session is not in the library (any more).')
    const { file: journal, root } = place
    const { layout, readOnly } = root
    return work({ ref, journal, title: titleOf(place), layout, readOnly }, place)
  }

  return {
    'session.rename': ({ session, title, includeMaybe }, context) =>
      withSession(session, target => {
        const input = { roots: roots(), session: target, title, includeMaybe }
        return changed(deps, worker.run('renameSession', input, long(context)))
      }),

    'session.label': ({ session, entry, label, includeMaybe }, context) =>
      withSession(session, target => {
        const input = { roots: roots(), session: target, entryId: entry, label, includeMaybe }
        return changed(deps, worker.run('labelEntry', input, long(context)))
      }),

    'session.star': ({ sessions, starred }, context) => {
      const targets = starTargets(deps, sessions)
      if (!targets.ok) return targets
      const input = { roots: roots(), targets: targets.value, starred }
      return changed(deps, worker.run('starSessions', input, long(context)))
    },

    'session.continueBranch': ({ session, entry, includeMaybe }, context) =>
      withSession(session, target => {
        const input = { roots: roots(), session: target, entryId: entry, includeMaybe }
        return changed(deps, worker.run('continueBranch', input, long(context)))
      }),

    'session.forkPreview': ({ session, entry, withArtifacts }, context) =>
      withSession(session, target => {
        const only = options.onlyAgentDir
        const input = { roots: roots(), session: target, leafId: entry, withArtifacts, only }
        return worker.run('forkPreview', input, long(context))
      }),

    'session.fork': ({ session, entry, withArtifacts }, context) =>
      withSession(session, async (target, { root }) => {
        const only = options.onlyAgentDir
        const input = { roots: roots(), session: target, leafId: entry, withArtifacts, only }
        const made = await changed(deps, worker.run('forkSession', input, long(context)))
        if (!made.ok) return made
        const { report, file, cwd } = made.value
        const state = await worker.run('projectStates', { cwds: [cwd] })
        const cwdPresent = state.ok && state.value[0]?.state === 'present'
        return ok({
          report,
          session: library.catalog.refOf(file, root),
          resume: resumeCommand(env, { file, cwd, cwdPresent, root }),
        })
      }),
  }
}

function titleOf({ summary, file }: SessionPlace): string {
  return summary === null ? file : displayTitle(summary).title
}

/** The sessions of some refs; one that is not listed any more is an error, not left out in silence. */
function starTargets({ library }: HandlerDeps, refs: readonly string[]): Result<StarTarget[]> {
  const targets: StarTarget[] = []
  for (const ref of new Set(refs)) {
    const place = library.place(ref)
    if (place === undefined)
      return err('not-found', 'A selected session is not in the library any more. Look again.')
    const { layout, readOnly } = place.root
    const id = place.summary?.id ?? null
    targets.push({ ref, title: titleOf(place), id, pinsFile: layout.pinsFile, readOnly })
  }
  return ok(targets)
}
