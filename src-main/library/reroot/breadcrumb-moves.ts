/**
 * Breadcrumbs that name a moved session: they are led to its new place, so that omp's `--continue` in that terminal
 * finds it there. A session whose breadcrumb belongs to a running omp is in use and never gets here.
 */
import path from 'node:path'
import { isJsonObject } from '@shared/session/json'
import type { Breadcrumb } from '../../engine/breadcrumbs/breadcrumb'
import { parseBreadcrumb, serialiseBreadcrumb } from '../../engine/breadcrumbs/breadcrumb'
import {
  type BreadcrumbFile,
  listBreadcrumbs,
  writeBreadcrumb,
} from '../../engine/breadcrumbs/breadcrumb-files'
import type { Environment } from '../../engine/environment'
import { isTemporaryName } from '../../engine/storage/atomic-replace'
import { attempt } from '../../engine/storage/errors'
import { stringOr } from '../changes/json-guards'
import { isSameFolder, mapFolder, relativeBelow } from '../projects/folder-paths'
import { folderIdentity } from '../projects/project-memory'
import type { Relocation } from './relocation'
import { relocationPaths } from './relocation'

/** One breadcrumb as it was, and as Grove wrote it; the texts of the files. */
export type BreadcrumbChange = { path: string; before: string; after: string }

/** Breadcrumbs in `directories` that name one of the sessions of `moves`. */
export function breadcrumbsNaming(
  env: Environment,
  directories: readonly string[],
  moves: readonly Relocation[],
): { file: BreadcrumbFile; move: Relocation }[] {
  const byJournal = new Map<string, Relocation>()
  const byArtifacts = new Map<string, Relocation>()
  for (const move of moves) {
    byJournal.set(canonicalFile(env, move.from), move)
    const { artifactsFrom } = relocationPaths(move)
    if (artifactsFrom !== null) byArtifacts.set(canonicalFile(env, artifactsFrom), move)
  }
  return [...new Set(directories)].flatMap(directory => {
    const files = listBreadcrumbs(env.fs, directory)
    return (files.ok ? files.value : []).flatMap(file => {
      const session = canonicalFile(env, file.breadcrumb.session)
      const move = byJournal.get(session) ?? moveAbove(byArtifacts, session)
      return move === undefined ? [] : [{ file, move }]
    })
  })
}

function moveAbove(byArtifacts: ReadonlyMap<string, Relocation>, session: string): Relocation | undefined {
  for (let at = path.dirname(session); path.dirname(at) !== at; at = path.dirname(at)) {
    const move = byArtifacts.get(at)
    if (move !== undefined) return move
  }
  return undefined
}

/**
 * Leads the breadcrumbs to the new places; answers what was changed, and what could not be. One that is still as an
 * earlier change in `earlier` left it gets back what it held before that.
 */
export function moveBreadcrumbs(
  env: Environment,
  found: readonly { file: BreadcrumbFile; move: Relocation }[],
  mapCwd: (cwd: string, move: Relocation) => string,
  earlier: readonly BreadcrumbChange[],
): { changes: BreadcrumbChange[]; notes: string[] } {
  const changes: BreadcrumbChange[] = []
  const notes: string[] = []
  for (const { file, move } of found) {
    const before = serialiseBreadcrumb(file.breadcrumb)
    const ours = earlier.find(change => change.path === file.path && change.after === before)
    const restored = ours === undefined ? null : parseBreadcrumb(ours.before)
    const after = restored ?? movedBreadcrumb(env, file.breadcrumb, move, mapCwd)
    const written = writeBreadcrumb(env, file.path, after, file.identity)
    if (written.ok) changes.push({ path: file.path, before, after: serialiseBreadcrumb(after) })
    else notes.push(`The breadcrumb of terminal ${file.terminalId} stays: ${written.error.message}`)
  }
  return { changes, notes }
}

function movedBreadcrumb(
  env: Environment,
  breadcrumb: Breadcrumb,
  move: Relocation,
  mapCwd: (cwd: string, move: Relocation) => string,
): Breadcrumb {
  const cwd = mapCwd(breadcrumb.cwd, move)
  return {
    ...breadcrumb,
    cwd,
    session: movedSession(breadcrumb.session, move),
    // Of the new folder, so that omp recognises it when it is moved again; of no folder when it is not there.
    cwdStat: cwd === breadcrumb.cwd ? breadcrumb.cwdStat : (folderIdentity(env, cwd) ?? null),
  }
}

/** A folder as a moved session's breadcrumb names it: mapped when it is its old folder or one the move maps. */
export function mappedCwd(
  prefix: { from: string; to: string } | null,
  cwd: string,
  move: Relocation,
): string {
  // A session that named no folder before goes back to naming none; its breadcrumb must name one.
  if (move.newCwd !== '' && move.oldCwd !== null && isSameFolder(move.oldCwd, cwd)) return move.newCwd
  return (prefix === null ? undefined : mapFolder(prefix.from, prefix.to, cwd)) ?? cwd
}

function movedSession(session: string, move: Relocation): string {
  const { artifactsFrom, artifactsTo } = relocationPaths(move)
  if (artifactsFrom === null || artifactsTo === null) return move.to
  const below = relativeBelow(artifactsFrom, session)
  return below === undefined ? move.to : path.join(artifactsTo, below)
}

/** The same text for the same file, however the folder it lies in is spelled. The file itself need not exist. */
function canonicalFile(env: Environment, file: string): string {
  const directory = path.dirname(file)
  const real = attempt('look at', directory, () => env.fs.realPath(directory))
  return path.join(real.ok ? real.value : directory, path.basename(file))
}

export function parseBreadcrumbChanges(value: unknown): BreadcrumbChange[] {
  if (!Array.isArray(value)) return []
  return value.flatMap(item => {
    if (!isJsonObject(item)) return []
    const file = stringOr(item.path, null)
    const before = stringOr(item.before, null)
    const after = stringOr(item.after, null)
    return file === null || before === null || after === null ? [] : [{ path: file, before, after }]
  })
}

/** A temporary file here is this old before it is taken for one that a killed process left. */
const LEFTOVER_MS = 30_000

/** Takes away what a killed Grove left beside breadcrumbs; omp itself makes no temporary files there. Best effort. */
export function sweepBreadcrumbLeftovers(env: Environment, directories: readonly string[]): void {
  for (const directory of directories) {
    const entries = attempt('read', directory, () => env.fs.readDirectory(directory))
    for (const { name, kind } of entries.ok ? entries.value : []) {
      if (kind !== 'file' || !isTemporaryName(name)) continue
      const file = path.join(directory, name)
      attempt('remove', file, () => {
        if (env.now() - env.fs.lstat(file).mtimeMs >= LEFTOVER_MS) env.fs.unlink(file)
      })
    }
  }
}
