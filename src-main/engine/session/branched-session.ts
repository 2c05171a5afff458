/**
 * BRANCHED SESSION: one path of a session as a session of its own. Rule: docs/format.md, Branched session.
 *
 * Guarantees
 *   The new journal is there whole, with its name, or not at all; nothing is overwritten. The source is only read.
 *   What others append to the source meanwhile changes nothing: the path is one that was read before.
 *   A kill leaves at most a temporary file that no reader takes for a session.
 *
 * Not done here: artifacts are not copied, as in omp; no breadcrumb is written.
 *
 * Failures
 *   no header where it belongs `damaged`; a version above 3 `unsupported-version`; no such entry `not-found`; the source
 *   replaced since it was read `changed-on-disk`; the new name taken `conflict`; else what the system says
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { type Environment, silentWork, type WorkContext } from '../environment'
import { sessionFileName } from '../layout/session-paths'
import { publishNew } from '../storage/atomic-replace'
import type { ByteSource } from '../storage/byte-source'
import { ensureDirectory, removeMadeDirectories } from '../storage/directory-sync'
import { attempt, EngineError } from '../storage/errors'
import type { StorageStat } from '../storage/session-storage'
import { branchedJournal, planBranchedJournal } from './branched-journal'
import { freshEntryId } from './fresh-entry-id'
import { copiableHeader } from './journal-copy'
import type { SessionDocument } from './session-document'
import { newHeaderLine, slotLineFor } from './session-head'

export type BranchRequest = {
  /** As of now: refreshed by the caller. */
  document: SessionDocument
  /** Id of the entry at which the path ends. */
  leafId: string
  /** Of the new journal, absolute; made when it is missing. */
  directory: string
  /** Absolute. */
  cwd: string
}

/** Makes the branched session; answers its journal's absolute path and its id. */
export async function createBranchedJournal(
  env: Environment,
  request: BranchRequest,
  work: WorkContext = silentWork,
): Promise<Result<{ file: string; id: string }>> {
  const { document, leafId, directory } = request
  const leaf = document.index.ordinalOf(leafId)
  if (leaf === undefined) return err('not-found', `${document.path} holds no entry ${leafId}.`, document.path)
  const opened = document.storage.open()
  if (!opened.ok) return opened
  const { source, stat } = opened.value
  try {
    if (stat.fileId !== document.fileId || stat.size < document.bytes) return changed(document)
    const id = env.sessionId()
    const timestamp = new Date(env.now()).toISOString()
    const chunks = attempt('read', document.path, () =>
      pathJournal(env, request, opened.value, leaf, id, timestamp),
    )
    if (!chunks.ok) return chunks
    const made = attempt('make the folder', directory, () => ensureDirectory(env, directory))
    if (!made.ok) return made
    const file = path.join(directory, sessionFileName(timestamp, id))
    const published = await publishNew(env, file, checked(document, chunks.value), {}, work)
    if (published.ok) return ok({ file, id })
    removeMadeDirectories(env.fs, made.value)
    return published
  } finally {
    source.close()
  }
}

/**
 * The chunks of the journal of the path to the entry `leaf`, as long as they are asked for. Throws at once as `copiableHeader`
 * does, and `changed-on-disk` when an entry is not what was read of it. `timestamp` is the time of its creation.
 */
export function pathJournal(
  env: Environment,
  { document, cwd }: Pick<BranchRequest, 'document' | 'cwd'>,
  { source, stat }: { source: ByteSource; stat: StorageStat },
  leaf: number,
  id: string,
  timestamp: string,
): Generator<Uint8Array> {
  const { additionalDirectories } = copiableHeader(document, source)
  const { title, source: titleSource } = document.title
  const directories = additionalDirectories.filter(directory => directory !== cwd)
  const header = newHeaderLine({
    id,
    timestamp,
    cwd,
    more: {
      title: title ?? undefined,
      titleSource: titleSource ?? undefined,
      parentSession: document.path,
      additionalDirectories: directories.length > 0 ? directories : undefined,
    },
  })
  const plan = planBranchedJournal(document, leaf, isTaken => freshEntryId(env, isTaken))
  const slot = slotLineFor(document.title, timestamp)
  const isAsRead = stat.size === document.bytes && stat.modified === document.modified
  return branchedJournal(document, source, plan, { slot, header }, timestamp, isAsRead)
}

/** All chunks, and then a last look at the source: another file in its place makes them worth nothing. */
function* checked(document: SessionDocument, chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield* chunks
  const stat = document.storage.stat()
  if (!stat.ok) throw new EngineError(stat.error.code, stat.error.message, stat.error.path)
  if (stat.value.fileId === document.fileId && stat.value.size >= document.bytes) return
  const { error } = changed(document)
  throw new EngineError(error.code, error.message, error.path)
}

function changed(document: SessionDocument) {
  const text = `${document.path} was replaced since it was read; nothing was made of it. Try again.`
  return err('changed-on-disk', text, document.path)
}
