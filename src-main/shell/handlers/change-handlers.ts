/** Calls that change files. After each the library is looked at again and the window told. */

import type { RerootSubject } from '@shared/ipc/models/change-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { shell } from 'electron'
import { childrenOutside } from '../../library/catalog/family'
import { displayTitle } from '../../library/catalog/session-row'
import type { ChangeTarget } from '../../library/changes/change-target'
import type { RerootScope } from '../../library/reroot/subject'
import { changed } from '../after-change'
import { chooseFolder } from '../dialogs'
import type { HandlerDeps } from '../handler-deps'
import type { CallContext, Handlers } from '../ipc-binding'

type ChangeCalls =
  | 'delete.plan'
  | 'delete.apply'
  | 'trash.list'
  | 'trash.restore'
  | 'trash.empty'
  | 'trash.reveal'
  | 'reroot.question'
  | 'reroot.chooseFolder'
  | 'reroot.plan'
  | 'reroot.apply'
  | 'changes.list'
  | 'changes.undo'

export function changeHandlers(deps: HandlerDeps): Pick<Handlers, ChangeCalls> {
  const { env, library, worker, window } = deps
  const roots = () => library.roots()

  const long = ({ signal, progress }: CallContext) => ({ signal, onProgress: progress })

  return {
    'delete.plan': ({ sessions }, context) => {
      const targets = targetsOf(deps, sessions)
      if (!targets.ok) return targets
      const linkedBy = linksTo(deps, targets.value)
      return worker.run('planDelete', { roots: roots(), targets: targets.value, linkedBy }, long(context))
    },
    'delete.apply': ({ planId, includeMaybeInUse }, context) =>
      changed(deps, worker.run('applyDelete', { planId, includeMaybe: includeMaybeInUse }, long(context))),

    'trash.list': (_input, context) => worker.run('listTrash', { roots: roots() }, long(context)),
    'trash.restore': ({ ids }, context) =>
      changed(deps, worker.run('restoreTrash', { roots: roots(), ids }, long(context))),
    'trash.empty': ({ ids }, context) => changed(deps, worker.run('emptyTrash', { ids }, long(context))),
    'trash.reveal': async ({ id }) => {
      const location = await worker.run('trashLocation', { id })
      if (!location.ok) return location
      shell.showItemInFolder(location.value)
      return ok({})
    },

    'reroot.question': (subject, context) => {
      const scope = scopeOf(deps, subject)
      if (!scope.ok) return scope
      const input = { roots: roots(), scope: scope.value, sessions: allTargets(deps) }
      return worker.run('rerootQuestion', input, long(context))
    },
    'reroot.chooseFolder': async ({ near }) =>
      ok({ path: await chooseFolder(window, 'Where is the folder now?', near ?? env.home) }),
    'reroot.plan': ({ subject, to }, context) => {
      const scope = scopeOf(deps, subject)
      if (!scope.ok) return scope
      const input = { roots: roots(), scope: scope.value, to, sessions: allTargets(deps) }
      return worker.run('planReroot', input, long(context))
    },
    'reroot.apply': ({ planId, includeMaybeInUse }, context) =>
      changed(deps, worker.run('applyReroot', { planId, includeMaybe: includeMaybeInUse }, long(context))),

    'changes.list': () => worker.run('listChanges', {}),
    'changes.undo': ({ id }, context) =>
      changed(deps, worker.run('undoChange', { roots: roots(), id }, long(context))),
  }
}

function allTargets({ library }: HandlerDeps): ChangeTarget[] {
  return library.catalog.summaries().map(({ summary, root, ref }) => ({
    ref,
    journal: summary.file,
    sessionsDir: root.layout.sessionsDir,
    agentDir: root.layout.agentDir,
    cwd: summary.cwd,
    id: summary.id,
    title: displayTitle(summary).title,
    readOnly: root.readOnly,
  }))
}

/** The sessions of some refs; one that is not listed any more is an error, not left out in silence. */
export function targetsOf(deps: HandlerDeps, refs: readonly string[]): Result<ChangeTarget[]> {
  const byRef = new Map(allTargets(deps).map(target => [target.ref, target]))
  const targets = refs.map(ref => byRef.get(ref))
  const known = targets.filter(target => target !== undefined)
  return known.length === targets.length
    ? ok(known)
    : err('not-found', 'A selected session is not in the library any more. Look again.')
}

/** Forks and child sessions outside the selection that keep a link to one of it. */
function linksTo(
  { library }: HandlerDeps,
  targets: readonly ChangeTarget[],
): { ref: string; title: string }[] {
  const all = library.catalog.summaries()
  const going = new Set(targets.map(({ journal }) => journal))
  const members = all.map(({ summary }) => summary)
  const links = new Set(childrenOutside(going, members))
  return all
    .filter(({ summary }) => links.has(summary))
    .map(({ summary, ref }) => ({ ref, title: displayTitle(summary).title }))
}

function scopeOf({ library }: HandlerDeps, subject: RerootSubject): Result<RerootScope> {
  if (subject.kind === 'prefix') return ok(subject)
  if (subject.kind === 'project') {
    const cwd = library.catalog.projectCwd(subject.project)
    return cwd === undefined
      ? err('not-found', 'That project is not in the library any more.')
      : ok({ kind: 'project', cwd })
  }
  const journals = subject.sessions.map(ref => library.place(ref)?.file)
  const known = journals.filter(journal => journal !== undefined)
  return known.length === journals.length
    ? ok({ kind: 'sessions', journals: known })
    : err('not-found', 'A selected session is not in the library any more. Look again.')
}
