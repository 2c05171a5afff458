/**
 * RE-ROOT PLAN: exactly what a re-root would change, decided by looking only. Plain JSON; it holds the identity of
 * every journal in it, so that what changes between plan and apply stays where it is.
 */
import type { RerootPlan, StayingSession } from '@shared/ipc/models/change-models'
import { err, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../../engine/environment'
import type { InUseCheck, InUseState } from '../../engine/in-use/in-use'
import { attemptAsync, EngineError } from '../../engine/storage/errors'
import type { ChangeContext } from '../changes/change-handlers'
import type { ChangeTarget } from '../changes/change-target'
import { staying } from '../changes/staying'
import { isFullPath, isSameFolder, normalFolder, relativeBelow } from '../projects/folder-paths'
import { projectState } from '../projects/project-state'
import type { LibraryRoot } from '../roots'
import { breadcrumbsNaming } from './breadcrumb-moves'
import { type DirectoryNames, planMove, targetOf } from './plan-move'
import type { Relocation } from './relocation'
import { countFolders, fromOf, newCwdOf, type RerootScope, sessionsOf } from './subject'

export type PlannedMove = {
  move: Relocation
  ref: string | null
  hasArtifacts: boolean
  /** Why it may be in use, or null. Such a session moves only when the user said so. */
  maybe: string | null
}

export type RerootPlanData = {
  version: 1
  /** Becomes the id of the change. */
  planId: string
  from: string | null
  to: string
  /** Set when everything below one folder moves with it. */
  prefix: { from: string; to: string } | null
  /** The sessions root they go to, when it is another. */
  root: string | null
  asked: number
  projects: number
  moves: PlannedMove[]
  staying: StayingSession[]
  breadcrumbDirs: string[]
  breadcrumbs: number
  notes: string[]
}

/** Plans to re-root the sessions of `scope` to the folder `to`. Writes nothing. */
export function planReroot(
  context: ChangeContext,
  scope: RerootScope,
  to: string,
  sessions: readonly ChangeTarget[],
  roots: readonly LibraryRoot[],
  work: WorkContext,
): Promise<Result<RerootPlanData>> {
  return attemptAsync('plan the re-root', undefined, async () => {
    const { env } = context
    const chosen = sessionsOf(scope, sessions)
    const from = fromOf(scope, chosen)
    const target = targetFolder(env, to)
    if (!target.ok) throw new EngineError(target.error.code, target.error.message, target.error.path)
    if (from !== null && isSameFolder(from, target.value))
      throw new EngineError(
        'invalid-argument',
        `${target.value} is the folder that these sessions name already.`,
      )
    const asked = chosen.filter(session => !isThereAlready(scope, target.value, session))
    if (asked.length === 0)
      throw new EngineError('not-found', nothingText(scope, chosen.length, target.value))
    const plan: RerootPlanData = {
      version: 1,
      planId: env.uuid(),
      from,
      to: target.value,
      prefix: scope.kind === 'prefix' ? { from: normalFolder(scope.prefix), to: target.value } : null,
      root: null,
      asked: asked.length,
      projects: countFolders(asked),
      moves: [],
      staying: [],
      breadcrumbDirs: [
        ...new Set(roots.filter(root => !root.readOnly).map(root => root.layout.breadcrumbsDir)),
      ],
      breadcrumbs: 0,
      notes: [],
    }
    await planSessions(context, plan, asked, scope, work)
    const moves = plan.moves.map(({ move }) => move)
    plan.breadcrumbs = breadcrumbsNaming(env, plan.breadcrumbDirs, moves).length
    plan.notes.push(...folderNotes(env, moves))
    return plan
  })
}

async function planSessions(
  context: ChangeContext,
  plan: RerootPlanData,
  asked: readonly ChangeTarget[],
  scope: RerootScope,
  work: WorkContext,
): Promise<void> {
  const inUse = await context.deps.inUse(work)
  const unknown = new Set<string>()
  const names: DirectoryNames = new Map()
  // Two sessions of different folders may have one file name: the second would meet the first.
  const taken = new Set<string>()
  for (const [done, session] of asked.entries()) {
    await work.breathe()
    work.progress(done, asked.length, session.title)
    const newCwd = newCwdOf(scope, plan.to, session.cwd)
    const to = targetOf(context.env, session, newCwd)
    const planned = await planMove(context.env, plan, session, { newCwd, to, blobs: null }, names, work)
    const free = 'reason' in planned ? planned : withUse(planned, session, inUse, unknown)
    if ('reason' in free) plan.staying.push(free)
    else if (taken.has(to))
      plan.staying.push(staying(session, 'clash', `Another of these sessions becomes ${to}.`))
    else {
      taken.add(to)
      plan.moves.push(free)
    }
  }
  plan.notes.push(...unknown)
}

/** The move with what is known of the session's use, or why that keeps it. What is not known is added to `unknown`. */
export function withUse(
  planned: Omit<PlannedMove, 'maybe'>,
  session: ChangeTarget,
  inUse: InUseCheck,
  unknown: Set<string>,
): PlannedMove | StayingSession {
  const use = moveUse(inUse, session.journal, session.cwd, planned.move.newCwd)
  if (use.state === 'in-use') return staying(session, 'in-use', use.text)
  if (use.state === 'unknown') unknown.add(use.text)
  return { ...planned, maybe: use.state === 'maybe' ? use.text : null }
}

/** Who has a session, or may have it, that goes from one folder to another. */
export function moveUse(inUse: InUseCheck, journal: string, from: string | null, to: string): InUseState {
  const here = inUse.check(journal, from)
  // An omp that was running when its folder was renamed runs in the new place by now.
  return here.state === 'free' ? inUse.check(journal, to) : here
}

/** The folder to move to: it must be there. */
export function targetFolder(env: Environment, to: string): Result<string> {
  if (!isFullPath(to)) return err('invalid-argument', `"${to}" is not the full path of a folder.`, to)
  const folder = normalFolder(to)
  const { state, reason } = projectState(env, folder)
  if (state === 'present') return { ok: true, value: folder }
  const code = state === 'missing' ? 'not-found' : state === 'unreachable' ? 'io' : 'invalid-argument'
  return err(code, `Sessions can only be re-rooted to a folder that is there: ${reason ?? folder}`, folder)
}

/** A folder moved into itself (`~/code` is now `~/code/old`): what is in the new place already stays. */
function isThereAlready(scope: RerootScope, to: string, { cwd }: ChangeTarget): boolean {
  if (cwd === null) return false
  if (scope.kind !== 'prefix') return isSameFolder(cwd, to)
  return relativeBelow(scope.prefix, to) !== undefined && relativeBelow(to, cwd) !== undefined
}

function nothingText(scope: RerootScope, found: number, to: string): string {
  if (found > 0) return `These sessions name ${to} already.`
  if (scope.kind === 'prefix') return `No session names a folder at or below ${scope.prefix}.`
  if (scope.kind === 'project') return `No session names the folder ${scope.cwd ?? 'unknown'}.`
  return 'None of these sessions is in the library.'
}

/** Folders below a prefix that the new place does not have: mapped all the same, and told. */
function folderNotes(env: Environment, moves: readonly Relocation[]): string[] {
  const absent = [...new Set(moves.map(({ newCwd }) => newCwd))].filter(
    folder => projectState(env, folder).state !== 'present',
  )
  const [first] = absent
  if (first === undefined) return []
  const more = absent.length === 1 ? '' : ` and ${absent.length - 1} more`
  const verb = absent.length === 1 ? 'is' : 'are'
  return [
    `${first}${more} ${verb} not there; their sessions will name ${absent.length === 1 ? 'it' : 'them'} all the same.`,
  ]
}

/** The plan as the window shows it. */
export function rerootPlanView(plan: RerootPlanData): RerootPlan {
  const { planId, from, to, asked, projects, moves, breadcrumbs, notes } = plan
  return {
    planId,
    from,
    to,
    sessions: moves.length,
    asked,
    projects,
    artifactDirectories: moves.filter(({ hasArtifacts }) => hasArtifacts).length,
    bytes: moves.reduce((sum, { move }) => sum + move.bytes, 0),
    breadcrumbs,
    clashes: plan.staying.filter(({ reason }) => reason === 'clash').length,
    staying: plan.staying,
    maybe: moves.flatMap(({ ref, move, maybe }) =>
      maybe === null ? [] : [{ ref, title: move.title, text: maybe }],
    ),
    notes,
  }
}
