/** Leaving a terminal's breadcrumb, as omp does when it begins or opens a session. Rule: docs/format.md, Terminal breadcrumbs. */
import path from 'node:path'
import { err, type Result } from '@shared/ipc/result'
import type { Environment } from '../environment'
import { isTemporaryName } from '../storage/atomic-replace'
import { attempt } from '../storage/errors'
import type { FileSystem } from '../storage/file-system'
import { type Breadcrumb, serialiseBreadcrumb } from './breadcrumb'
import { writeStateFile } from './state-file'

/**
 * Notes that the terminal had `session` last. Written whole and synced; what was there is replaced, whoever wrote it.
 *
 * @param directory `breadcrumbsDir` of the layout; made when missing
 * @param terminalId as of `terminalIdOf`; `invalid-argument` unless it is a plain file name
 * @param what `cwd` and `session` absolute; `fresh`: the session's file is not written yet
 */
export function leaveBreadcrumb(
  env: Environment,
  directory: string,
  terminalId: string,
  what: { cwd: string; session: string; fresh: boolean },
): Result<void> {
  if (!isTerminalName(terminalId)) return err('invalid-argument', `${terminalId} is no name of a terminal.`)
  for (const place of [what.cwd, what.session]) {
    // A line feed would be read as a line of its own.
    if (!path.isAbsolute(place) || place.includes('\n'))
      return err('invalid-argument', `${place} cannot be noted in a breadcrumb.`, place)
  }
  const breadcrumb: Breadcrumb = { ...what, cwdStat: folderIdentity(env.fs, what.cwd), extra: [] }
  return writeStateFile(env, path.join(directory, terminalId), serialiseBreadcrumb(breadcrumb))
}

/** Whether a terminal's id names a file of its own in the directory of breadcrumbs. */
export function isTerminalName(terminalId: string): boolean {
  const isPlain = terminalId !== '' && !/[/\\\0\n]/.test(terminalId)
  return isPlain && terminalId !== '.' && terminalId !== '..' && !isTemporaryName(terminalId)
}

/** Device and inode of a folder as decimal text, links followed; null when it is none or cannot be asked. */
export function folderIdentity(fs: FileSystem, folder: string): { dev: string; ino: string } | null {
  const stat = attempt('look at', folder, () => fs.stat(folder))
  if (!stat.ok || stat.value.kind !== 'directory') return null
  return { dev: stat.value.dev.toString(), ino: stat.value.ino.toString() }
}
