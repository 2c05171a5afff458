/**
 * Which session a terminal goes on with. Looks only. Rule: docs/format.md, Finding a session and Terminal breadcrumbs.
 */
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import { breadcrumbFor, type RecentBreadcrumb } from '../breadcrumbs/recent-breadcrumb'
import type { Environment } from '../environment'
import { isPathInside } from '../layout/path-inside'
import { sessionDirectoryFor } from '../layout/session-directory'
import type { ManagerSettings } from './manager-settings'
import { listSessionHeads, type SessionHead } from './session-heads'

export type RecentChoice =
  | { kind: 'new' }
  | { kind: 'open'; file: string }
  /** The project moved here, and its session is to follow. */
  | { kind: 'move'; file: string }

export type RecentQuestion = {
  /** Absolute. */
  cwd: string
  /** Where the sessions of `cwd` are. */
  directory: string
  /** `directory` was asked for, so that sessions elsewhere do not count. */
  onlyThere: boolean
  breadcrumb: RecentBreadcrumb
}

/** What the terminal of these settings goes on with in `cwd`; `directory` when only sessions in there count. */
export function chooseRecent(
  env: Environment,
  { layout, terminalId = null }: Pick<ManagerSettings, 'layout' | 'terminalId'>,
  { cwd, directory }: { cwd: string; directory?: string },
): Result<RecentChoice> {
  const breadcrumb: RecentBreadcrumb =
    terminalId === null ? { kind: 'none' } : breadcrumbFor(env, layout.breadcrumbsDir, terminalId, cwd)
  const there = directory ?? sessionDirectoryFor(env, layout, cwd)
  return recentChoice(env, { cwd, directory: there, onlyThere: directory !== undefined, breadcrumb })
}

/** What to go on with in `cwd`, given what the terminal remembers. */
export function recentChoice(env: Environment, question: RecentQuestion): Result<RecentChoice> {
  const { breadcrumb, directory, onlyThere } = question
  const counts = (file: string) => !onlyThere || isPathInside(directory, file)
  if (breadcrumb.kind === 'fresh' && counts(breadcrumb.session)) return ok({ kind: 'new' })
  if (breadcrumb.kind === 'session' && breadcrumb.sameCwd && counts(breadcrumb.file))
    return ok({ kind: 'open', file: breadcrumb.file })
  const heads = listSessionHeads(env, directory)
  if (!heads.ok) return heads
  if (breadcrumb.kind === 'session' && !breadcrumb.sameCwd)
    return ok(afterMove(question.cwd, breadcrumb, heads.value))
  return ok(newestOf(heads.value))
}

/** The terminal was in another folder last. Only one that is gone, and is this one under another name, has moved. */
function afterMove(
  cwd: string,
  breadcrumb: Extract<RecentBreadcrumb, { kind: 'session' }>,
  heads: readonly SessionHead[],
): RecentChoice {
  if (breadcrumb.recordedCwdExists) return newestOf(heads)
  const own = path.resolve(breadcrumb.file)
  const isOwn = (head: SessionHead) => path.resolve(head.file) === own
  const newest = heads[0]
  if (newest !== undefined && !isOwn(newest)) return newestOf(heads)
  const rival = heads.find(
    head => !isOwn(head) && head.cwd !== null && path.resolve(head.cwd) === path.resolve(cwd),
  )
  if (rival !== undefined) return { kind: 'open', file: rival.file }
  return breadcrumb.sameFolder === true ? { kind: 'move', file: breadcrumb.file } : newestOf(heads)
}

function newestOf(heads: readonly SessionHead[]): RecentChoice {
  const newest = heads[0]
  return newest === undefined ? { kind: 'new' } : { kind: 'open', file: newest.file }
}
