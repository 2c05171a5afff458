/**
 * Folder paths compared by their components, never as strings: `/w/a` is not above `/w/ab`. Pure. A path keeps
 * the rules of the system it was written on, whatever system reads it.
 */
import path from 'node:path'
import { isWindowsPath } from '../../engine/layout/cwd-directory-name'

/** The path functions of the system that `folder` was written on. */
export function pathsOf(folder: string): path.PlatformPath {
  return isWindowsPath(folder) ? path.win32 : path.posix
}

/** A full path of either system; anything else names no folder. */
export function isFullPath(folder: string): boolean {
  return folder.startsWith('/') || isWindowsPath(folder)
}

/** Without `.`, `..`, doubled or trailing separators; the root keeps its one. */
export function normalFolder(folder: string): string {
  const p = pathsOf(folder)
  const normal = p.normalize(folder)
  const root = p.parse(normal).root
  return normal.length > root.length ? normal.replace(/[/\\]+$/, '') : normal
}

/** True when both name the same folder; letter case is ignored only in Windows paths. */
export function isSameFolder(a: string, b: string): boolean {
  return relativeBelow(a, b) === ''
}

/** The way from `folder` down to `inner` (`''` for itself), or undefined when `inner` is not at or below it. */
export function relativeBelow(folder: string, inner: string): string | undefined {
  if (!isFullPath(folder) || !isFullPath(inner)) return undefined
  if (isWindowsPath(folder) !== isWindowsPath(inner)) return undefined
  const p = pathsOf(folder)
  const relative = p.relative(normalFolder(folder), normalFolder(inner))
  const outside = relative === '..' || relative.startsWith(`..${p.sep}`) || p.isAbsolute(relative)
  return outside ? undefined : relative
}

/** `inner` as it is called when `from` is called `to`; undefined when `inner` is not at or below `from`. */
export function mapFolder(from: string, to: string, inner: string): string | undefined {
  const relative = relativeBelow(from, inner)
  if (relative === undefined) return undefined
  return relative === '' ? to : pathsOf(to).join(to, ...relative.split(pathsOf(from).sep))
}

/** The folders above, nearest first, ending with the root. */
export function foldersAbove(folder: string): string[] {
  const p = pathsOf(folder)
  const above: string[] = []
  let at = normalFolder(folder)
  for (let next = p.dirname(at); next !== at; next = p.dirname(at)) {
    above.push(next)
    at = next
  }
  return above
}

/** With the home folder as `~`. */
export function shortFolder(home: string, folder: string): string {
  const relative = relativeBelow(home, folder)
  if (relative === undefined) return folder
  return relative === '' ? '~' : `~${pathsOf(folder).sep}${relative}`
}
