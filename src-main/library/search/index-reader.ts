/**
 * The search index as those who ask see it. Asking never waits for who writes. Where there is no index, or one that cannot be read,
 * every answer is that nothing is covered: the files are then read instead.
 */
import type { DatabaseSyncInstance as DatabaseSync } from '@photostructure/sqlite'
import { queryTerms } from '@shared/search/tokens'
import type { Environment } from '../../engine/environment'
import { errnoOf } from '../../engine/storage/errors'
import { BLOCK_PLACES, closeQuietly, indexPath, numberOf, openIndexForReading } from './index-file'
import { IndexQuestions } from './index-question'
import { numberIn, textIn } from './index-step'
import { isCovered, knownFiles } from './index-update'
import type { SearchTarget } from './search-target'
import { fitsPath } from './touched-files'

/** Rows that are looked at of one question, at each end of the index: words that are in more tell nothing. */
const MOST_ROWS = 3_000
/** The same for the first of them. */
const FIRST_ROWS = 300

export type EntryPlace = { ordinal: number; offset: number; length: number }

export type Candidates = {
  /** Rows of `words` by the file they are of. */
  rows: Map<number, number[]>
  /** There are more rows than these. */
  cut: boolean
}

export type TouchFound = {
  file: string
  path: string
  ordinal: number
  offset: number
  length: number
  how: string
  time: number | null
}

type Known = ReturnType<typeof knownFiles>

export class IndexReader {
  private readonly env: Environment
  private db: DatabaseSync | null = null
  private questions: IndexQuestions | null = null
  private inode = ''
  private version = -1
  private known: Known = new Map()
  /** Block -> the number of its file, of those that were met. */
  private readonly blocks = new Map<number, number>()
  /** Why it cannot be read, since it was last tried; null when it can, or is not there. */
  problem: string | null = null

  constructor(env: Environment) {
    this.env = env
  }

  /** Looks whether there is an index, and what it holds now. Before each question. */
  async refresh(): Promise<void> {
    const inode = this.inodeNow()
    if (this.db !== null && inode === this.inode) {
      this.attempt(db => this.readKnown(db))
      return
    }
    this.close()
    if (inode === '') return
    const opened = await openIndexForReading(this.env)
    if (!opened.ok) {
      this.problem = opened.error.message
      return
    }
    this.db = opened.value.db
    this.inode = inode
    this.problem = null
    this.questions = this.attempt(db => new IndexQuestions(db))
    this.attempt(db => this.readKnown(db))
  }

  private inodeNow(): string {
    try {
      const stat = this.env.fs.stat(indexPath(this.env))
      return `${stat.dev}:${stat.ino}`
    } catch (thrown) {
      if (errnoOf(thrown) === undefined) throw thrown
      return ''
    }
  }

  private readKnown(db: DatabaseSync): void {
    const version = numberOf(db, 'PRAGMA data_version')
    if (version === this.version) return
    this.known = knownFiles(db)
    this.blocks.clear()
    this.questions?.forget()
    this.version = version
  }

  close(): void {
    closeQuietly(this.db)
    this.db = null
    this.questions = null
    this.known = new Map()
    this.version = -1
  }

  /** An index that fails is not asked again until it is another. */
  private attempt<T>(ask: (db: DatabaseSync) => T): T | null {
    if (this.db === null) return null
    try {
      return ask(this.db)
    } catch (thrown) {
      this.problem = `The search index failed: ${thrown instanceof Error ? thrown.message : String(thrown)}.`
      closeQuietly(this.db)
      this.db = null
      this.questions = null
      this.known = new Map()
      this.version = -1
      return null
    }
  }

  /** The number of the file in the index; null when its newest state is not in it, to the last byte. */
  fileNumber(target: SearchTarget): number | null {
    const known = this.known.get(target.file)
    return known !== undefined && isCovered(known, target) && known.rest === 0 ? known.id : null
  }

  /** Whether its whole lines are in the index, as far as was listed. */
  covers(target: SearchTarget): boolean {
    return isCovered(this.known.get(target.file), target)
  }

