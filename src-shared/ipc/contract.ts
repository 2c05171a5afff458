/**
 * The contract between the window and main: every call and every event, once.
 *
 * To add a call: one entry here, one handler in `src-main/shell/handlers/`. A missing handler or a wrong
 * field is a compile error. Every call answers with `Result<output>`; inputs are checked in main (unknown
 * keys refused, size capped), outputs by the client in development and in tests.
 */
import { z } from 'zod'
import { appInfo, settings, shownPlace } from './models/app-models'
import {
  changeReport,
  changeView,
  deletePlan,
  rerootPlan,
  rerootQuestion,
  rerootSubject,
  trashView,
} from './models/change-models'
import {
  librarySnapshot,
  projectRef,
  rootRef,
  sessionRef,
  sessionsPage,
  sessionsQuery,
} from './models/library-models'
import {
  copySpan,
  draftSaved,
  draftsView,
  editReport,
  forkDone,
  forkPreview,
  moveTarget,
  relation,
} from './models/manage-models'
import {
  findAnswer,
  findQuery,
  quickAnswer,
  quickQuery,
  searchCoverage,
  searchFound,
  textAnswer,
  textQuery,
  touchedAnswer,
  touchedFile,
  touchedQuery,
} from './models/search-models'
import {
  artifactPreview,
  artifactsView,
  draftView,
  entryPreview,
  resumeCommand,
  sessionDetails,
  sessionTree,
  sessionUse,
  sessionView,
} from './models/session-models'
import { ordinal, outline, transcriptPage, transcriptRow } from './models/transcript-models'

const none = z.strictObject({})
const done = z.strictObject({})
const bySession = z.strictObject({ session: sessionRef })
const refs = z.array(sessionRef).min(1).max(10_000)
const confirmed = z.strictObject({
  planId: z.string().max(64),
  /** The user has been told of the sessions that may be in use and wants them changed. */
  includeMaybeInUse: z.boolean(),
})

/** As `includeMaybeInUse`: without it a session that may be in use stays, and `maybe` of the answer names it. */
const includeMaybe = z.boolean()

/** What a change means by an entry: its own id, since its place in the file is another's once the file is written anew. */
const entryId = z.string().min(1).max(1000)

const forkWish = z.strictObject({
  session: sessionRef,
  entry: entryId.nullable(),
  withArtifacts: z.boolean(),
})
const byDraft = z.strictObject({ draft: z.string().max(64) })

