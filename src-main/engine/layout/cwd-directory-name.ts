/**
 * The directory below the sessions root in which omp keeps the sessions of a working directory.
 * Pure, and unlike omp's own resolver it creates and migrates nothing. Rule: docs/format.md, Directory names.
 *
 * The encoding is lossy (`~/a/b` and `~/a-b` share a name): it says where omp will look, never which project
 * a session belongs to. That is the header's `cwd`.
 */
import path from 'node:path'

export type DirectoryNameInput = {
  /** Absolute, symbolic links resolved (or as given when that fails). */
  canonicalCwd: string
  canonicalHome: string
  canonicalTemp: string
}

/** Directory name for a working directory; never contains a path separator. */
export function cwdDirectoryName({ canonicalCwd, canonicalHome, canonicalTemp }: DirectoryNameInput): string {
  const p = isWindowsPath(canonicalCwd) ? path.win32 : path.posix
  const inHome = relativeInside(p, canonicalHome, canonicalCwd)
  if (inHome !== undefined) return inHome === '' ? '-' : `-${encode(inHome)}`
  const inTemp = relativeInside(p, canonicalTemp, canonicalCwd)
  if (inTemp !== undefined) return inTemp === '' ? '-tmp' : `-tmp-${encode(inTemp)}`
  return `--${encode(canonicalCwd.replace(/^[/\\]/, ''))}--`
}

/** `C:\x` or `\\server\share`: a path of the other system, told by its looks. */
export function isWindowsPath(value: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(value) || value.startsWith('\\\\')
}

function encode(value: string): string {
  return value.replace(/[/\\:]/g, '-')
}

/** Relative path when `inner` is `base` or below it; a first component that merely starts with `..` is outside, as in omp. */
function relativeInside(p: path.PlatformPath, base: string, inner: string): string | undefined {
  const relative = p.relative(base, inner)
  if (relative === '') return ''
  return relative.startsWith('..') || p.isAbsolute(relative) ? undefined : relative
}
