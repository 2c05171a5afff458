/** What a terminal's breadcrumb says to one who continues in a folder. Looks only. Rule: docs/format.md, Terminal breadcrumbs. */
import path from 'node:path'
import type { Environment } from '../environment'
import { lstatOrUndefined } from '../storage/directory-sync'
import { attempt } from '../storage/errors'
import type { FileSystem } from '../storage/file-system'
import { readBreadcrumb, rootJournalOf } from './breadcrumb-files'
import { folderIdentity, isTerminalName } from './leave-breadcrumb'

export type RecentBreadcrumb =
  /** No breadcrumb, an unreadable one, or one to a session that is gone. */
  | { kind: 'none' }
  /** A session was begun here and never written: continuing begins a new one, and must not take up an older one. */
  | { kind: 'fresh'; session: string }
  | {
      kind: 'session'
      /** The journal; for a subagent's, that of the session it belongs to. */
      file: string
      /** The folder is the one that was noted, by its path. */
      sameCwd: boolean
      recordedCwd: string
      /** False only when it is certain that nothing is there. */
      recordedCwdExists: boolean
      /** The folder has the noted device and inode: it is the same one, moved or renamed. Null: none were noted. */
      sameFolder: boolean | null
    }

/**
 * The session that the terminal had last, seen from `cwd`.
 *
 * @param directory `breadcrumbsDir` of the layout
 * @param cwd absolute path of the folder in which to continue
 */
export function breadcrumbFor(
  env: Environment,
  directory: string,
  terminalId: string,
  cwd: string,
): RecentBreadcrumb {
  const { fs } = env
  if (!isTerminalName(terminalId)) return { kind: 'none' }
  const read = readBreadcrumb(fs, path.join(directory, terminalId))
  if (!read.ok) return { kind: 'none' }
  const { breadcrumb } = read.value
  const recordedCwd = path.resolve(breadcrumb.cwd)
  const session = path.resolve(recordedCwd, breadcrumb.session)
  const target = attempt('look at', session, () => fs.stat(session))
  if (!target.ok || target.value.kind !== 'file') {
    return breadcrumb.fresh ? { kind: 'fresh', session } : { kind: 'none' }
  }
  const noted = breadcrumb.cwdStat
  const here = noted === null ? null : folderIdentity(fs, cwd)
  return {
    kind: 'session',
    file: rootJournalOf(fs, session),
    sameCwd: recordedCwd === path.resolve(cwd),
    recordedCwd,
    recordedCwdExists: mayExist(fs, recordedCwd),
    sameFolder: noted === null ? null : here?.dev === noted.dev && here.ino === noted.ino,
  }
}

/** A folder behind one that may not be entered is not gone. */
function mayExist(fs: FileSystem, folder: string): boolean {
  const there = attempt('look at', folder, () => {
    const entry = lstatOrUndefined(fs, folder)
    if (entry === undefined || entry.kind !== 'symlink') return entry !== undefined
    return lstatOrUndefined(fs, fs.realPath(folder)) !== undefined
  })
  return there.ok ? there.value : there.error.code !== 'not-found'
}
