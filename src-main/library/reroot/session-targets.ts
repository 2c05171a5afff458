/** Sessions as changes name them, read from the heads of their files: what the command line has instead of a catalog. */
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { foldTitle } from '@shared/session/header'
import type { Environment, WorkContext } from '../../engine/environment'
import { parseSessionFileName } from '../../engine/layout/session-paths'
import { attempt, attemptAsync } from '../../engine/storage/errors'
import { listSessionFiles } from '../catalog/session-files'
import { summarizeSession } from '../catalog/session-summary'
import type { ChangeTarget } from '../changes/change-target'
import type { LibraryRoot } from '../roots'
import { readHead } from './journal-bytes'

/** The session at `journal`, whatever can be read of it. */
export function sessionTarget(env: Environment, root: LibraryRoot, journal: string): ChangeTarget {
  const read = attempt('read', journal, () =>
    env.fs.stat(journal).kind === 'file' ? readHead(env.fs, journal) : null,
  )
  const header = read.ok ? (read.value?.header?.fields ?? null) : null
  const slot = read.ok ? (read.value?.slot ?? null) : null
  // A header elsewhere in the file names a folder too: the session is asked about, and stays with the reason.
  const late = read.ok && read.value !== null && header === null ? summarizeSession(env, journal) : null
  return {
    ref: null,
    journal,
    sessionsDir: root.layout.sessionsDir,
    agentDir: root.layout.agentDir,
    cwd: header?.cwd ?? late?.cwd ?? null,
    id: header?.id ?? late?.id ?? parseSessionFileName(path.basename(journal)).id,
    title: foldTitle(slot, header).title ?? path.basename(journal),
    readOnly: root.readOnly,
  }
}

/** Every top-level session of the roots; roots that cannot be read are told in `notes`. */
export function allSessionTargets(
  env: Environment,
  roots: readonly LibraryRoot[],
  work: WorkContext,
): Promise<Result<{ sessions: ChangeTarget[]; notes: string[] }>> {
  return attemptAsync('read the sessions', undefined, async () => {
    const sessions: ChangeTarget[] = []
    const notes: string[] = []
    for (const root of roots) {
      const list = listSessionFiles(env, root)
      if (!list.ok) {
        notes.push(list.error.message)
        continue
      }
      notes.push(...list.value.notes)
      for (const { file } of list.value.files) {
        await work.breathe()
        sessions.push(sessionTarget(env, root, file))
      }
    }
    return { sessions, notes }
  })
}