export const calls = {
  'app.info': { input: none, output: appInfo },
  'app.copyText': { input: z.strictObject({ text: z.string().max(50_000_000) }), output: done },
  'app.openLink': { input: z.strictObject({ url: z.string().max(8192) }), output: done },
  /** What the window shows now. */
  'app.remember': { input: z.strictObject({ place: shownPlace }), output: done },
  /** What it showed last; `crashed`: it ended by itself, and is to show that again. */
  'app.lastPlace': {
    input: none,
    output: z.strictObject({ place: shownPlace.nullable(), crashed: z.boolean() }),
  },
  'settings.get': { input: none, output: settings },
  /** All but the added roots: which folders are read is chosen in the native dialog only. */
  'settings.set': { input: settings.omit({ addedRoots: true }).partial(), output: settings },
  /** Opens the native folder dialog; `added` is null when it was cancelled. */
  'settings.addRoot': { input: none, output: z.strictObject({ added: z.string().nullable() }) },
  'settings.removeRoot': { input: z.strictObject({ root: rootRef }), output: done },

  'library.snapshot': { input: none, output: librarySnapshot },
  'library.sessions': { input: sessionsQuery, output: sessionsPage },
  'library.rescan': { input: none, output: done },
  /** The session in a file that the user dropped here; a path, since the drop is all that is known of it. */
  'library.openPath': {
    input: z.strictObject({ path: z.string().min(1).max(4096) }),
    output: z.strictObject({ session: sessionRef }),
  },
  /** Opens the native file dialog; null when it was cancelled. */
  'library.openFile': { input: none, output: z.strictObject({ session: sessionRef.nullable() }) },
  'library.revealProject': { input: z.strictObject({ project: projectRef }), output: done },

  'session.open': { input: bySession, output: sessionView },
  /** Learns what opening a large session left out; `session.changed` tells what that changed. */
  'session.complete': { input: bySession, output: done },
  /** Which process has the session. Looks at all processes: ask after opening. */
  'session.use': { input: bySession, output: sessionUse },
  'session.close': { input: bySession, output: done },
  /** Rows `from`..`from + count` of the path to `tip` (null: where reading starts). */
  'session.transcript': {
    input: z.strictObject({
      session: sessionRef,
      tip: ordinal.nullable(),
      /** Null: the newest rows. */
      from: z.number().int().min(0).nullable(),
      count: z.number().int().min(1).max(400),
    }),
    output: transcriptPage,
  },
  /** The last rows of a large session, to be looked at while it is opened; null where its end alone does not tell. */
  'session.lastRows': {
    input: z.strictObject({ session: sessionRef, count: z.number().int().min(1).max(60) }),
    output: z.array(transcriptRow).nullable(),
  },
  'session.outline': {
    input: z.strictObject({ session: sessionRef, tip: ordinal.nullable() }),
    output: outline,
  },
  /** Row of the shown path at which an entry stands; null when it is not on it. */
  'session.rowOf': {
    input: z.strictObject({ session: sessionRef, tip: ordinal.nullable(), ordinal }),
    output: z.strictObject({ row: z.number().nullable(), tip: ordinal }),
  },
  /** Row of the path where reading starts at which reading was left before this start; null: the newest end. */
  'session.lastRead': {
    input: bySession,
    output: z.strictObject({
      place: z.strictObject({ row: z.number().int().min(0), offset: z.number() }).nullable(),
    }),
  },
  /** Reading was left at an entry, `below` rows of it above; null: at the newest end. */
  'session.leave': {
    input: z.strictObject({
      session: sessionRef,
      place: z
        .strictObject({ entry: entryId, below: z.number().int().min(0).max(100_000), offset: z.number() })
        .nullable(),
    }),
    output: done,
  },
  /** The whole of a text that a row showed cut. */
  'session.text': {
    input: z.strictObject({ session: sessionRef, ordinal, part: z.string().max(200) }),
    output: z.strictObject({ text: z.string(), cut: z.boolean() }),
  },
  'session.tree': { input: bySession, output: sessionTree },
  'session.previews': {
    input: z.strictObject({ session: sessionRef, ordinals: z.array(ordinal).max(400) }),
    output: z.array(entryPreview),
  },
  'session.artifacts': { input: bySession, output: artifactsView },
  'session.draft': { input: bySession, output: draftView.nullable() },
  'session.details': { input: bySession, output: sessionDetails },
  /** Sessions that this one came from, that came from it, and that belong to it. */
  'session.family': { input: bySession, output: z.array(relation) },
  /** A part of the path to `tip` as text to be copied. */
  'session.copyText': {
    input: z.strictObject({
      session: sessionRef,
      tip: ordinal.nullable(),
      span: copySpan,
      as: z.enum(['markdown', 'text']),
    }),
    output: z.strictObject({ text: z.string(), cut: z.boolean() }),
  },
  'session.resumeCommand': { input: bySession, output: resumeCommand },
  'session.reveal': { input: bySession, output: done },
  /** Raw bytes of a line that could not be read, as text with escapes. */
  'session.rawLine': {
    input: z.strictObject({ session: sessionRef, line: z.number().int().min(1) }),
    output: z.strictObject({ text: z.string(), bytes: z.number(), cut: z.boolean() }),
  },

  'session.rename': {
    input: z.strictObject({ session: sessionRef, title: z.string().min(1).max(2000), includeMaybe }),
    output: editReport,
  },
  /** Names an entry; null clears its name. */
  'session.label': {
    input: z.strictObject({
      session: sessionRef,
      entry: entryId,
      label: z.string().max(200).nullable(),
      includeMaybe,
    }),
    output: editReport,
  },
  /** Stars sessions, or takes the stars away: omp's own pins. */
  'session.star': { input: z.strictObject({ sessions: refs, starred: z.boolean() }), output: changeReport },
  /** Makes the branch that ends at an entry the one that omp will resume. */
  'session.continueBranch': {
    input: z.strictObject({ session: sessionRef, entry: entryId, includeMaybe }),
    output: editReport,
  },
  /** `entry`: the path to it becomes the new session; null: everything. */
  'session.forkPreview': { input: forkWish, output: forkPreview },
  'session.fork': { input: forkWish, output: forkDone },

  /**
   * Empty text discards. `change` is that of the same round of editing, null at its beginning. A session that is, or may be, in
   * use is refused with `in-use`; with `includeMaybe` only one that is.
   */
  'draft.save': {
    input: z.strictObject({
      session: sessionRef,
      text: z.string().max(20_000_000),
      version: z.string().max(500).nullable(),
      change: z.string().max(64).nullable(),
      includeMaybe: z.boolean().optional(),
    }),
    output: draftSaved,
  },
  'draft.discard': {
    input: z.strictObject({
      session: sessionRef,
      version: z.string().max(500),
      includeMaybe: z.boolean().optional(),
    }),
    output: changeReport,
  },
  /** Shows the file of a session's draft in the file manager. */
  'draft.reveal': { input: bySession, output: done },
  'draft.location': { input: bySession, output: z.strictObject({ path: z.string() }) },
  'drafts.list': { input: none, output: draftsView },
  /** The whole text of a draft, also of one whose session is gone. */
  'drafts.text': { input: byDraft, output: z.strictObject({ text: z.string() }) },
  'drafts.reveal': { input: byDraft, output: done },

  /** Titles, projects and first prompts, in memory: for every key that is pressed. */
  'search.quick': { input: quickQuery, output: quickAnswer },
  /** All that was said. What is found on the way is told by `search.found`; the answer holds all of it, in order. */
  'search.text': { input: textQuery, output: textAnswer },
  'search.coverage': { input: none, output: searchCoverage },
  /** Find in the path that is shown, all of it. */
  'search.inSession': { input: findQuery, output: findAnswer },
  /** Which sessions wrote, edited, moved or deleted a file. */
  'files.touched': { input: touchedQuery, output: touchedAnswer },
  /** The files that one session changed, most often changed first, at most 5,000. */
  'files.ofSession': { input: bySession, output: z.array(touchedFile) },

  'artifact.preview': { input: z.strictObject({ artifact: z.string().max(2000) }), output: artifactPreview },
  'artifact.open': { input: z.strictObject({ artifact: z.string().max(2000) }), output: done },
  'artifact.reveal': { input: z.strictObject({ artifact: z.string().max(2000) }), output: done },
  'artifact.saveAs': {
    input: z.strictObject({ artifact: z.string().max(2000) }),
    output: z.strictObject({ saved: z.string().nullable() }),
  },

  'delete.plan': { input: z.strictObject({ sessions: refs }), output: deletePlan },
  'delete.apply': { input: confirmed, output: changeReport },
  'trash.list': { input: none, output: trashView },
  'trash.restore': {
    input: z.strictObject({ ids: z.array(z.string().max(64)).min(1) }),
    output: changeReport,
  },
  /** For good: frees exactly the listed files and bytes of these items. */
  'trash.empty': { input: z.strictObject({ ids: z.array(z.string().max(64)).min(1) }), output: changeReport },
  'trash.reveal': { input: z.strictObject({ id: z.string().max(64) }), output: done },

  'reroot.question': { input: rerootSubject, output: rerootQuestion },
  /** Opens the native folder dialog; null when it was cancelled. */
  'reroot.chooseFolder': {
    input: z.strictObject({ near: z.string().max(4096).nullable() }),
    output: z.strictObject({ path: z.string().nullable() }),
  },
  'reroot.plan': {
    input: z.strictObject({ subject: rerootSubject, to: z.string().min(1).max(4096) }),
    output: rerootPlan,
  },
  'reroot.apply': { input: confirmed, output: changeReport },

  'move.plan': { input: z.strictObject({ sessions: refs, to: moveTarget }), output: rerootPlan },
  'move.apply': { input: confirmed, output: changeReport },

  'changes.list': { input: none, output: z.array(changeView) },
  'changes.undo': { input: z.strictObject({ id: z.string().max(64), includeMaybe }), output: editReport },
} as const

