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
import { hashOfBytes } from '../storage/verified-write'
import { readJournalHead } from './journal-head'
import { prepareRecord } from './prepare-record'
import { SessionDocument } from './session-document'
import { type NewHeader, newHeaderLine, slotLineFor } from './session-head'

export type UnwrittenSession = {
  storage: MemorySessionStorage
  document: SessionDocument
  /** SHA-256 of what a failed attempt to make the file wrote: it may be there although nobody was told. */
  attempted: string | null
}

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
  return document.ok ? ok({ storage, document: document.value, attempted: null }) : document
}

/**
 * Makes the session's file, its directory too when it is missing. `conflict` when something is there, unless that is the
 * blank file `over`, which was opened as a session, or what an earlier attempt left that could not be taken back.
 */
export function publishUnwritten(
  env: Environment,
  session: UnwrittenSession,
  target: SessionStorage,
  blobs: BlobWriter,
  over: StorageStat | null,
): Result<{ stat: StorageStat; bytes: Uint8Array }> {
  const chunks = preparedChunks(session.document, blobs)
  if (!chunks.ok) return chunks
  const bytes = Buffer.concat(chunks.value)
  const left = session.attempted === null ? null : stateOfCopy(target, session.attempted)
  session.attempted = hashOfBytes(bytes)
  const stat = writeUnwritten(env, target, bytes, left ?? over)
  return stat.ok ? ok({ stat: stat.value, bytes }) : stat
}

function writeUnwritten(
  env: Environment,
  target: SessionStorage,
  bytes: Uint8Array,
  over: StorageStat | null,
): Result<StorageStat> {
  if (over !== null) return target.replace([bytes], over)
  const made = attempt('make the folder', path.dirname(target.path), () =>
    ensureDirectory(env, path.dirname(target.path)),
  )
  if (!made.ok) return made
  const created = target.create([bytes])
  if (!created.ok) removeMadeDirectories(env.fs, made.value)
  return created
}

/** The state of the file when it holds exactly the bytes of this hash. */
function stateOfCopy(target: SessionStorage, hash: string): StorageStat | null {
  const opened = target.open()
  if (!opened.ok) return null
  const { source, stat } = opened.value
  const bytes = attempt('read', target.path, () => readRange(source, 0, source.size))
  source.close()
  return bytes.ok && hashOfBytes(bytes.value) === hash ? stat : null
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
