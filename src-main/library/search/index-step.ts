/** One step of an update of the index: what some lines of a journal add, and how it is written. */
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { DatabaseSyncInstance as DatabaseSync } from '@photostructure/sqlite'
import { foldText } from '@shared/search/fold'
import { indexTerms } from '@shared/search/tokens'
import { entryTime } from '../reading/transcript-rows'
import { entryTexts } from './entry-texts'
import type { ScannedText } from './growing-scan'
import { BLOCK_PLACES } from './index-file'
import { failedCall, placedPath, touchesOf } from './touched-files'

/** What is known of a file that is being indexed. */
export type FileState = {
  path: string
  cwd: string | null
  /** Null until its first step is written. */
  id: number | null
  fileId: string
  size: number
  modified: number
  /** What the index holds before the next step that is written; another writer may have changed it. */
  written: { position: number; fileId: string } | null
  /** Another writer came in between: the rest is left to the next update. */
  lost: boolean
}

/** What an entry holds, as terms; empty: nothing of the kind. */
type TextRow = { ordinal: number; offset: number; length: number; talk: string; thinking: string }
type TouchRow = {
  ordinal: number
  offset: number
  length: number
  path: string
  how: string
  time: number | null
  call: string | null
}

/** `partial`: more steps follow. `whole`: all whole lines. `old`: as whole, but growth needs a new beginning. */
export type StepState = 'partial' | 'whole' | 'old'
export const STEP_STATES: readonly StepState[] = ['partial', 'whole', 'old']

export class IndexStep {
  readonly file: FileState
  /** The first step of a file: what was there of it goes. */
  readonly anew: boolean
  readonly texts: TextRow[] = []
  readonly touches: TouchRow[] = []
  readonly failed: string[] = []
  readonly hashes: number[] = []
  /** Units of text, by which steps are gathered. */
  units = 0
  position = 0
  /** Bytes behind that: of an archived session unpacked ones, as all places are. */
  rest = 0
  entries = 0
  tail: Uint8Array = new Uint8Array()
  state: StepState = 'partial'
  private readonly now: number

  constructor(file: FileState, anew: boolean, now: number) {
    this.file = file
    this.anew = anew
    this.now = now
  }

  add({ ordinal, offset, length, id, record }: ScannedText): void {
    if (id !== null) this.hashes.push(idHash(id))
    const talk = new Set<string>()
    const thinking = new Set<string>()
    for (const { kind, text } of entryTexts(record)) {
      if (kind === 'all') continue
      this.units += text.length
      indexTerms(foldText(text), kind === 'talk' ? talk : thinking)
    }
    if (talk.size + thinking.size > 0) {
      const terms = { talk: [...talk].join(' '), thinking: [...thinking].join(' ') }
      this.texts.push({ ordinal, offset, length, ...terms })
    }
    for (const { path: file, how, callId } of touchesOf(record)) {
      const { time } = entryTime(record, this.now)
      const place = placedPath(file, this.file.cwd)
      this.touches.push({ ordinal, offset, length, path: place, how, time, call: callId })
    }
    const failed = failedCall(record)
    if (failed !== null) this.failed.push(failed)
  }
}

