/** Everyday changes of sessions: what a fork comes to, drafts as they are edited, relatives, text to be copied. */
import { z } from 'zod'
import { changeReport, maybeInUse } from './change-models'
import { sessionRef } from './library-models'
import { resumeCommand } from './session-models'
import { ordinal } from './transcript-models'

/**
 * Outcome of a change of one session. `maybe`: it was not changed, because an omp that nothing ties to a session runs in its
 * folder; the same call with `includeMaybe` changes it all the same.
 */
export const editReport = changeReport.extend({ maybe: z.array(maybeInUse) })
export type EditReport = z.infer<typeof editReport>

/** What a fork would come to. */
export const forkPreview = z.strictObject({
  /** Entries and messages of the new session. */
  entries: z.number(),
  messages: z.number(),
  /** Files that would be copied beside it, and bytes of them and the journal; null: not known before it is made. */
  artifactFiles: z.number(),
  bytes: z.number().nullable(),
  /** Artifacts that the entries name and that the new session would be without. */
  deadLinks: z.number(),
  /** Sentences: a project folder that is gone, a session that is in use. */
  notes: z.array(z.string()),
})
export type ForkPreview = z.infer<typeof forkPreview>

/** A fork that was made: `session` opens it, `resume` is the command that goes on in omp. */
export const forkDone = z.strictObject({
  report: changeReport,
  session: sessionRef,
  resume: resumeCommand,
})
export type ForkDone = z.infer<typeof forkDone>

/**
 * The draft of a session after it was saved. `version` is handed back with the next save: another program that wrote
 * meanwhile is told, and nothing of it is overwritten. `change` names the change of this round of editing.
 */
export const draftSaved = z.strictObject({
  version: z.string().nullable(),
  modified: z.number().nullable(),
  bytes: z.number(),
  alreadySent: z.boolean(),
  change: z.string().nullable(),
})
export type DraftSaved = z.infer<typeof draftSaved>

/** One draft among those of all sessions. */
export const draftItem = z.strictObject({
  ref: z.string().max(64),
  /** Null: the journal that it belongs to is gone. */
  session: sessionRef.nullable(),
  title: z.string(),
  projectName: z.string(),
  shortCwd: z.string(),
  /** The first characters, over at most some lines. */
  preview: z.string(),
  chars: z.number(),
  lines: z.number(),
  bytes: z.number(),
  modified: z.number().nullable(),
  alreadySent: z.boolean(),
  /** Why it cannot be read or edited, or null. */
  problem: z.string().nullable(),
  readOnly: z.boolean(),
  location: z.string(),
})
export type DraftItem = z.infer<typeof draftItem>

export const draftsView = z.strictObject({ items: z.array(draftItem), bytes: z.number() })
export type DraftsView = z.infer<typeof draftsView>

/** How a session is related to the one that is asked about. */
export const relation = z.strictObject({
  kind: z.enum(['parent', 'fork', 'branched', 'child', 'owner', 'subagent', 'sibling']),
  /** By what the link was found: the id in the header, a path, an earlier path of a session that was moved. */
  by: z.enum(['id', 'path', 'earlier-path', 'place']),
  session: sessionRef.nullable(),
  title: z.string(),
  time: z.number().nullable(),
  /** Why it leads nowhere, or null. */
  note: z.string().nullable(),
})
export type Relation = z.infer<typeof relation>

/** A part of a session that is copied as text. */
export const copySpan = z.discriminatedUnion('kind', [
  /** One row of the transcript, by its key: a text, a tool call with its result. */
  z.strictObject({ kind: z.literal('block'), key: z.string().max(100) }),
  /** One entry with all of its blocks. */
  z.strictObject({ kind: z.literal('entry'), ordinal }),
  /** The prompt at or before an entry, with all that answers it. */
  z.strictObject({ kind: z.literal('turn'), ordinal }),
  /** The whole path that is shown. */
  z.strictObject({ kind: z.literal('path') }),
])
export type CopySpan = z.infer<typeof copySpan>

/** Where sessions are moved: to another folder, another agent directory, or both. Null keeps what it is. */
export const moveTarget = z.strictObject({
  folder: z.string().min(1).max(4096).nullable(),
  root: z.string().min(1).max(64).nullable(),
})
export type MoveTarget = z.infer<typeof moveTarget>
