/** Calls that change files. After each the library is looked at again and the window told. */

import type { RerootSubject } from '@shared/ipc/models/change-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { shell } from 'electron'
import { childrenOutside } from '../../library/catalog/family'
import { displayTitle } from '../../library/catalog/session-row'
import type { ChangeTarget } from '../../library/changes/change-target'
import { unlistedTarget } from '../../library/changes/unlisted-target'
import type { RerootScope } from '../../library/reroot/subject'
import type { LibraryRoot } from '../../library/roots'
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
      const input = { roots: rootsOf(deps, sessions), targets: targets.value, linkedBy }
      return worker.run('planDelete', input, long(context))
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
      return worker.run('rerootQuestion', scope.value, long(context))
    },
    'reroot.chooseFolder': async ({ near }) =>
      ok({ path: await chooseFolder(window, 'Where is the folder now?', near ?? env.home) }),
    'reroot.plan': ({ subject, to }, context) => {
      const scope = scopeOf(deps, subject)
      if (!scope.ok) return scope
      return worker.run('planReroot', { ...scope.value, to }, long(context))
    },
    'reroot.apply': ({ planId, includeMaybeInUse }, context) =>
      changed(deps, worker.run('applyReroot', { planId, includeMaybe: includeMaybeInUse }, long(context))),

    'changes.list': () => worker.run('listChanges', {}),
    'changes.undo': ({ id, includeMaybe }, context) =>
      changed(deps, worker.run('undoChange', { roots: roots(), id, includeMaybe }, long(context))),
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

/**
 * The sessions of some refs, also of files from elsewhere that were opened; one that is not there any more is an error, not left
 * out in silence.
 */
export function targetsOf(deps: HandlerDeps, refs: readonly string[]): Result<ChangeTarget[]> {
  const byRef = new Map(allTargets(deps).map(target => [target.ref, target]))
  const targets: ChangeTarget[] = []
  for (const ref of refs) {
    const listed = byRef.get(ref)
    const place = deps.library.place(ref)
    const target = listed ? ok(listed) : place ? unlistedTarget(ref, place) : GONE
    if (!target.ok) return target
    targets.push(target.value)
  }
  return ok(targets)
}

const GONE = err('not-found', 'A selected session is not in the library any more. Look again.')

/** The roots of the library, and those of these sessions: a file from elsewhere may lie in another. */
export function rootsOf({ library }: HandlerDeps, refs: readonly string[]): LibraryRoot[] {
  const roots = library.roots()
  for (const ref of refs) {
    const root = library.place(ref)?.root
    if (root && !roots.some(({ layout }) => layout.sessionsDir === root.layout.sessionsDir)) roots.push(root)
  }
  return roots
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

type RerootInput = { scope: RerootScope; sessions: ChangeTarget[]; roots: LibraryRoot[] }

/** What a subject stands for, among which sessions. */
function scopeOf(deps: HandlerDeps, subject: RerootSubject): Result<RerootInput> {
  const { library } = deps
  const inAll = (scope: RerootScope) => ok({ scope, sessions: allTargets(deps), roots: library.roots() })
  if (subject.kind === 'prefix') return inAll(subject)
  if (subject.kind === 'project') {
    const cwd = library.catalog.projectCwd(subject.project)
    return cwd === undefined
      ? err('not-found', 'That project is not in the library any more.')
      : inAll({ kind: 'project', cwd })
  }
  const targets = targetsOf(deps, subject.sessions)
  if (!targets.ok) return targets
  const journals = targets.value.map(({ journal }) => journal)
  const all = allTargets(deps)
  const listed = new Set(all.map(({ ref }) => ref))
  const sessions = [...all, ...targets.value.filter(({ ref }) => !listed.has(ref))]
  return ok({ scope: { kind: 'sessions', journals }, sessions, roots: rootsOf(deps, subject.sessions) })
}
