/**
 * One session in a list, from a scan of its whole journal and a look at its artifact directory. Counts are
 * true counts. A file that cannot be read gives a stub with the reason; nothing here fails or writes.
 */
import path from 'node:path'
import type { AppError } from '@shared/ipc/result'
import type { SessionHeader } from '@shared/session/header'
import { saneTime } from '@shared/session/sane-time'
import { NO_PARENT } from '@shared/session/session-entry-index'
import type { SessionFacts } from '@shared/session/session-facts'
import type { SessionStatus } from '@shared/session/status'
import type { TitleSource } from '@shared/session/title-slot'
import { isArtifact, listArtifacts } from '../../engine/artifacts/artifact-directory'
import type { Environment } from '../../engine/environment'
import {
  artifactDirectoryOf,
  parseSessionFileName,
  placeBeforeArchive,
} from '../../engine/layout/session-paths'
import { SessionDocument } from '../../engine/session/session-document'
import { attempt } from '../../engine/storage/errors'
import { journalStorage } from '../../engine/storage/open-journal'

/** Plain data: crosses the worker's boundary. Times are Unix ms, null is unknown. */
export type SessionSummary = {
  file: string
  /** `file` with links resolved. */
  realFile: string
  id: string | null
  version: number | null
  title: string | null
  titleSource: TitleSource | null
  cwd: string | null
  created: number | null
  lastActivity: number | null
  /** The last entry's time as written when it is not sane. */
  lastActivityRaw: string | null
  bytes: number
  artifactBytes: number
  entryCount: number
  messageCount: number
  firstPrompt: string
  status: SessionStatus
  model: string | null
  cost: number | null
  withoutCost: number
  /** A session id or a file path, as written. */
  parentSession: string | null
  /** The file that `parentSession` names, links resolved; null when it names none that is there. */
  parentRealFile: string | null
  previousFiles: string[]
  /** Ids of the first entries that hang under none: what a copy of this session begins with as well. */
  rootIds: string[]
  tips: number
  artifactCount: number
  subagentCount: number
  hasDraft: boolean
  damagedLines: number
  /** Bytes of the journal hold no session at all, or it cannot be read: why. */
  stub: string | null
  /** The state of the file that this was read from. */
  fileId: string
  modified: number
  /** False: only both ends of the file were read, and all that must be counted is 0 here and not known. */
  counted: boolean
}

/** What is known of the places around a journal, so that they need not be looked at for it. */
export type KnownPlaces = {
  /** False: there is no artifact directory. */
  hasArtifacts?: boolean | undefined
  /** The journal with links resolved. */
  realFile?: string | undefined
}

/** What was read of a journal, as a summary needs it. */
export type ReadJournal = {
  path: string
  header: SessionHeader | null
  title: { title: string | null; source: TitleSource | null }
  facts: Pick<
    SessionFacts,
    'messageCount' | 'firstPrompt' | 'status' | 'model' | 'firstTime' | 'lastTime' | 'lastRawTime' | 'usage'
  >
  entryCount: number
  tips: number
  rootIds: string[]
  damagedLines: number
  stub: string | null
  bytes: number
  fileId: string
  modified: number
}

/** The summary of a session file. Never fails: what cannot be read is a stub. */
export function summarizeSession(env: Environment, file: string): SessionSummary {
  const document = SessionDocument.open(journalStorage(env, file), env.now)
  return document.ok ? summarizeDocument(env, document.value) : stubSummary(env, file, document.error)
}

/** `facts`: for a document that is not complete, those that are known. */
export function summarizeDocument(
  env: Environment,
  document: SessionDocument,
  places: KnownPlaces = {},
  facts: SessionFacts = document.facts,
): SessionSummary {
  const { path: file, header, title, bytes, fileId, modified } = document
  const read: ReadJournal = {
    ...{ path: file, header, title, facts, bytes, fileId, modified },
    entryCount: document.index.count,
    tips: document.index.tips().length,
    rootIds: firstRootIds(document),
    damagedLines: damagedLines(document),
    stub: stubReason(document),
  }
  return summaryOf(env, read, places)
}

export function summaryOf(env: Environment, read: ReadJournal, places: KnownPlaces): SessionSummary {
  const { path: file, header, facts } = read
  return {
    ...artifactFacts(env, file, places),
    file,
    realFile: places.realFile ?? realPathOf(env, file) ?? file,
    id: header?.id ?? parseSessionFileName(path.basename(file)).id,
    version: header?.version ?? null,
    title: read.title.title,
    titleSource: read.title.source,
    cwd: header?.cwd ?? null,
    ...sessionTimes(env, read),
    lastActivityRaw: facts.lastRawTime,
    bytes: read.bytes,
    entryCount: read.entryCount,
    messageCount: facts.messageCount,
    firstPrompt: facts.firstPrompt,
    status: facts.status,
    model: facts.model,
    cost: facts.usage.cost,
    withoutCost: facts.usage.withoutCost,
    parentSession: header?.parentSession ?? null,
    parentRealFile: realPathOf(env, header?.parentSession ?? null),
    previousFiles: previousFiles(file, header),
    rootIds: read.rootIds,
    tips: read.tips,
    damagedLines: read.damagedLines,
    stub: read.stub,
    fileId: read.fileId,
    modified: read.modified,
    counted: true,
  }
}

