/** Jobs of everyday changes: title, labels, stars, the branch that goes on, forks. */
import type { ChangeReport } from '@shared/ipc/models/change-models'
import type { EditReport, ForkPreview } from '@shared/ipc/models/manage-models'
import { ok, type Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../engine/environment'
import type { ForkRequest } from '../engine/session/many-file-operations'
import { SessionDocument } from '../engine/session/session-document'
import { journalStorage } from '../engine/storage/open-journal'
import { rememberMade } from '../library/changes/remember-made'
import { continueBranch } from '../library/edits/continue-branch'
import { type EditSession, editSession } from '../library/edits/edit-session'
import { labelEntry } from '../library/edits/label-entry'
import { renameSession } from '../library/edits/rename-session'
import { type StarTarget, starSessions } from '../library/edits/star-sessions'
import { lookAtFork } from '../library/fork/fork-look'
import { folderNotes, forkDirectory } from '../library/fork/fork-place'
import type { LibraryRoot } from '../library/roots'
import { forkRoots, sessionOperations } from '../library/session-operations'
import type { WorkerChanges } from './worker-changes'

type Roots = { roots: LibraryRoot[] }
type OneEdit = Roots & { session: EditSession; includeMaybe: boolean }
/** `leafId`: of the entry at which the path ends; null: everything. `only`: `--agent-dir`. */
type Fork = Roots & {
  session: EditSession
  leafId: string | null
  withArtifacts: boolean
  only: string | null
}

/** A fork that was made. */
export type MadeFork = { report: ChangeReport; file: string; cwd: string }

export function createEditJobs({ context, lookAt }: WorkerChanges) {
  const { env } = context
  return {
    renameSession: (input: OneEdit & { title: string }, work: WorkContext): Promise<Result<EditReport>> => {
      lookAt(input.roots)
      const rename = (edit: Parameters<typeof renameSession>[0]) => renameSession(edit, input.title, 'user')
      return editSession(context, input.session, input.includeMaybe, rename, work)
    },

    labelEntry: (
      input: OneEdit & { entryId: string; label: string | null },
      work: WorkContext,
    ): Promise<Result<EditReport>> => {
      lookAt(input.roots)
      const label = (edit: Parameters<typeof labelEntry>[0]) => labelEntry(edit, input.entryId, input.label)
      return editSession(context, input.session, input.includeMaybe, label, work)
    },

    continueBranch: (
      input: OneEdit & { entryId: string },
      work: WorkContext,
    ): Promise<Result<EditReport>> => {
      lookAt(input.roots)
      const mark = (edit: Parameters<typeof continueBranch>[0]) => continueBranch(edit, input.entryId)
      return editSession(context, input.session, input.includeMaybe, mark, work)
    },

    starSessions: (
      input: Roots & { targets: StarTarget[]; starred: boolean },
      work: WorkContext,
    ): Promise<Result<ChangeReport>> => {
      const lists = input.roots.filter(root => !root.readOnly).map(({ layout }) => layout.pinsFile)
      return starSessions(context, input.targets, input.starred, [...new Set(lists)], work)
    },

    forkPreview: async (input: Fork, work: WorkContext): Promise<Result<ForkPreview>> => {
      lookAt(input.roots)
      const request = forkRequest(env, input)
      if (!request.ok) return request
      const { source, cwd } = request.value
      const look = await lookAtFork(env, request.value, forkRoots(env, request.value, input.only), work)
      if (!look.ok) return look
      const check = await context.deps.inUse(work)
      const use = check.check(source, cwd)
      const written =
        input.leafId === null
          ? 'Should it be written to in that very moment, no fork is made; one from an entry is.'
          : 'The fork holds the path as it is now.'
      const inUse = use.state === 'in-use' ? [`${use.text} ${written}`] : []
      return ok({ ...look.value, notes: [...folderNotes(env, cwd), ...inUse] })
    },

    forkSession: async (input: Fork, work: WorkContext): Promise<Result<MadeFork>> => {
      lookAt(input.roots)
      const request = forkRequest(env, input)
      if (!request.ok) return request
      const { cwd } = request.value
      const forked = await sessionOperations(context, input.only).fork(request.value, work)
      if (!forked.ok) return forked
      const { file, artifactFiles, bytes, changeId, notes } = forked.value
      const report = { changeId, done: 1, asked: 1, files: 1 + artifactFiles, bytes, staying: [] }
      const more = [...folderNotes(env, cwd), ...rememberMade(context, [file])]
      return ok({ report: { ...report, notes: [...notes, ...more] }, file, cwd })
    },
  }
}

/** The fork stays in the folder that the session names, whether it is there or not. */
function forkRequest(env: Environment, input: Fork): Result<ForkRequest> {
  const { session, leafId, withArtifacts } = input
  const { journal, layout } = session
  const document = SessionDocument.open(journalStorage(env, journal), env.now)
  if (!document.ok) return document
  const cwd = document.value.header?.cwd ?? env.home
  const directory = forkDirectory(env, journal, layout, cwd)
  if (!directory.ok) return directory
  return ok({ source: journal, cwd, directory: directory.value, withArtifacts, leafId })
}
