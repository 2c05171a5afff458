/**
 * Whether a project's folder is there, and if not, what can honestly be said about it. Only looks.
 *
 * "Missing" is said only when the system says that the path does not exist and nothing explains its absence;
 * an unplugged disk or a folder that may not be entered is "unreachable": it may be there, unseen.
 */
import type { ProjectState } from '@shared/ipc/models/library-models'
import type { Environment } from '../../engine/environment'
import { isWindowsPath } from '../../engine/layout/cwd-directory-name'
import { errnoOf } from '../../engine/storage/errors'
import type { FileStat } from '../../engine/storage/file-system'
import { foldersAbove, isFullPath, normalFolder, pathsOf, relativeBelow } from './folder-paths'

export type ProjectStateAnswer = {
  state: ProjectState
  /** One sentence; null for a folder that is there. */
  reason: string | null
}

/** Folders in which systems mount removable and network volumes. */
const VOLUME_FOLDERS = ['/run/media', '/media', '/mnt', '/Volumes']

/** Symbolic links followed by hand when a path cannot be reached; a chain longer than this is a circle. */
const MAX_LINKS = 8

/** State of the folder that sessions name as their cwd. */
export function projectState(env: Environment, cwd: string | null): ProjectStateAnswer {
  if (cwd === null) return { state: 'unknown', reason: 'These sessions name no folder.' }
  if (!isFullPath(cwd) || cwd.includes('\0'))
    return { state: 'unknown', reason: `"${cwd}" is not the full path of a folder.` }
  if (isWindowsPath(cwd) !== (env.platform === 'win32')) {
    const system = isWindowsPath(cwd) ? 'Windows' : 'a Unix system'
    return { state: 'other-system', reason: `${cwd} is a path of ${system}; it cannot be looked at here.` }
  }
  const folder = normalFolder(cwd)
  const seen = look(env, folder)
  if (seen.stat?.kind === 'directory') return { state: 'present', reason: null }
  if (seen.stat !== undefined)
    return { state: 'missing', reason: `There is a file, not a folder, at ${folder}.` }
  if (seen.errno !== 'ENOENT' && seen.errno !== 'ENOTDIR')
    return { state: 'unreachable', reason: unreachableReason(folder, seen.errno) }
  const volume = absentVolume(env, folder, MAX_LINKS)
  if (volume !== undefined) return { state: 'unreachable', reason: `The volume ${volume} is not mounted.` }
  const reason =
    seen.errno === 'ENOTDIR' ? `A part of ${folder} is a file now.` : `The folder ${folder} is gone.`
  return { state: 'missing', reason }
}

function look(env: Environment, path: string): { stat?: FileStat; errno?: string } {
  try {
    return { stat: env.fs.stat(path) }
  } catch (thrown) {
    return { errno: errnoOf(thrown) ?? 'unknown error' }
  }
}

function unreachableReason(folder: string, errno: string | undefined): string {
  if (errno === 'EACCES' || errno === 'EPERM')
    return `${folder} cannot be looked at: permission denied (${errno}).`
  if (errno === 'ELOOP')
    return `${folder} cannot be looked at: its symbolic links go round in a circle (ELOOP).`
  return `${folder} cannot be looked at now (${errno}).`
}

/**
 * The volume whose absence explains why `folder` is not there, or undefined. A volume counts as mounted when any
 * folder between the volumes folder and `folder` lies on another device than the one above it, or is a link.
 */
function absentVolume(env: Environment, folder: string, linksLeft: number): string | undefined {
  if (isWindowsPath(folder)) {
    const root = pathsOf(folder).parse(folder).root
    return look(env, root).stat === undefined ? root : undefined
  }
  const base = VOLUME_FOLDERS.find(candidate => (relativeBelow(candidate, folder) ?? '') !== '')
  if (base !== undefined) {
    const chain = [folder, ...foldersAbove(folder)].filter(item => relativeBelow(base, item) !== undefined)
    const mounted = chain.some(item => isMountPoint(env, item))
    if (!mounted) return volumeName(base, folder)
  }
  return linksLeft === 0 ? undefined : absentVolumeBehindLink(env, folder, linksLeft)
}

/** A link on the way may lead to the volume: `~/work` → `/mnt/disk/work`. */
function absentVolumeBehindLink(env: Environment, folder: string, linksLeft: number): string | undefined {
  for (const item of [folder, ...foldersAbove(folder)].reverse()) {
    try {
      if (env.fs.lstat(item).kind !== 'symlink') continue
      const p = pathsOf(item)
      const target = p.resolve(p.dirname(item), env.fs.readLink(item))
      const rest = relativeBelow(item, folder) ?? ''
      const behind = absentVolume(env, normalFolder(p.join(target, rest)), linksLeft - 1)
      if (behind !== undefined) return behind
    } catch {
      return undefined
    }
  }
  return undefined
}

function isMountPoint(env: Environment, folder: string): boolean {
  try {
    if (env.fs.lstat(folder).kind === 'symlink') return true
    return env.fs.stat(folder).dev !== env.fs.stat(pathsOf(folder).dirname(folder)).dev
  } catch {
    return false
  }
}

/** `/mnt/disk`, and `/media/<user>/disk` where volumes lie below a folder per user. */
function volumeName(base: string, folder: string): string {
  const parts = (relativeBelow(base, folder) ?? '').split('/')
  const perUser = (base === '/media' || base === '/run/media') && parts.length > 2
  return `${base}/${parts.slice(0, perUser ? 2 : 1).join('/')}`
}
