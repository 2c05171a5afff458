/**
 * The journal of a fork: the entries of another session, all branches and what is damaged included, under a slot and a
 * header of its own. Rule: docs/format.md, Fork.
 */
import { limits } from '@shared/limits'
import { stringOrNull } from '@shared/session/json'
import type { ByteSource } from '../storage/byte-source'
import { withoutCosts } from './fork-costs'
import { abortedResults } from './fork-dangling'
import { copiableHeader, copiedJournal } from './journal-copy'
import type { SessionDocument } from './session-document'
import { headerLine, slotLineFor } from './session-head'

export type ForkSpec = {
  id: string
  /** Unix ms: creation of the fork. */
  now: number
  /** Absolute. */
  cwd: string
  zeroCosts: boolean
  abortDangling: boolean
  freshId: (isTaken: (id: string) => boolean) => string
}

/**
 * The chunks of the fork's journal, as long as they are asked for. Throws at once `damaged` for a source without a
 * header where it belongs and `unsupported-version` for one above version 3, and what reading throws.
 */
export function forkedJournal(
  document: SessionDocument,
  source: ByteSource,
  spec: ForkSpec,
): Iterable<Uint8Array> {
  const header = forkHeader(document, source, spec)
  const slot = slotLineFor(document.title, new Date(spec.now).toISOString())
  const added = spec.abortDangling ? abortedResults(document, spec.freshId, spec.now) : []
  const copied = copiedJournal(document, source, { slot, header })
  return withAdded(spec.zeroCosts ? withoutCosts(copied) : copied, added)
}

function* withAdded(chunks: Iterable<Uint8Array>, added: readonly string[]): Generator<Uint8Array> {
  yield* chunks
  for (const line of added) yield Buffer.from(line, 'utf8')
}

/** Keys in the order in which omp's fork has them. */
function forkHeader(document: SessionDocument, source: ByteSource, { id, now, cwd }: ForkSpec): Uint8Array {
  const { title } = document
  const header = copiableHeader(document, source)
  const directories = header.additionalDirectories.filter(directory => directory !== cwd)
  const parent = document.id ?? undefined
  return headerLine({
    type: 'session',
    version: limits.sessionVersion,
    id,
    title: title.title ?? undefined,
    titleSource: title.source ?? undefined,
    timestamp: new Date(now).toISOString(),
    cwd,
    additionalDirectories: directories.length > 0 ? directories : undefined,
    parentSession: parent,
    providerPromptCacheKey: stringOrNull(document.headerRecord?.providerPromptCacheKey) ?? parent,
  })
}
