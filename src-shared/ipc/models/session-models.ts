/** One open session: its header line, tips, tree, artifacts, draft and details. */
import { z } from 'zod'
import { projectState, sessionRef, sessionRow } from './library-models'
import { ordinal } from './transcript-models'

export const tipView = z.strictObject({
  ordinal,
  id: z.string().nullable(),
  /** Last message of the branch in one line. */
  text: z.string(),
  time: z.number().nullable(),
  /** Entries that only this branch has, and entries from the root to its tip. */
  own: z.number(),
  onPath: z.number(),
  cost: z.number().nullable(),
  /** omp resumes at this one: it is the last entry of the file. */
  isLeaf: z.boolean(),
  hasMessages: z.boolean(),
})
export type TipView = z.infer<typeof tipView>

/** Who has a session. `text` names the process and why, in one sentence; null where nobody is known to. */
export const sessionUse = z.strictObject({
  state: z.enum(['free', 'in-use', 'maybe', 'unknown']),
  text: z.string().nullable(),
})
export type SessionUse = z.infer<typeof sessionUse>

/** A subagent's session opens like any other; `parent` leads back. */
export const sessionView = z.strictObject({
  revision: z.number(),
  row: sessionRow,
  /** The session that this one came from, or that it belongs to (`owner`); null where there is none, or it is not here. */
  parent: z
    .strictObject({
      ref: sessionRef,
      title: z.string(),
      kind: z.enum(['fork', 'branched', 'child', 'owner']),
    })
    .nullable(),
  cwd: z.string().nullable(),
  projectState,
  /** The folder of a file that is not in the library: opened by its path, and in no list. Null for all others. */
  outside: z.string().nullable(),
  entries: z.number(),
  /** Where reading starts: omp's tip, or the newest tip with messages when omp's is a short dead end. */
  openTip: ordinal.nullable(),
  leaf: ordinal.nullable(),
  /** Newest first, at most `limits.tips`; `tipCount` counts all. */
  tips: z.array(tipView),
  tipCount: z.number(),
  /** Null while it is not known. */
  prompts: z.number().nullable(),
  /** False: of a large session the structure is there, and the rest is learnt by `session.complete`. */
  complete: z.boolean(),
  artifacts: z.number(),
  hasDraft: z.boolean(),
  damagedLines: z.number(),
  /** One sentence each: damaged lines, missing blobs, orphans, cycles, future version. */
  problems: z.array(z.string()),
})
export type SessionView = z.infer<typeof sessionView>

/** Kinds of entries in `sessionTree.kinds`, by index. */
export const NODE_KINDS = [
  'user',
  'assistant',
  'tool-result',
  'note',
  'compaction',
  'branch-summary',
  'reset',
  'label',
  'setting',
  'custom',
  'title',
  'other',
] as const
export type NodeKind = (typeof NODE_KINDS)[number]

/** The whole tree as flat arrays, one element per entry in file order. */
export const sessionTree = z.strictObject({
  revision: z.number(),
  count: z.number(),
  /** Parent's ordinal, -1 for a root. */
  parents: z.instanceof(Int32Array),
  kinds: z.instanceof(Uint8Array),
  /** Unix ms, NaN when unknown. */
  times: z.instanceof(Float64Array),
  /** Output tokens of assistant messages, 0 elsewhere. */
  tokens: z.instanceof(Int32Array),
  labels: z.array(z.strictObject({ ordinal, label: z.string() })),
  leaf: ordinal.nullable(),
})
export type SessionTree = z.infer<typeof sessionTree>

export const entryPreview = z.strictObject({
  ordinal,
  id: z.string().nullable(),
  who: z.string(),
  text: z.string(),
  /** The entry before this one is not in the file. */
  gap: z.boolean(),
})
export type EntryPreview = z.infer<typeof entryPreview>

export const artifactKind = z.enum([
  'output',
  'subagent',
  'advisor',
  'document',
  'data',
  'patch',
  'local',
  'draft',
  'other',
])
export type ArtifactKind = z.infer<typeof artifactKind>

export const artifactView = z.strictObject({
  ref: z.string(),
  /** Path inside the artifact directory, with `/`. */
  name: z.string(),
  kind: artifactKind,
  bytes: z.number(),
  time: z.number().nullable(),
  /** Entry that made it, when one refers to it. */
  madeBy: ordinal.nullable(),
  /** Set for subagents and advisors: opens as a session. */
  session: sessionRef.nullable(),
  /** Depth below the root session, for the subagent tree; 0 for everything else. */
  depth: z.number(),
  detail: z.string().nullable(),
})
export type ArtifactView = z.infer<typeof artifactView>

export const blobView = z.strictObject({
  hash: z.string(),
  url: z.string().nullable(),
  mimeType: z.string().nullable(),
  bytes: z.number().nullable(),
  missing: z.boolean(),
  ordinal,
  uses: z.number(),
})
export type BlobView = z.infer<typeof blobView>

export const artifactsView = z.strictObject({
  revision: z.number(),
  directory: z.string().nullable(),
  files: z.array(artifactView),
  blobs: z.array(blobView),
  bytes: z.number(),
})
export type ArtifactsView = z.infer<typeof artifactsView>

export const artifactPreview = z.strictObject({
  name: z.string(),
  kind: z.enum(['text', 'markdown', 'json', 'patch', 'image', 'binary']),
  text: z.string(),
  cut: z.boolean(),
  bytes: z.number(),
  url: z.string().nullable(),
})
export type ArtifactPreview = z.infer<typeof artifactPreview>

export const draftView = z.strictObject({
  text: z.string(),
  bytes: z.number(),
  modified: z.number().nullable(),
  alreadySent: z.boolean(),
  /** To be handed back when it is saved or discarded. */
  version: z.string(),
})
export type DraftView = z.infer<typeof draftView>

export const sessionDetails = z.strictObject({
  revision: z.number(),
  id: z.string().nullable(),
  file: z.string(),
  cwd: z.string().nullable(),
  version: z.number(),
  hasSlot: z.boolean(),
  created: z.number().nullable(),
  lastActivity: z.number().nullable(),
  previousFiles: z.array(z.string()),
  additionalDirectories: z.array(z.string()),
  counts: z.strictObject({
    entries: z.number(),
    messages: z.number(),
    prompts: z.number(),
    toolCalls: z.number(),
    compactions: z.number(),
    branchPoints: z.number(),
    tips: z.number(),
  }),
  journalBytes: z.number(),
  artifactBytes: z.number(),
  usage: z.array(
    z.strictObject({
      model: z.string(),
      messages: z.number(),
      input: z.number(),
      output: z.number(),
      cacheRead: z.number(),
      cacheWrite: z.number(),
      cost: z.number().nullable(),
      withoutCost: z.number(),
    }),
  ),
  types: z.array(z.strictObject({ type: z.string(), count: z.number(), bytes: z.number() })),
  damaged: z.array(
    z.strictObject({ line: z.number(), offset: z.number(), bytes: z.number(), reason: z.string() }),
  ),
  problems: z.array(z.string()),
  blobs: z.strictObject({ referenced: z.number(), missing: z.number() }),
})
export type SessionDetails = z.infer<typeof sessionDetails>

export const resumeCommand = z.strictObject({ command: z.string(), note: z.string().nullable() })
