/** Changes to files: what a plan says before, what a report says after, trash and recent changes. */
import { z } from 'zod'
import { projectRef, projectState, sessionRef } from './library-models'

/** A session that a plan leaves alone, and why. */
export const stayingSession = z.strictObject({
  ref: sessionRef.nullable(),
  title: z.string(),
  reason: z.enum([
    'in-use',
    'clash',
    'changed-on-disk',
    'read-only',
    'damaged',
    'unsupported-version',
    'missing',
    'permission',
    'failed',
  ]),
  /** One sentence, naming the process or file. */
  text: z.string(),
})
export type StayingSession = z.infer<typeof stayingSession>

/** A session in whose folder an omp runs that nothing ties to one session: the change asks first. */
export const maybeInUse = z.strictObject({ ref: sessionRef.nullable(), title: z.string(), text: z.string() })
export type MaybeInUse = z.infer<typeof maybeInUse>

/** Outcome of a change. `changeId` is null when nothing was changed. */
export const changeReport = z.strictObject({
  changeId: z.string().nullable(),
  done: z.number(),
  asked: z.number(),
  files: z.number(),
  bytes: z.number(),
  staying: z.array(stayingSession),
  /** Sentences about what happened beside the plan. */
  notes: z.array(z.string()),
})
export type ChangeReport = z.infer<typeof changeReport>

export const deletePlan = z.strictObject({
  planId: z.string(),
  sessions: z.number(),
  asked: z.number(),
  files: z.number(),
  bytes: z.number(),
  artifactFiles: z.number(),
  subagents: z.number(),
  drafts: z.number(),
  titles: z.array(z.string()),
  /** Forks and child sessions that keep a link to one that goes. */
  linkedBy: z.array(z.strictObject({ ref: sessionRef, title: z.string() })),
  staying: z.array(stayingSession),
  maybe: z.array(maybeInUse),
})
export type DeletePlan = z.infer<typeof deletePlan>

export const trashItem = z.strictObject({
  id: z.string(),
  title: z.string(),
  projectName: z.string(),
  shortCwd: z.string(),
  deleted: z.number().nullable(),
  files: z.number(),
  bytes: z.number(),
  subagents: z.number(),
  hasDraft: z.boolean(),
  location: z.string(),
  originalFile: z.string(),
  /** Why it cannot be restored as it is, or null. */
  problem: z.string().nullable(),
})
export type TrashItem = z.infer<typeof trashItem>

export const trashView = z.strictObject({
  items: z.array(trashItem),
  bytes: z.number(),
  files: z.number(),
  locations: z.array(z.string()),
})
export type TrashView = z.infer<typeof trashView>

export const changeView = z.strictObject({
  id: z.string(),
  kind: z.enum([
    'delete',
    'restore',
    'empty',
    're-root',
    'fork',
    'rename',
    'label',
    'star',
    'continue',
    'draft',
  ]),
  text: z.string(),
  detail: z.string(),
  time: z.number(),
  state: z.enum(['done', 'undone', 'unfinished']),
  canUndo: z.boolean(),
  /** Why it can no longer be undone, or null. */
  whyNot: z.string().nullable(),
})
export type ChangeView = z.infer<typeof changeView>

/** What a re-root is about. A prefix moves every project at it or below it. */
export const rerootSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('project'), project: projectRef }),
  z.strictObject({ kind: z.literal('sessions'), sessions: z.array(sessionRef).min(1).max(10_000) }),
  z.strictObject({ kind: z.literal('prefix'), prefix: z.string().min(1).max(4096) }),
])
export type RerootSubject = z.infer<typeof rerootSubject>

export const rerootCandidate = z.strictObject({
  path: z.string(),
  evidence: z.enum(['same-folder', 'same-repository', 'same-name']),
  text: z.string(),
})
export type RerootCandidate = z.infer<typeof rerootCandidate>

export const rerootQuestion = z.strictObject({
  title: z.string(),
  /** Old folder, or the prefix. Null when the sessions name several folders. */
  from: z.string().nullable(),
  state: projectState,
  stateReason: z.string().nullable(),
  sessions: z.number(),
  projects: z.number(),
  candidates: z.array(rerootCandidate),
  /** Prefixes at or above the folder that hold several projects, with how many. */
  prefixes: z.array(z.strictObject({ prefix: z.string(), projects: z.number(), sessions: z.number() })),
})
export type RerootQuestion = z.infer<typeof rerootQuestion>

export const rerootPlan = z.strictObject({
  planId: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  sessions: z.number(),
  asked: z.number(),
  projects: z.number(),
  artifactDirectories: z.number(),
  bytes: z.number(),
  breadcrumbs: z.number(),
  clashes: z.number(),
  staying: z.array(stayingSession),
  maybe: z.array(maybeInUse),
  notes: z.array(z.string()),
})
export type RerootPlan = z.infer<typeof rerootPlan>
