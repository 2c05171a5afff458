/**
 * The sessions of a folder as a list tells them, from whole journals: counts are true counts, where omp estimates them from
 * the first 4 KiB. Looks only. Rule: docs/format.md, Listing and Finding a session.
 */
import { ok, type Result } from '@shared/ipc/result'
import type { SessionStatus } from '@shared/session/status'
import type { Usage } from '@shared/session/usage'
import type { Environment } from '../environment'
import { FileSessionStorage } from '../storage/file-session-storage'
import { SessionDocument } from './session-document'
import { listAllSessionHeads, listSessionHeads, type SessionHead } from './session-heads'

export type ListedSession = SessionHead & {
  /** A session id or a path, as written. */
  parentSession: string | null
  /** Bytes of the journal. */
  size: number
  entryCount: number
  messageCount: number
  /** What the user typed first, on one line; empty when nothing was. */
  firstPrompt: string
  status: SessionStatus
  usage: Usage
}

/** The sessions directly in `directory`, the one that was written last first. */
export function listSessions(env: Environment, directory: string): Result<ListedSession[]> {
  return described(env, listSessionHeads(env, directory))
}

/** The sessions of every folder of a sessions root. */
export function listAllSessions(env: Environment, sessionsDir: string): Result<ListedSession[]> {
  return described(env, listAllSessionHeads(env, sessionsDir))
}

function described(env: Environment, heads: Result<SessionHead[]>): Result<ListedSession[]> {
  if (!heads.ok) return heads
  const listed: ListedSession[] = []
  for (const head of heads.value) {
    const document = SessionDocument.open(new FileSessionStorage(env, head.file), env.now)
    // Gone since its first lines were read.
    if (!document.ok) continue
    const { facts, header, bytes, index, title } = document.value
    listed.push({
      ...head,
      title: title.title,
      parentSession: header?.parentSession ?? null,
      size: bytes,
      entryCount: index.count,
      messageCount: facts.messageCount,
      firstPrompt: facts.firstPrompt,
      status: facts.status,
      usage: facts.usage,
    })
  }
  return ok(listed)
}
