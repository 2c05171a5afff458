/** Everything that the Details tab says of one session, apart from its family. */
import type { SessionDetails } from '@shared/ipc/models/session-models'
import { limits } from '@shared/limits'
import { listArtifacts } from '../../engine/artifacts/artifact-directory'
import type { BlobStore } from '../../engine/blobs/blob-store'
import type { Environment } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import type { SessionDocument } from '../../engine/session/session-document'
import { sessionTimes } from '../catalog/session-summary'
import { problemSentences } from './problem-text'

export function sessionDetails(
  env: Environment,
  document: SessionDocument,
  blobs: BlobStore,
): SessionDetails {
  const { facts, header, index } = document
  const directory = artifactDirectoryOf(document.path)
  const hashes = [...facts.blobs.keys()]
  const missing = hashes.filter(hash => blobs.size(hash) === null).length
  const problems = problemSentences(document)
  if (missing > 0) problems.push(`${missing} of ${hashes.length} images are missing in the blob store.`)
  return {
    revision: document.revision,
    id: document.id,
    file: document.path,
    cwd: header?.cwd ?? null,
    version: document.readVersion ?? 1,
    hasSlot: document.hasSlot,
    ...sessionTimes(env, document),
    previousFiles: header?.previousSessionFiles ?? [],
    additionalDirectories: header?.additionalDirectories ?? [],
    counts: {
      entries: index.count,
      messages: facts.messageCount,
      prompts: facts.promptCount,
      toolCalls: facts.toolCalls,
      compactions: facts.compactions,
      branchPoints: countBranchPoints(document),
      tips: index.tips().length,
    },
    journalBytes: document.bytes,
    artifactBytes: directory === null ? 0 : listArtifacts(env.fs, directory).bytes,
    usage: [...facts.usageByModel].map(([model, usage]) => ({
      model,
      messages: usage.messages,
      input: usage.input,
      output: usage.output,
      cacheRead: usage.cacheRead,
      cacheWrite: usage.cacheWrite,
      cost: usage.cost,
      withoutCost: usage.withoutCost,
    })),
    types: [...facts.types]
      .map(([type, { count, bytes }]) => ({ type, count, bytes }))
      .sort((a, b) => b.bytes - a.bytes),
    // The sentence about damaged lines counts all of them.
    damaged: document.damaged.slice(0, limits.damagedShown),
    problems,
    blobs: { referenced: hashes.length, missing },
  }
}

function countBranchPoints({ index }: SessionDocument): number {
  let points = 0
  for (let ordinal = 0; ordinal < index.count; ordinal++) if (index.childCount(ordinal) > 1) points++
  return points
}