  /** Whether there is anything to be asked for these folded words. */
  canAsk(words: readonly string[]): boolean {
    return this.questions !== null && words.length > 0 && words.every(word => queryTerms(word).length > 0)
  }

  /** Entries that hold all terms of these folded words; null when the index cannot be asked. */
  candidates(words: readonly string[], thinking: boolean): Candidates | null {
    return this.rowsOf(
      this.attempt(() => this.questions?.whole(words) ?? null),
      thinking,
      MOST_ROWS,
    )
  }

  /** Some of `candidates`, at once; null where all are known as quickly. */
  firstCandidates(words: readonly string[], thinking: boolean): Candidates | null {
    return this.rowsOf(
      this.attempt(() => this.questions?.part(words) ?? null),
      thinking,
      FIRST_ROWS,
    )
  }

  private rowsOf(match: string | null, thinking: boolean, most: number): Candidates | null {
    if (match === null) return null
    if (match === '') return { rows: new Map(), cut: false }
    return this.attempt(db => {
      const ask = (order: string) =>
        db
          .prepare(`SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid ${order} LIMIT ${most}`)
          .all(match)
          .map(row => numberIn(row, 'id'))
      const first = ask('ASC')
      const cut = first.length === most
      const rows = new Map<number, number[]>()
      const fileOf = this.fileOfBlocks(db)
      for (const row of new Set(cut ? [...first, ...ask('DESC')] : first)) {
        if (!thinking && row % 2 === 1) continue
        const file = fileOf(Math.floor(row / 2 / BLOCK_PLACES))
        const list = rows.get(file)
        if (list === undefined) rows.set(file, [row])
        else list.push(row)
      }
      for (const list of rows.values()) list.sort((a, b) => a - b)
      return { rows, cut }
    })
  }

  /** By the index as it was at the last `refresh`; a block that came since is no file's that is known. */
  private fileOfBlocks(db: DatabaseSync): (block: number) => number {
    const ask = db.prepare('SELECT file FROM block WHERE id = ?')
    return block => {
      const known = this.blocks.get(block)
      if (known !== undefined) return known
      const file = numberIn(ask.get(block), 'file')
      this.blocks.set(block, file)
      return file
    }
  }

  /** Where the entries of rows stand. Row -> place. */
  places(rows: readonly number[]): Map<number, EntryPlace> {
    const places = new Map<number, EntryPlace>()
    this.attempt(db => {
      const ask = db.prepare('SELECT ordinal, offset, length FROM entry WHERE id = ?')
      for (const row of rows) {
        const found: unknown = ask.get(Math.floor(row / 2))
        if (found !== undefined)
          places.set(row, {
            ordinal: numberIn(found, 'ordinal'),
            offset: numberIn(found, 'offset'),
            length: numberIn(found, 'length'),
          })
      }
    })
    return places
  }

  /** Changes of files that fit a path, by what is in the index. */
  touches(asked: string): TouchFound[] {
    const name = asked.slice(asked.lastIndexOf('/') + 1)
    return this.touchRows('place.name = ?', name).filter(touch => fitsPath(touch.path, asked))
  }

  touchesOf(target: SearchTarget): TouchFound[] {
    const known = this.known.get(target.file)
    return known === undefined ? [] : this.touchRows('touch.file = ?', known.id)
  }

  private touchRows(where: string, value: string | number): TouchFound[] {
    const sql = `SELECT file.path AS file, place.path AS path, ordinal, offset, length, how, time
      FROM touch JOIN place ON place.id = touch.place JOIN file ON file.id = touch.file WHERE ${where} ORDER BY touch.file, ordinal`
    const rows = this.attempt(db => db.prepare(sql).all(value)) ?? []
    return rows.map(row => {
      const time: unknown = Reflect.get(row, 'time')
      return {
        file: textIn(row, 'file'),
        path: textIn(row, 'path'),
        ordinal: numberIn(row, 'ordinal'),
        offset: numberIn(row, 'offset'),
        length: numberIn(row, 'length'),
        how: textIn(row, 'how'),
        time: typeof time === 'number' ? time : null,
      }
    })
  }
}
