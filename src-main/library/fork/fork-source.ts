/** What a fork is made of: the source as it was read, and the new journal's bytes, of everything or of one path. */
import { type AppError, err, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../../engine/environment'
import { pathJournal } from '../../engine/session/branched-session'
import { withoutCosts } from '../../engine/session/fork-costs'
import { forkedJournal } from '../../engine/session/fork-journal'
import { freshEntryId } from '../../engine/session/fresh-entry-id'
import type { ForkRequest } from '../../engine/session/many-file-operations'
import { SessionDocument } from '../../engine/session/session-document'
import { attempt, EngineError } from '../../engine/storage/errors'
import {
  captureIdentity,
  changedOnDisk,
  type FileIdentity,
  verifyIdentity,
} from '../../engine/storage/file-identity'
import { journalStorage } from '../../engine/storage/open-journal'

/** `now`: Unix ms at which the fork is made, of its name and its header alike. */
export type ForkSource = {
  document: SessionDocument
  real: string
  identity: FileIdentity
  mode: number
  now: number
  /** The entry at which the path ends; null for everything. */
  leaf: number | null
}

/** The source as it is now, and what it must still be at the end. A link that leads to it is followed. */
export function readForkSource(env: Environment, request: ForkRequest): Result<ForkSource> {
  const { source, leafId = null, abortDangling = false } = request
  if (leafId !== null && abortDangling)
    return err('invalid-argument', 'Waiting calls are answered in forks of everything only.')
  const real = attempt('read', source, () => {
    const target = env.fs.realPath(source)
    // A fork is there to be written to, whatever its source is.
    return { target, mode: (env.fs.stat(target).mode & 0o777) | 0o200 }
  })
  if (!real.ok) return real
  const identity = captureIdentity(env.fs, real.value.target)
  if (!identity.ok) return identity
  const document = SessionDocument.open(journalStorage(env, source), env.now)
  if (!document.ok) return document
  const leaf = leafId === null ? null : document.value.index.ordinalOf(leafId)
  if (leaf === undefined) return err('not-found', `${source} holds no entry ${leafId}.`, source)
  const { target, mode } = real.value
  return ok({
    document: document.value,
    real: target,
    identity: identity.value,
    mode,
    now: env.now(),
    leaf,
  })
}

/**
 * Lets `use` read the chunks of the fork's journal, whose id will be `id`. Throws `damaged` and `unsupported-version` for a
 * source of which none is made, and what reading throws.
 */
export async function withForkJournal<T>(
  env: Environment,
  { cwd, zeroCosts = false, abortDangling = false }: ForkRequest,
  { document, now, leaf }: ForkSource,
  id: string,
  use: (chunks: Iterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const opened = document.storage.open()
  if (!opened.ok) throw asThrown(opened.error)
  const { source } = opened.value
  try {
    if (leaf === null) {
      const freshId = (isTaken: (candidate: string) => boolean) => freshEntryId(env, isTaken)
      return await use(forkedJournal(document, source, { id, now, cwd, zeroCosts, abortDangling, freshId }))
    }
    const timestamp = new Date(now).toISOString()
    const path = pathJournal(env, { document, cwd }, opened.value, leaf, id, timestamp)
    return await use(zeroCosts ? withoutCosts(path) : path)
  } finally {
    source.close()
  }
}

/**
 * Throws `changed-on-disk` when the source is not what was read of it. What was added behind a path is none of it; of
 * everything, nothing may have been added.
 */
export function checkForkSource(env: Environment, { document, real, identity, leaf }: ForkSource): void {
  if (leaf === null) {
    const same = verifyIdentity(env.fs, real, identity)
    if (!same.ok) throw asThrown(same.error)
    return
  }
  const stat = document.storage.stat()
  if (!stat.ok) throw asThrown(stat.error)
  if (stat.value.fileId === document.fileId && stat.value.size >= document.bytes) return
  const changed = changedOnDisk(document.path, 'another file took its place')
  if (!changed.ok) throw asThrown(changed.error)
}

/** An error value as what may be thrown inside of one call. */
export function asThrown({ code, message, path }: AppError): EngineError {
  return new EngineError(code, message, path)
}
