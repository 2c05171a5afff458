/** What the renderer knows of the library: roots, projects and one row per session. */
import { z } from 'zod'

/** Opaque names issued by main. The renderer never names a file by its path. */
export const sessionRef = z.string().min(1).max(64)
export const projectRef = z.string().min(1).max(64)
export const rootRef = z.string().min(1).max(64)

/** `null` is unknown, always. Times are Unix milliseconds, sizes are bytes, costs are US dollars. */
const time = z.number().nullable()

export const projectState = z.enum(['present', 'missing', 'unreachable', 'other-system', 'unknown'])
export type ProjectState = z.infer<typeof projectState>

export const sessionStatus = z.enum(['complete', 'interrupted', 'pending', 'error', 'aborted', 'unknown'])
export type SessionStatusName = z.infer<typeof sessionStatus>

export const rootView = z.strictObject({
  ref: rootRef,
  name: z.string(),
  agentDir: z.string(),
  kind: z.enum(['omp', 'profile', 'pi', 'added']),
  readOnly: z.boolean(),
  state: z.enum(['ok', 'absent', 'unreadable']),
  /** Why it is degraded, or null. */
  note: z.string().nullable(),
  sessions: z.number(),
  bytes: z.number(),
})
export type RootView = z.infer<typeof rootView>

export const projectView = z.strictObject({
  ref: projectRef,
  /** Last part of the folder's path, or "unknown". */
  name: z.string(),
  /** The header's cwd: the identity of a project. Null for sessions that name none. */
  cwd: z.string().nullable(),
  /** `cwd` with the home folder shortened to `~`. */
  shortCwd: z.string(),
  state: projectState,
  stateReason: z.string().nullable(),
  sessions: z.number(),
  bytes: z.number(),
  lastActivity: time,
  pinned: z.boolean(),
})
export type ProjectView = z.infer<typeof projectView>

export const sessionRow = z.strictObject({
  ref: sessionRef,
  id: z.string().nullable(),
  title: z.string(),
  titleFrom: z.enum(['user', 'auto', 'unmarked', 'prompt', 'none']),
  /** First real prompt, one line, at most 300 characters; empty when there is none. */
  firstPrompt: z.string(),
  project: projectRef,
  projectName: z.string(),
  shortCwd: z.string(),
  created: time,
  lastActivity: time,
  /** The time as it stands in the file when it could not be used as it is. */
  lastActivityRaw: z.string().nullable(),
  status: sessionStatus,
  /** Counts are null until the session was counted: its row may be there before. */
  messages: z.number().nullable(),
  /** Journal and artifact directory together. */
  bytes: z.number(),
  model: z.string().nullable(),
  /** Null when no message carries a cost. */
  cost: z.number().nullable(),
  branches: z.number().nullable(),
  artifacts: z.number().nullable(),
  subagents: z.number().nullable(),
  hasDraft: z.boolean(),
  /** What it was made from, where its header names a session; `unknown`: that one is not in the library. */
  origin: z
    .strictObject({ kind: z.enum(['fork', 'branched', 'child', 'unknown']), title: z.string().nullable() })
    .nullable(),
  starred: z.boolean(),
  /** Another process has it, or may; `useText` names the process in one sentence. */
  use: z.enum(['in-use', 'maybe']).nullable(),
  useText: z.string().nullable(),
  damagedLines: z.number().nullable(),
  /** Why the file can only be shown as a stub, or null. */
  problem: z.string().nullable(),
  /** omp archived it: it lies packed, is not listed or resumed by omp, and `readOnly`. */
  archived: z.boolean(),
  readOnly: z.boolean(),
})
export type SessionRow = z.infer<typeof sessionRow>

/** How changes from outside come to be seen. */
export const watchingView = z.strictObject({
  /** Roots that are there, or were since the start. */
  roots: z.number(),
  /** Those of which the system tells what changes. */
  watched: z.number(),
  /** Roots of which it cannot. */
  failed: z.number(),
  /** Milliseconds between two looks at all roots, whatever is told. */
  pollMs: z.number(),
  /** What is not watched and why, one sentence each. */
  notes: z.array(z.string()),
})
export type WatchingView = z.infer<typeof watchingView>

export const librarySnapshot = z.strictObject({
  revision: z.number(),
  roots: z.array(rootView),
  projects: z.array(projectView),
  counts: z.strictObject({
    all: z.number(),
    starred: z.number(),
    archived: z.number(),
    drafts: z.number(),
    trash: z.number(),
    damaged: z.number(),
  }),
  bytes: z.number(),
  /** Progress of the scan that is running, or null when the rows are all there. */
  scanning: z.strictObject({ done: z.number(), total: z.number() }).nullable(),
  /** What is degraded, one sentence each; shown in the status bar. */
  notes: z.array(z.string()),
  watching: watchingView,
})
export type LibrarySnapshot = z.infer<typeof librarySnapshot>

export const sessionScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('starred') }),
  z.strictObject({ kind: z.literal('archived') }),
  z.strictObject({ kind: z.literal('project'), project: projectRef }),
])
export type SessionScope = z.infer<typeof sessionScope>

export const sessionSort = z.enum(['activity', 'created', 'size', 'messages', 'title'])
export type SessionSort = z.infer<typeof sessionSort>

export const sessionsQuery = z.strictObject({
  scope: sessionScope,
  sort: sessionSort,
  /** Reverses the natural order (newest, largest, A first). */
  reverse: z.boolean(),
  /** Words that title, prompt, project or model must all contain; empty for no filter. */
  filter: z.string().max(500),
  offset: z.number().int().min(0),
  limit: z.number().int().min(1).max(500),
  /** Sessions to look for among all rows of the query; `through` answers. */
  find: z.array(sessionRef).max(10_000).optional(),
})
export type SessionsQuery = z.infer<typeof sessionsQuery>

export const sessionsPage = z.strictObject({
  revision: z.number(),
  total: z.number(),
  offset: z.number(),
  rows: z.array(sessionRow),
  /** Where `find` was asked: how many rows, from the first on, hold all of those sessions that are among them. */
  through: z.number().optional(),
})
export type SessionsPage = z.infer<typeof sessionsPage>