export type Calls = typeof calls
export type CallName = keyof Calls
export type CallInput<N extends CallName> = z.infer<Calls[N]['input']>
export type CallOutput<N extends CallName> = z.infer<Calls[N]['output']>

export const events = {
  /** Rows, projects or counts changed; `sessions` names the rows, null when it may be any. */
  'library.changed': z.strictObject({ revision: z.number(), sessions: z.array(sessionRef).nullable() }),
  /** An open session's file grew, was rewritten, or is gone. */
  'session.changed': z.strictObject({
    session: sessionRef,
    revision: z.number(),
    how: z.enum(['grown', 'rewritten', 'gone']),
  }),
  /** The draft of an open session is another one now, or gone (null). */
  'draft.changed': z.strictObject({ session: sessionRef, version: z.string().nullable() }),
  /** Who has an open session changed. */
  'session.use': z.strictObject({ session: sessionRef, use: sessionUse }),
  /** A session was asked for from outside the window: a file given to the program. */
  'app.openSession': z.strictObject({ session: sessionRef }),
  /** Something that was asked for from outside could not be done. `path`: the file it is about. */
  'app.problem': z.strictObject({ text: z.string(), path: z.string() }),
  /** Long work of the call with this id. */
  progress: z.strictObject({ callId: z.string(), done: z.number(), total: z.number(), text: z.string() }),
  'search.found': searchFound,
  /** The index covers more, or less, than before. */
  'search.coverage': searchCoverage,
  'changes.changed': z.strictObject({}),
  'settings.changed': settings,
  /** A command chosen in the native menu. */
  'menu.command': z.strictObject({ command: z.string() }),
} as const

export type Events = typeof events
export type EventName = keyof Events
export type EventPayload<N extends EventName> = z.infer<Events[N]>

/** Channel names and limits of the bridge: one for calls, one for cancelling, one for events. */
export const BRIDGE = {
  call: 'grove:call',
  cancel: 'grove:cancel',
  event: 'grove:event',
  /** Largest input of a call, in bytes of JSON. */
  maxInputBytes: 60_000_000,
} as const

/** For pages whose policy forbids code made from strings: schemas are then checked without it. */
export function forbidGeneratedCode(): void {
  z.config({ jitless: true })
}
