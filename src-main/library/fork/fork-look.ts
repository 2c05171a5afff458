/** What a fork would come to, told by looking only: the refusals of the real one, its size, and the links that would be dead. */
import { ok, type Result } from '@shared/ipc/result'
import { jsonText } from '@shared/session/json'
import { listArtifacts } from '../../engine/artifacts/artifact-directory'
import type { Environment, WorkContext } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { planBranchedJournal } from '../../engine/session/branched-journal'
import { freshEntryId } from '../../engine/session/fresh-entry-id'
import type { ForkRequest } from '../../engine/session/many-file-operations'
import type { SessionDocument } from '../../engine/session/session-document'
import { attemptAsync } from '../../engine/storage/errors'
import { type ForkRoots, planFork } from './fork-apply'
import { amountOf, artifactsToFork, partsToFork } from './fork-artifacts'
import { asThrown, type ForkSource, readForkSource, withForkJournal } from './fork-source'
import { artifactsLinkedIn, linkKeysOf } from './named-artifacts'

export type ForkLook = {
  /** Of the new session. */
  entries: number
  messages: number
  artifactFiles: number
  /** Of journal and artifacts. */
  bytes: number
  /** Artifacts that the entries link to and that the new session would be without. */
  deadLinks: number
}

/** Records read between two breaths: a path of a long session has tens of thousands. */
const BREATH_RECORDS = 500

/** Looks at a fork before it is made. */
export async function lookAtFork(
  env: Environment,
  request: ForkRequest,
  roots: ForkRoots,
  work: WorkContext,
): Promise<Result<ForkLook>> {
  const source = readForkSource(env, request)
  if (!source.ok) return source
  const plan = planFork(env, request, roots, source.value, env.uuid())
  if (!plan.ok) return plan
  const bytes = await journalBytes(env, request, source.value, plan.value.id, work)
  if (!bytes.ok) return bytes
  const from = request.withArtifacts ? artifactDirectoryOf(request.source) : null
  const found = from === null ? ok(null) : await artifactsToFork(env, from, partsToFork(request), work)
  if (!found.ok) return found
  const artifacts = amountOf(found.value ?? [])
  const { document, leaf } = source.value
  const ordinals = leaf === null ? allOf(document) : document.index.path(leaf)
  const linked = await linkedIn(document, ordinals, work)
  if (!linked.ok) return linked
  const { keys, messages } = linked.value
  const there = from === null ? new Set<string>() : keysIn(env, from)
  return ok({
    entries: leaf === null ? ordinals.length : entriesOfPath(env, document, leaf),
    messages,
    artifactFiles: artifacts.files,
    bytes: bytes.value + artifacts.bytes,
    deadLinks: [...keys].filter(key => !there.has(key)).length,
  })
}

/** The bytes that the new journal would have: ids are all of one length. */
function journalBytes(
  env: Environment,
  request: ForkRequest,
  source: ForkSource,
  id: string,
  work: WorkContext,
): Promise<Result<number>> {
  return attemptAsync('fork', request.source, () =>
    withForkJournal(env, request, source, id, async chunks => {
      let bytes = 0
      for (const chunk of chunks) {
        bytes += chunk.length
        await work.breathe()
      }
      return bytes
    }),
  )
}

function allOf({ index }: SessionDocument): number[] {
  return Array.from({ length: index.count }, (_, ordinal) => ordinal)
}

function entriesOfPath(env: Environment, document: SessionDocument, leaf: number): number {
  const { entries, labels } = planBranchedJournal(document, leaf, isTaken => freshEntryId(env, isTaken))
  return entries.length + labels.length
}

/** Messages among the entries, and the artifacts that they link to. */
function linkedIn(
  document: SessionDocument,
  ordinals: readonly number[],
  work: WorkContext,
): Promise<Result<{ keys: Set<string>; messages: number }>> {
  return attemptAsync('read', document.path, async () => {
    const keys = new Set<string>()
    let messages = 0
    for (let at = 0; at < ordinals.length; at += BREATH_RECORDS) {
      const read = document.visit(ordinals.slice(at, at + BREATH_RECORDS), record => {
        if (record.type === 'message') messages++
        for (const key of artifactsLinkedIn(jsonText(record) ?? '')) keys.add(key)
      })
      if (!read.ok) throw asThrown(read.error)
      await work.breathe()
    }
    return { keys, messages }
  })
}

function keysIn(env: Environment, directory: string): Set<string> {
  return new Set(listArtifacts(env.fs, directory).files.flatMap(linkKeysOf))
}
