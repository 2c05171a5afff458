/**
 * Context and transcript of an open session. Rule: docs/format.md, Context.
 *
 * Guarantees: the file is only read, in one opening, and only its entries on the path. `leaf` is an entry's id: null is
 * the place before the first entry, where nothing was said; an id that is not in the file, and no id, mean omp's leaf.
 * Images stay references to blobs.
 *
 * Failures: what the system refuses is an error value, `changed-on-disk` when the file is another than was read.
 */
import { ok, type Result } from '@shared/ipc/result'
import {
  buildSessionContext,
  buildTranscript,
  type SessionContext,
  type TranscriptMode,
} from '@shared/session/context'
import type { ContextMessage } from '@shared/session/context-messages'
import type { JsonObject } from '@shared/session/json'
import { resolveBlobs, type UnresolvedBlob } from '../blobs/resolve-blobs'
import type { SessionDocument } from './session-document'

/** What a model would get if the conversation went on at `leaf`. */
export function sessionContext(
  document: SessionDocument,
  leaf: string | null | undefined,
): Result<SessionContext> {
  const path = recordsTo(document, leaf)
  return path.ok ? ok(buildSessionContext(path.value)) : path
}

/**
 * As `sessionContext`, with the pictures in it. Those that are missing or torn are told, and stay references.
 *
 * @param get the bytes of a blob, checked, as `BlobStore.get` answers them
 */
export function contextWithImages(
  document: SessionDocument,
  leaf: string | null | undefined,
  get: (hash: string) => Result<Uint8Array>,
): Result<{ context: SessionContext; unresolved: UnresolvedBlob[] }> {
  const path = recordsTo(document, leaf)
  if (!path.ok) return path
  const unresolved = new Map<string, UnresolvedBlob>()
  const records = path.value.map(record => {
    const resolved = resolveBlobs(record, get)
    for (const blob of resolved.unresolved) unresolved.set(blob.hash, blob)
    return resolved.record
  })
  return ok({ context: buildSessionContext(records), unresolved: [...unresolved.values()] })
}

/** What a reader would get of the conversation that ends at `leaf`. */
export function sessionTranscript(
  document: SessionDocument,
  leaf: string | null | undefined,
  mode: TranscriptMode,
): Result<ContextMessage[]> {
  const path = recordsTo(document, leaf)
  return path.ok ? ok(buildTranscript(path.value, mode)) : path
}

function recordsTo(document: SessionDocument, leaf: string | null | undefined): Result<JsonObject[]> {
  const { index } = document
  if (leaf === null) return ok([])
  const tip = (leaf === undefined ? undefined : index.ordinalOf(leaf)) ?? index.leaf
  return tip === null ? ok([]) : document.entries(index.path(tip))
}
