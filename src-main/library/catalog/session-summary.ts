/**
 * One session in a list, from a scan of its whole journal and a look at its artifact directory. Counts are
 * true counts. A file that cannot be read gives a stub with the reason; nothing here fails or writes.
 */
import path from 'node:path'
import type { AppError } from '@shared/ipc/result'
import { saneTime } from '@shared/session/sane-time'
import { NO_PARENT } from '@shared/session/session-entry-index'
import type { SessionStatus } from '@shared/session/status'
import type { TitleSource } from '@shared/session/title-slot'
import { isArtifact, listArtifacts } from '../../engine/artifacts/artifact-directory'
import type { Environment } from '../../engine/environment'
import { artifactDirectoryOf, parseSessionFileName } from '../../engine/layout/session-paths'
import { SessionDocument } from '../../engine/session/session-document'
import { attempt } from '../../engine/storage/errors'
import { FileSessionStorage } from '../../engine/storage/file-session-storage'

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
}

/** The summary of a session file. Never fails: what cannot be read is a stub. */
export function summarizeSession(env: Environment, file: string): SessionSummary {
  const document = SessionDocument.open(new FileSessionStorage(env, file), env.now)
  return document.ok ? summarizeDocument(env, document.value) : stubSummary(env, file, document.error)
}

export function summarizeDocument(env: Environment, document: SessionDocument): SessionSummary {
  const { facts, header, index } = document
  const { title, source } = document.title
  return {
    ...artifactFacts(env, document.path),
    file: document.path,
    realFile: realPathOf(env, document.path) ?? document.path,
    id: document.id,
    version: document.version,
    title,
    titleSource: source,
    cwd: header?.cwd ?? null,
    ...sessionTimes(env, document),
    lastActivityRaw: facts.lastRawTime,
    bytes: document.bytes,
    entryCount: index.count,
    messageCount: facts.messageCount,
    firstPrompt: facts.firstPrompt,
    status: facts.status,
    model: facts.model,
    cost: facts.usage.cost,
    withoutCost: facts.usage.withoutCost,
    parentSession: header?.parentSession ?? null,
    parentRealFile: realPathOf(env, header?.parentSession ?? null),
    previousFiles: header?.previousSessionFiles ?? [],
    rootIds: firstRootIds(document),
    tips: index.tips().length,
    damagedLines: new Set(document.damaged.map(({ line }) => line)).size,
    stub: stubReason(document),
    fileId: document.fileId,
    modified: document.modified,
  }
}

/**
 * When a session began: by its header, else its file's name, else its entries. When something last happened in it: by its
 * entries; only where nothing in it and about it has a time, by the file.
 */
export function sessionTimes(
  env: Environment,
  document: SessionDocument,
): { created: number | null; lastActivity: number | null } {
  const { facts, header } = document
  const name = parseSessionFileName(path.basename(document.path))
  const created = saneTime(header?.timestamp, env.now()) ?? name.created ?? facts.firstTime
  return { created, lastActivity: facts.lastTime ?? created ?? saneTime(document.modified, env.now()) }
}

function realPathOf(env: Environment, file: string | null): string | null {
  if (file === null || !path.isAbsolute(file)) return null
  const real = attempt('look at', file, () => env.fs.realPath(file))
  return real.ok ? real.value : null
}

/** Roots beyond these are rare and late: gaps in damaged files, and contexts that were begun anew. */
const ROOTS_KEPT = 16

function firstRootIds({ index }: SessionDocument): string[] {
  const ids: string[] = []
  for (let ordinal = 0; ordinal < index.count && ids.length < ROOTS_KEPT; ordinal++) {
    const id = index.parent(ordinal) === NO_PARENT ? index.id(ordinal) : null
    if (id !== null) ids.push(id)
  }
  return ids
}

function stubReason(document: SessionDocument): string | null {
  if (document.index.count > 0 || document.header !== null) return null
  if (document.bytes === 0) return 'The file is empty.'
  if (document.damaged.length === 0 && document.pending === null) return 'The file holds only blank lines.'
  return 'The file holds no session: none of its lines is a record.'
}

function artifactFacts(
  env: Environment,
  file: string,
): Pick<SessionSummary, 'artifactBytes' | 'artifactCount' | 'subagentCount' | 'hasDraft'> {
  const directory = artifactDirectoryOf(file)
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

function stubSummary(env: Environment, file: string, error: AppError): SessionSummary {
  const { id, created } = parseSessionFileName(path.basename(file))
  const stat = attempt('look at', file, () => env.fs.stat(file))
  return {
    ...artifactFacts(env, file),
    file,
    realFile: realPathOf(env, file) ?? file,
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
  }
}