/**
 * When a session began: by its header, else its file's name, else its entries. When something last happened in it: by its
 * entries; only where nothing in it and about it has a time, by the file.
 */
export function sessionTimes(
  env: Environment,
  { path: file, facts, header, modified }: Pick<SessionDocument, 'path' | 'header' | 'modified'> & Times,
): { created: number | null; lastActivity: number | null } {
  const name = parseSessionFileName(path.basename(file))
  const created = saneTime(header?.timestamp, env.now()) ?? name.created ?? facts.firstTime
  return { created, lastActivity: facts.lastTime ?? created ?? saneTime(modified, env.now()) }
}

type Times = { facts: Pick<SessionFacts, 'firstTime' | 'lastTime'> }

/** Places where it lay before, as its header says; omp writes no header when it archives a session. */
function previousFiles(file: string, header: SessionHeader | null): string[] {
  const before = placeBeforeArchive(file)
  return [...(header?.previousSessionFiles ?? []), ...(before === null ? [] : [before])]
}

/** A path with links resolved; null where there is nothing, or no whole path. */
export function realPathOf(env: Environment, file: string | null): string | null {
  if (file === null || !path.isAbsolute(file)) return null
  const real = attempt('look at', file, () => env.fs.realPath(file))
  return real.ok ? real.value : null
}

/** Roots beyond these are rare and late: gaps in damaged files, and contexts that were begun anew. */
export const ROOTS_KEPT = 16

function firstRootIds({ index }: SessionDocument): string[] {
  const ids: string[] = []
  for (let ordinal = 0; ordinal < index.count && ids.length < ROOTS_KEPT; ordinal++) {
    const id = index.parent(ordinal) === NO_PARENT ? index.id(ordinal) : null
    if (id !== null) ids.push(id)
  }
  return ids
}

/** Where something is lost, a line is lost at least. */
function damagedLines({ damaged, damage }: SessionDocument): number {
  return Math.max(new Set(damaged.map(({ line }) => line)).size, damage === null ? 0 : 1)
}

function stubReason(document: SessionDocument): string | null {
  if (document.index.count > 0 || document.header !== null) return null
  if (document.damage !== null) return document.damage
  if (document.bytes === 0) return 'The file is empty.'
  if (document.damaged.length === 0 && document.pending === null) return 'The file holds only blank lines.'
  return 'The file holds no session: none of its lines is a record.'
}

function artifactFacts(
  env: Environment,
  file: string,
  { hasArtifacts }: KnownPlaces,
): Pick<SessionSummary, 'artifactBytes' | 'artifactCount' | 'subagentCount' | 'hasDraft'> {
  const directory = hasArtifacts === false ? null : artifactDirectoryOf(file)
  const listing = directory === null ? null : listArtifacts(env.fs, directory)
  const files = listing?.files ?? []
  return {
    artifactBytes: listing?.bytes ?? 0,
    artifactCount: files.filter(isArtifact).length,
    subagentCount: files.filter(({ kind }) => kind === 'subagent').length,
    // An empty draft is no draft.
    hasDraft: files.some(({ kind, bytes }) => kind === 'draft' && bytes > 0),
  }
}

/** The summary of a file that cannot be read. */
export function stubSummary(
  env: Environment,
  file: string,
  error: AppError,
  places: KnownPlaces = {},
): SessionSummary {
  const { id, created } = parseSessionFileName(path.basename(file))
  const stat = attempt('look at', file, () => env.fs.stat(file))
  return {
    ...artifactFacts(env, file, places),
    file,
    realFile: places.realFile ?? realPathOf(env, file) ?? file,
    id,
    version: null,
    title: null,
    titleSource: null,
    cwd: null,
    created,
    lastActivity: created,
    lastActivityRaw: null,
    bytes: stat.ok && stat.value.kind === 'file' ? stat.value.size : 0,
    entryCount: 0,
    messageCount: 0,
    firstPrompt: '',
    status: 'unknown',
    model: null,
    cost: null,
    withoutCost: 0,
    parentSession: null,
    parentRealFile: null,
    previousFiles: [],
    rootIds: [],
    tips: 0,
    damagedLines: 0,
    stub: error.message,
    fileId: '',
    modified: 0,
    counted: true,
  }
}
