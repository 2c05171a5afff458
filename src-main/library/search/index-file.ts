/**
 * THE SEARCH INDEX: an SQLite file in Grove's own data.
 *
 * Guarantees
 *   It can be removed at any time: nothing is in it but what the sessions hold. One that is damaged, of another version or of another
 *   program is deleted and begun anew; that is never an error to the user.
 *   Each step of an update is one transaction: after the end of the process at any moment the index is as after the last whole step, and
 *   is continued from there. Readers never wait for the writer (WAL), and another writer is waited for.
 *   The text itself is not in it: of each entry the words it holds, once each, without their places (`detail=none`). What it finds is a
 *   candidate until the entry was read.
 *
 * Entries with text have a place each; places go to files in blocks, one after the other, as they are needed, so that they are dense:
 * what lies close together takes few bytes in FTS5. Rows of `words` are numbered by place: twice the place is what was said in the entry,
 * and one more what was thought.
 */
import path from 'node:path'
import type { DatabaseSyncInstance as DatabaseSync } from '@photostructure/sqlite'
import { err, ok, type Result } from '@shared/ipc/result'
import type { Environment } from '../../engine/environment'
import { ensureDirectory } from '../../engine/storage/directory-sync'
import { attempt, errnoOf } from '../../engine/storage/errors'
import { groveData } from '../grove-data'

const FILE = 'search-index.sqlite'
/** "GrvS", so that another program's file is known as such. */
const APPLICATION = 0x47727653
/** Raised whenever the tables, or what is put into them, mean something else. */
const VERSION = 4
const BUSY_MS = 5_000

/** Places of a block. Larger ones leave more of them empty. */
export const BLOCK_PLACES = 32

const SCHEMA = `
CREATE TABLE file (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, file_id TEXT NOT NULL, size INTEGER NOT NULL, modified REAL NOT NULL,
  position INTEGER NOT NULL, rest INTEGER NOT NULL, entries INTEGER NOT NULL, texts INTEGER NOT NULL, tail BLOB NOT NULL, whole INTEGER NOT NULL
);
CREATE TABLE block (id INTEGER PRIMARY KEY, file INTEGER NOT NULL);
CREATE INDEX block_file ON block (file);
CREATE TABLE entry (id INTEGER PRIMARY KEY, ordinal INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL);
CREATE TABLE ids (file INTEGER NOT NULL, chunk INTEGER NOT NULL, hashes BLOB NOT NULL, PRIMARY KEY (file, chunk)) WITHOUT ROWID;
CREATE TABLE place (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE INDEX place_name ON place (name);
CREATE TABLE touch (
  file INTEGER NOT NULL, place INTEGER NOT NULL, ordinal INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
  how TEXT NOT NULL, time REAL, call TEXT, PRIMARY KEY (file, ordinal, place)
) WITHOUT ROWID;
CREATE INDEX touch_place ON touch (place);
CREATE VIRTUAL TABLE words USING fts5(
  text, content='', contentless_delete=1, detail=none, tokenize='ascii'
);
INSERT INTO words(words, rank) VALUES ('hashsize', 8388608);
`

/** The words of the index, for who asks: in memory, a view of what is there. */
const VOCABULARY = "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'words', 'instance')"

export type OpenIndex = { db: DatabaseSync; file: string }

export function indexPath(env: Environment): string {
  return path.join(groveData(env).directory, FILE)
}

/** Opens the index to be written, and makes it where there is none, or none that can be used. */
export async function openIndexForWriting(env: Environment): Promise<Result<OpenIndex>> {
  const made = attempt('make', groveData(env).directory, () =>
    ensureDirectory(env, groveData(env).directory, 0o700),
  )
  if (!made.ok) return made
  const first = await openWith(env, true)
  if (first.ok) return first
  removeIndex(env)
  return openWith(env, true)
}

/** Opens the index to be asked; `not-found` where there is none that can be used. */
export async function openIndexForReading(env: Environment): Promise<Result<OpenIndex>> {
  const there = attempt('read', indexPath(env), () => env.fs.stat(indexPath(env)))
  return there.ok ? openWith(env, false) : there
}

async function openWith(env: Environment, write: boolean): Promise<Result<OpenIndex>> {
  const file = indexPath(env)
  let db: DatabaseSync | null = null
  try {
    const sqlite = await import('@photostructure/sqlite')
    db = new sqlite.DatabaseSync(file)
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    const version = numberOf(db, 'PRAGMA user_version')
    const application = numberOf(db, 'PRAGMA application_id')
    if (
      version === 0 &&
      application === 0 &&
      write &&
      numberOf(db, 'SELECT count(*) FROM sqlite_schema') === 0
    )
      makeTables(db)
    else if (version !== VERSION || application !== APPLICATION) {
      db.close()
      return err('unsupported-version', `${file} is no search index of this version.`, file)
    }
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY')
    if (!write) db.exec(`${VOCABULARY}; PRAGMA query_only = 1`)
    // What is damaged beyond reading shows itself here.
    db.prepare('SELECT count(*) FROM file').get()
    return ok({ db, file })
  } catch (thrown) {
    closeQuietly(db)
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    return err('damaged', `The search index ${file} cannot be used: ${reason}.`, file)
  }
}

function makeTables(db: DatabaseSync): void {
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have been first.
    if (numberOf(db, 'PRAGMA user_version') === 0) {
      db.exec(SCHEMA)
      db.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${VERSION}`)
    }
    db.exec('COMMIT')
  } catch (thrown) {
    db.exec('ROLLBACK')
    throw thrown
  }
}

/** Deletes the index; whoever has it open goes on with what is deleted. */
export function removeIndex(env: Environment): void {
  for (const suffix of ['', '-wal', '-shm']) {
    try {
      env.fs.unlink(indexPath(env) + suffix)
    } catch (thrown) {
      if (errnoOf(thrown) === undefined) throw thrown
    }
  }
}

export function closeQuietly(db: DatabaseSync | null): void {
  try {
    db?.close()
  } catch {
    // It is closed, or cannot be used: either way it is let go.
  }
}

/** The first column of the first row, a number. */
export function numberOf(db: DatabaseSync, sql: string, ...values: (string | number)[]): number {
  const row: unknown = db.prepare(sql).get(...values)
  const value: unknown = typeof row === 'object' && row !== null ? Object.values(row)[0] : null
  return typeof value === 'number' ? value : Number(value ?? 0)
}
