/**
 * A session that is not on disk (yet): a journal in memory with slot and header, which is read and written as one on disk is.
 * Rule: docs/format.md, Writing.
 *
 * Guarantees: `publishUnwritten` makes the file whole or not at all; the session in memory is unchanged by it. Images become
 * blobs only then.
 */
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import type { BlobWriter } from '../blobs/blob-writer'
import type { Environment } from '../environment'
import { readRange } from '../storage/byte-source'
import { ensureDirectory, removeMadeDirectories } from '../storage/directory-sync'
import { attempt } from '../storage/errors'
import { MemorySessionStorage } from '../storage/memory-session-storage'
import type { SessionStorage, StorageStat } from '../storage/session-storage'
import { readJournalHead } from './journal-head'
import { prepareRecord } from './prepare-record'
import { SessionDocument } from './session-document'
import { type NewHeader, newHeaderLine, slotLineFor } from './session-head'

export type UnwrittenSession = { storage: MemorySessionStorage; document: SessionDocument }

/** A new session without entries. `file` is where it would lie. */
export function newUnwritten(env: Environment, file: string, header: NewHeader): Result<UnwrittenSession> {
  const slot = Buffer.from(slotLineFor({ title: null, source: null }, header.timestamp), 'utf8')
  const bytes = Buffer.concat([slot, newHeaderLine(header), Buffer.from('\n')])
  return unwrittenOf(env, file, bytes)
}

/** The same session for another place: its bytes with another header line. */
export function unwrittenElsewhere(
  env: Environment,
  file: string,
  from: UnwrittenSession,
  change: (header: Uint8Array) => Uint8Array | null,
): Result<UnwrittenSession> {
  const opened = from.storage.open()
  if (!opened.ok) return opened
  const { source } = opened.value
  const { header } = readJournalHead(source)
  const changed =
    header === null ? null : change(readRange(source, header.offset, header.offset + header.length))
  if (header === null || changed === null) return err('internal', `${file} has lost its header.`, file)
  const before = readRange(source, 0, header.offset)
  const after = readRange(source, header.offset + header.length, source.size)
  return unwrittenOf(env, file, Buffer.concat([before, changed, after]))
}

function unwrittenOf(env: Environment, file: string, bytes: Uint8Array): Result<UnwrittenSession> {
  const storage = new MemorySessionStorage(file, bytes)
  const document = SessionDocument.open(storage, env.now)
  return document.ok ? ok({ storage, document: document.value }) : document
}

/**
 * Makes the session's file, its directory too when it is missing. `conflict` when something is there, unless that is the
 * blank file `over`, which was opened as a session.
 */
export function publishUnwritten(
  env: Environment,
  { document }: UnwrittenSession,
  target: SessionStorage,
  blobs: BlobWriter,
  over: StorageStat | null,
): Result<StorageStat> {
  const chunks = preparedChunks(document, blobs)
  if (!chunks.ok) return chunks
  if (over !== null) return target.replace(chunks.value, over)
  const made = attempt('make the folder', path.dirname(target.path), () =>
    ensureDirectory(env, path.dirname(target.path)),
  )
  if (!made.ok) return made
  const created = target.create(chunks.value)
  if (!created.ok) removeMadeDirectories(env.fs, made.value)
  return created
}

function preparedChunks(document: SessionDocument, blobs: BlobWriter): Result<Uint8Array[]> {
  const first = document.index.count === 0 ? document.bytes : document.index.place(0).offset
  const head = document.rawBytes(0, first)
  if (!head.ok) return head
  const chunks = [head.value]
  for (let ordinal = 0; ordinal < document.index.count; ordinal++) {
    const record = document.entry(ordinal)
    if (!record.ok) return record
    const prepared = prepareRecord(record.value, blobs)
    if (!prepared.ok) return prepared
    chunks.push(prepared.value.line)
  }
  return ok(chunks)
}
