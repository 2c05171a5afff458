/**
 * The name of the directory below `sessions` that holds a project's files (format.md 1.2).
 * Pure: home and the temporary directory are arguments, never taken from the environment.
 */
import path from 'node:path'

const encode = text => text.replace(/[/\\:]/g, '-')

/** Relative path when `to` is `from` or lies below it by omp's test, else null. */
function below(from, to, paths) {
  const relative = paths.relative(from, to)
  if (relative === '') return ''
  return relative.startsWith('..') || paths.isAbsolute(relative) ? null : relative
}

/** @param cwd canonical absolute path  @param places `{ home, tmp, windows }` canonical absolute paths */
export function directoryName(cwd, { home, tmp = '/tmp', windows = /^[A-Za-z]:[\\/]/.test(cwd) }) {
  const paths = windows ? path.win32 : path.posix
  const inHome = below(home, cwd, paths)
  if (inHome !== null) return `-${encode(inHome)}`
  const inTmp = below(tmp, cwd, paths)
  if (inTmp !== null) return inTmp === '' ? '-tmp' : `-tmp-${encode(inTmp)}`
  return `--${encode(cwd.replace(/^[/\\]/, ''))}--`
}
