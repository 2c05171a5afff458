/**
 * A file that the user names, as a session: which root it belongs to, and whether it is a session at all. Looks only.
 * Rule for files outside every root: `rootAround` in session-home.ts.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../engine/environment'
import { archivedSessionsDir } from '../engine/layout/agent-directories'
import { ARCHIVE_SUFFIX, isArchive, JOURNAL_SUFFIX } from '../engine/layout/session-paths'
import { attempt } from '../engine/storage/errors'
import type { FileStat } from '../engine/storage/file-system'
import type { Catalog } from './catalog/catalog'
import type { SessionSummary } from './catalog/session-summary'
import { liesIn, rootHolding } from './real-place'
import type { LibraryRoot } from './roots'
import { isOnlyRead, rootAround } from './session-home'

/** A place that may hold a session. `real`: links resolved. */
export type NamedFile = { file: string; real: string; root: LibraryRoot }

/** Where a file belongs. What cannot be a session by its kind or name is refused with the reason. */
export function locateFile(env: Environment, roots: readonly LibraryRoot[], file: string): Result<NamedFile> {
  if (!path.isAbsolute(file)) return err('invalid-argument', `${file} is no absolute path.`)
  const stat = attempt('open', file, () => env.fs.stat(file))
  if (!stat.ok) return stat
  const problem = kindProblem(file, stat.value.kind)
  if (problem !== null) return err('invalid-argument', problem, file)
  const real = attempt('open', file, () => env.fs.realPath(file))
  if (!real.ok) return real
  const root = rootHolding(env, roots, file) ?? rootOutside(env, file)
  const readOnly = root.readOnly || isOnlyRead(env, file)
  return ok({ file: path.normalize(file), real: real.value, root: { ...root, readOnly } })
}

function kindProblem(file: string, kind: FileStat['kind']): string | null {
  if (kind === 'directory')
    return `${file} is a folder. Open one session file, or drop the folder on a project whose folder is gone to re-root it.`
  if (kind !== 'file') return `${file} is no regular file and is not opened.`
  return file.endsWith(JOURNAL_SUFFIX) || isArchive(file)
    ? null
    : `${file} is not opened: the name of a session file ends in ${JOURNAL_SUFFIX}, of an archived one in ${ARCHIVE_SUFFIX}.`
}

/** The root of a file in none that is shown: the one around it, else the user's own with the blobs beside the file. */
function rootOutside(env: Environment, file: string): LibraryRoot {
  const around = rootAround(env, file, null)
  const { layout } = around
  if ([layout.sessionsDir, archivedSessionsDir(layout)].some(place => liesIn(env, place, file))) return around
  const root = { id: layout.agentDir, name: path.basename(layout.agentDir), kind: 'added' } as const
  const blobsDir = path.join(path.dirname(file), 'blobs')
  const beside = attempt('look at', blobsDir, () => env.fs.stat(blobsDir))
  const hasBlobs = beside.ok && beside.value.kind === 'directory'
  return { ...root, readOnly: false, layout: hasBlobs ? { ...layout, blobsDir } : layout }
}

/** The folder of a session that no root has, nor the session that it belongs to; null for those of the library. */
export function folderOutside(
  env: Environment,
  roots: readonly LibraryRoot[],
  catalog: Pick<Catalog, 'listedAt' | 'family'>,
  file: string,
): string | null {
  // Files that omp's registry names are listed, and lie anywhere.
  const listed = catalog.listedAt(file, file) ?? catalog.family().ownerOf(file)
  return listed === undefined && rootHolding(env, roots, file) === undefined ? path.dirname(file) : null
}

/** Why what was read of a file is no session; null when it is one, damaged or not. */
export function sessionProblem(summary: SessionSummary): string | null {
  if (summary.stub !== null) return `${summary.file} is no session. ${summary.stub}`
  // Lines that parse are not enough: any JSON Lines file has those.
  const isSession = summary.version !== null || summary.messageCount > 0
  return isSession ? null : `${summary.file} is no session: it has neither a header nor a message.`
}