/** FNV-1a: tells ids apart well enough to know which need a closer look. */
export function idHash(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

export function tailHash(bytes: Uint8Array): Uint8Array {
  return createHash('sha1').update(bytes).digest()
}

const HASHES_PER_CHUNK = 1024

/** Writes steps, each whole or not at all together with the others of its transaction. */
export class StepWriter {
  private readonly db: DatabaseSync
  private readonly sql: ReturnType<typeof statements>

  constructor(db: DatabaseSync) {
    this.db = db
    this.sql = statements(db)
  }

  write(steps: readonly IndexStep[]): void {
    this.transaction(() => {
      for (const step of steps) if (!step.file.lost) this.writeStep(step)
    })
  }

  remove(id: number): void {
    this.transaction(() => this.removeRows(id))
  }

  private transaction(work: () => void): void {
    this.db.exec('BEGIN IMMEDIATE')
    try {
      work()
      this.db.exec('COMMIT')
    } catch (thrown) {
      this.db.exec('ROLLBACK')
      throw thrown
    }
  }

  private writeStep(step: IndexStep): void {
    const { file } = step
    const row = this.sql.fileAt.get(file.path)
    const there = fileRow(row)
    const expected = file.written
    if (
      (there === null) !== (expected === null) ||
      (there !== null && there.position !== expected?.position) ||
      (there !== null && there.fileId !== expected?.fileId)
    ) {
      file.lost = true
      return
    }
    if (step.anew && there !== null) this.removeRows(there.id)
    const kept = step.anew ? null : there
    const id = kept?.id ?? Number(this.sql.addFile.run(file.path, file.fileId).lastInsertRowid)
    file.id = id
    const texts = this.writeTexts(id, kept?.texts ?? 0, step.texts)
    this.writeTouches(id, step)
    this.writeHashes(id, kept?.entries ?? 0, step.hashes)
    this.sql.setFile.run(
      file.fileId,
      file.size,
      file.modified,
      step.position,
      step.rest,
      step.entries,
      texts,
      step.tail,
      STEP_STATES.indexOf(step.state),
      id,
    )
    file.written = { position: step.position, fileId: file.fileId }
  }

  /** Writes texts behind the `before` that the file has; answers how many it has then. */
  private writeTexts(id: number, before: number, texts: readonly TextRow[]): number {
    let block = before % BLOCK_PLACES === 0 ? 0 : numberIn(this.sql.lastBlock.get(id), 'id')
    let used = before
    for (const { ordinal, offset, length, talk, thinking } of texts) {
      if (used % BLOCK_PLACES === 0) block = Number(this.sql.addBlock.run(id).lastInsertRowid)
      const place = block * BLOCK_PLACES + (used % BLOCK_PLACES)
      used++
      this.sql.addEntry.run(place, ordinal, offset, length)
      if (talk !== '') this.sql.addWords.run(place * 2, talk)
      if (thinking !== '') this.sql.addWords.run(place * 2 + 1, thinking)
    }
    return used
  }

  private writeTouches(id: number, step: IndexStep): void {
    for (const { path: place, ordinal, offset, length, how, time, call } of step.touches) {
      this.sql.addPlace.run(place, path.posix.basename(place))
      this.sql.addTouch.run(id, ordinal, offset, length, how, time, call, place)
    }
    for (const call of step.failed) this.sql.dropTouch.run(id, call)
  }

  private writeHashes(id: number, before: number, hashes: readonly number[]): void {
    for (let at = 0; at < hashes.length; at += HASHES_PER_CHUNK) {
      const part = Uint32Array.from(hashes.slice(at, at + HASHES_PER_CHUNK))
      this.sql.addHashes.run(id, before + at, new Uint8Array(part.buffer))
    }
  }

  private removeRows(id: number): void {
    for (const row of this.sql.blocksOf.all(id)) {
      const first = numberIn(row, 'id') * BLOCK_PLACES
      const last = first + BLOCK_PLACES - 1
      for (const entry of this.sql.entriesOf.all(first, last)) {
        const place = numberIn(entry, 'id')
        this.sql.dropWords.run(place * 2)
        this.sql.dropWords.run(place * 2 + 1)
      }
      this.sql.dropEntries.run(first, last)
    }
    this.sql.dropBlocks.run(id)
    this.sql.dropTouches.run(id)
    this.sql.dropHashes.run(id)
    this.sql.dropFile.run(id)
  }
}

function statements(db: DatabaseSync) {
  return {
    fileAt: db.prepare('SELECT id, file_id, position, entries, texts FROM file WHERE path = ?'),
    addFile: writing(
      db,
      "INSERT INTO file (path, file_id, size, modified, position, rest, entries, texts, tail, whole) VALUES (?, ?, 0, 0, 0, 0, 0, 0, x'', 0)",
    ),
    setFile: writing(
      db,
      'UPDATE file SET file_id = ?, size = ?, modified = ?, position = ?, rest = ?, entries = ?, texts = ?, tail = ?, whole = ? WHERE id = ?',
    ),
    addEntry: writing(db, 'INSERT INTO entry (id, ordinal, offset, length) VALUES (?, ?, ?, ?)'),
    addWords: writing(db, 'INSERT INTO words (rowid, text) VALUES (?, ?)'),
    addPlace: writing(db, 'INSERT OR IGNORE INTO place (path, name) VALUES (?, ?)'),
    addTouch: writing(
      db,
      'INSERT OR REPLACE INTO touch (file, place, ordinal, offset, length, how, time, call) SELECT ?, id, ?, ?, ?, ?, ?, ? FROM place WHERE path = ?',
    ),
    dropTouch: writing(db, 'DELETE FROM touch WHERE file = ? AND call = ?'),
    addHashes: writing(db, 'INSERT OR REPLACE INTO ids (file, chunk, hashes) VALUES (?, ?, ?)'),
    lastBlock: db.prepare('SELECT max(id) AS id FROM block WHERE file = ?'),
    addBlock: writing(db, 'INSERT INTO block (file) VALUES (?)'),
    blocksOf: db.prepare('SELECT id FROM block WHERE file = ?'),
    dropBlocks: writing(db, 'DELETE FROM block WHERE file = ?'),
    entriesOf: db.prepare('SELECT id FROM entry WHERE id BETWEEN ? AND ?'),
    dropWords: writing(db, 'DELETE FROM words WHERE rowid = ?'),
    dropEntries: writing(db, 'DELETE FROM entry WHERE id BETWEEN ? AND ?'),
    dropTouches: writing(db, 'DELETE FROM touch WHERE file = ?'),
    dropHashes: writing(db, 'DELETE FROM ids WHERE file = ?'),
    dropFile: writing(db, 'DELETE FROM file WHERE id = ?'),
  }
}

/**
 * FTS5 has rows of its own whose numbers are larger than a JavaScript number can be, and every statement that writes is answered with the
 * number of the last row.
 */
function writing(db: DatabaseSync, sql: string) {
  const statement = db.prepare(sql)
  statement.setReadBigInts(true)
  return statement
}

function fileRow(row: unknown) {
  if (typeof row !== 'object' || row === null) return null
  return {
    id: numberIn(row, 'id'),
    fileId: textIn(row, 'file_id'),
    position: numberIn(row, 'position'),
    entries: numberIn(row, 'entries'),
    texts: numberIn(row, 'texts'),
  }
}

/** A column of a row, a number. Rows come as values of unknown shape. */
export function numberIn(row: unknown, column: string): number {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, column) : null
  return typeof value === 'number' ? value : Number(value ?? 0)
}

/** A column of a row, a text. */
export function textIn(row: unknown, column: string): string {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, column) : null
  return typeof value === 'string' ? value : ''
}

/** A column of a row, bytes. */
export function bytesIn(row: unknown, column: string): Uint8Array {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, column) : null
  return value instanceof Uint8Array ? value : new Uint8Array()
}
