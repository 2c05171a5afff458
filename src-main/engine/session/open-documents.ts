/**
 * The sessions that are open for reading. One document per journal, kept while someone looks and dropped
 * least recently used first; reading again costs only what changed.
 *
 * Guarantees: `open` and `read` never write. A document that was handed out stays valid until the next
 * `read` of the same journal.
 */
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment } from '../environment'
import type { Steps } from '../steps'
import { journalStorage } from '../storage/open-journal'
import { SessionDocument, type SessionGrowth } from './session-document'

export class OpenDocuments {
  private readonly env: Environment
  /** In order of use: the first was used longest ago. */
  private readonly documents = new Map<string, SessionDocument>()
  /** Opened, and not handed out by `read` yet. */
  private readonly unread = new Set<string>()

  constructor(env: Environment) {
    this.env = env
  }

  /** The session of a journal, as of now: what changed on disk since it was last read is read first. */
  read(journal: string): Result<{ document: SessionDocument; growth: SessionGrowth }> {
    const known = this.documents.get(journal)
    if (known === undefined) return this.open(journal)
    const growth = known.refresh()
    if (!growth.ok) {
      this.documents.delete(journal)
      return growth
    }
    this.keep(journal, known)
    const first = this.unread.delete(journal)
    return ok({ document: known, growth: first ? 'rewritten' : growth.value })
  }

  /** The session as it was last read; null when it is not open. */
  known(journal: string): SessionDocument | null {
    return this.documents.get(journal) ?? null
  }

  /** Opens a session in steps, a large one by heads: it has to be completed. One that is open stays as it is. */
  *opening(journal: string): Steps<Result<SessionDocument>> {
    const known = this.documents.get(journal)
    if (known !== undefined) return ok(known)
    const storage = journalStorage(this.env, journal)
    const stat = storage.stat()
    if (!stat.ok) return stat
    const byHeads = stat.value.size > limits.wholeBytes
    const document = yield* SessionDocument.opening(storage, this.env.now, byHeads)
    if (!document.ok) return document
    this.keep(journal, document.value)
    this.unread.add(journal)
    return document
  }

  /** The session as it was last read, without a look at the disk; reads it when it is not open. */
  current(journal: string): Result<SessionDocument> {
    const known = this.documents.get(journal)
    if (known !== undefined) return ok(known)
    const opened = this.open(journal)
    return opened.ok ? ok(opened.value.document) : opened
  }

  private open(journal: string): Result<{ document: SessionDocument; growth: SessionGrowth }> {
    const document = SessionDocument.open(journalStorage(this.env, journal), this.env.now)
    if (!document.ok) return document
    this.keep(journal, document.value)
    return ok({ document: document.value, growth: 'rewritten' })
  }

  private keep(journal: string, document: SessionDocument): void {
    this.documents.delete(journal)
    this.documents.set(journal, document)
    for (const oldest of this.documents.keys()) {
      if (this.documents.size <= limits.openDocuments) break
      this.documents.delete(oldest)
    }
  }
}
