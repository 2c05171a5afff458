/** What Grove says of a session, in the words of omp-driver.mjs, so that the two can be compared as they are. */
import type { Result } from '@shared/ipc/result'
import type { JsonObject } from '@shared/session/json'
import { BlobStore } from '../../src-main/engine/blobs/blob-store'
import { resolveBlobs } from '../../src-main/engine/blobs/resolve-blobs'
import { nodeEnvironment } from '../../src-main/engine/node-environment'
import { sessionTranscript } from '../../src-main/engine/session/session-context'
import type { SessionManager } from '../../src-main/engine/session/session-manager'
import { digestOf, picturesIn } from './record-digest.ts'

/** More than any picture of the tests has. */
const PICTURE_BYTES = 64 * 1024 * 1024

/** An error value of Grove's on its way to the test. */
export class DriverError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

/** The value of an answer; an error is thrown. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new DriverError(result.error.code, result.error.message)
}

/** The facts of an open session; its pictures are in `blobsDir`. */
export function factsOf(manager: SessionManager, blobsDir: string) {
  const { document, title, leafId } = manager
  const { index, header, headerRecord, facts } = document
  const ordinals = Array.from({ length: index.count }, (_, ordinal) => ordinal)
  const records = resolvedRecords(unwrap(document.entries(ordinals)), blobsDir)
  const { messages, thinkingLevel, models, mode, ...settings } = unwrap(manager.context())
  const leaf = leafId === null ? null : (index.ordinalOf(leafId) ?? null)
  return {
    id: manager.id,
    file: manager.file,
    recordedCwd: header?.cwd ?? null,
    header: headerRecord,
    isOnDisk: manager.isOnDisk,
    unsaved: manager.unsaved,
    title: title.title,
    titleSource: title.source,
    entryIds: ordinals.map(ordinal => index.id(ordinal)),
    parents: ordinals.map(ordinal => index.parentId(ordinal)),
    types: records.map(({ type }) => type ?? null),
    records: records.map(digestOf),
    messageCount: facts.messageCount,
    leafId,
    path: (leaf === null ? [] : index.path(leaf)).map(ordinal => index.id(ordinal)),
    roots: index.roots().map(ordinal => index.id(ordinal)),
    branchPoints: branchPointsOf(manager),
    labels: Object.fromEntries(facts.labels),
    usage: facts.usage,
    context: messages.map(({ role }) => role),
    settings: { thinkingLevel, models, mode },
    moreSettings: { serviceTier: settings.serviceTier, injectedTtsrRules: settings.injectedTtsrRules },
    transcript: unwrap(sessionTranscript(document, leafId, 'full')).map(({ role }) => role),
    pictures: records.flatMap(record => picturesIn(record)),
    damaged: document.damaged.length,
    problems: document.problems.map(({ kind }) => kind),
  }
}

function resolvedRecords(records: readonly JsonObject[], blobsDir: string): JsonObject[] {
  const blobs = new BlobStore(nodeEnvironment().fs, blobsDir)
  return records.map(record => resolveBlobs(record, hash => blobs.get(hash, PICTURE_BYTES)).record)
}

function branchPointsOf({ document: { index } }: SessionManager): Record<string, (string | null)[]> {
  const points: Record<string, (string | null)[]> = {}
  const ids = (ordinals: readonly number[]) => ordinals.map(ordinal => index.id(ordinal))
  const roots = index.roots().filter(ordinal => index.parentId(ordinal) === null)
  if (roots.length > 1) points.null = ids(roots)
  for (const [parent, children] of index.childrenByParent()) {
    if (parent >= 0 && children.length > 1) points[index.id(parent) ?? ''] = ids(children)
  }
  return points
}
