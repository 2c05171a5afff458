/** What a fork would come to, told by looking only: the refusals of the real one, and its size. */
import { err, ok, type Result } from '@shared/ipc/result'
import { silentWork } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { forkedJournal } from '../../engine/session/fork-journal'
import { copiableHeader } from '../../engine/session/journal-copy'
import type { ForkRequest } from '../../engine/session/many-file-operations'
import type { SessionDocument } from '../../engine/session/session-document'
import { attempt } from '../../engine/storage/errors'
import type { ChangeContext } from '../../library/changes/change-handlers'
import { amountOf, artifactsToFork } from '../../library/fork/fork-artifacts'
import { libraryRoots } from '../../library/roots'
import { isInTrash } from '../../library/trash/trash-places'
import type { CommandIo } from '../command'
import type { SessionTarget } from '../session-target'
import { mayWrite } from '../writable'

export type ForkPreview = {
  artifactFiles: number
  /** Null when it is not known before it is made. */
  bytes: number | null
}

/** The fork of all of a session. */
export async function previewFork(
  io: CommandIo,
  { data }: ChangeContext,
  { layout }: SessionTarget,
  document: SessionDocument,
  request: ForkRequest,
): Promise<Result<ForkPreview>> {
  const { source, directory } = request
  const root = libraryRoots(io.env, [], null).find(one => one.layout.sessionsDir === layout.sessionsDir)
  if (root?.readOnly === true)
    return err('permission', `${layout.sessionsDir} is a root that Grove only reads; fork it elsewhere.`)
  for (const place of [source, directory])
    if (isInTrash(layout.sessionsDir, place))
      return err('invalid-argument', `${place} is in the trash; restore it first.`, place)
  const writable = mayWrite(io, [directory, data.operations])
  if (!writable.ok) return writable
  const journal = journalBytes(io, document, request)
  if (!journal.ok) return journal
  const artifacts = request.withArtifacts ? await artifactsOf(io, source) : ok({ files: 0, bytes: 0 })
  if (!artifacts.ok) return artifacts
  const { files, bytes } = artifacts.value
  return ok({ artifactFiles: files, bytes: journal.value + bytes })
}

/** The bytes that the new journal would have: ids are all of one length. */
function journalBytes(
  io: CommandIo,
  document: SessionDocument,
  { cwd, zeroCosts = false }: ForkRequest,
): Result<number> {
  const opened = document.storage.open()
  if (!opened.ok) return opened
  const { source } = opened.value
  const spec = {
    id: io.env.sessionId(),
    now: io.env.now(),
    cwd,
    zeroCosts,
    abortDangling: false,
    freshId: () => '',
  }
  const counted = attempt('fork', document.path, () => {
    let bytes = 0
    for (const chunk of forkedJournal(document, source, spec)) bytes += chunk.length
    return bytes
  })
  source.close()
  return counted
}

async function artifactsOf(
  io: CommandIo,
  journal: string,
): Promise<Result<{ files: number; bytes: number }>> {
  const directory = artifactDirectoryOf(journal)
  if (directory === null) return ok({ files: 0, bytes: 0 })
  const entries = await artifactsToFork(io.env, directory, silentWork)
  return entries.ok ? ok(amountOf(entries.value ?? [])) : entries
}

/** The path to an entry as a session. */
export function previewBranch(
  io: CommandIo,
  document: SessionDocument,
  directory: string,
): Result<ForkPreview> {
  const opened = document.storage.open()
  if (!opened.ok) return opened
  const { source } = opened.value
  const header = attempt('read', document.path, () => copiableHeader(document, source))
  source.close()
  if (!header.ok) return header
  const writable = mayWrite(io, [directory])
  return writable.ok ? ok({ artifactFiles: 0, bytes: null }) : writable
}
