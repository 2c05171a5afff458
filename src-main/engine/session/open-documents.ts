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
import { FileSessionStorage } from '../storage/file-session-storage'
import { SessionDocument, type SessionGrowth } from './session-document'

export class OpenDocuments {
  private readonly env: Environment
  /** In order of use: the first was used longest ago. */
  private readonly documents = new Map<string, SessionDocument>()

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
    return ok({ document: known, growth: growth.value })
  }

  /** The session as it was last read, without a look at the disk; reads it when it is not open. */
  current(journal: string): Result<SessionDocument> {
    const known = this.documents.get(journal)
    if (known !== undefined) return ok(known)
    const opened = this.open(journal)
    return opened.ok ? ok(opened.value.document) : opened
  }

  private open(journal: string): Result<{ document: SessionDocument; growth: SessionGrowth }> {
    const document = SessionDocument.open(new FileSessionStorage(this.env, journal), this.env.now)
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
