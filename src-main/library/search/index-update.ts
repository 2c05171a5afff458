/**
 * Brings the search index up to date: files that are as they were are not opened, one that grew is read from where it ended, any other
 * from its start. Newest sessions first. Between its steps other work gets its turn.
 */
import path from 'node:path'
import type { DatabaseSyncInstance as DatabaseSync } from '@photostructure/sqlite'
import type { Environment, WorkContext } from '../../engine/environment'
import { type ByteSource, readRange } from '../../engine/storage/byte-source'
import { errnoOf } from '../../engine/storage/errors'
import { journalStorage } from '../../engine/storage/open-journal'
import { GrowingScan } from './growing-scan'
import {
  bytesIn,
  type FileState,
  IndexStep,
  idHash,
  numberIn,
  STEP_STATES,
  StepWriter,
  tailHash,
  textIn,
} from './index-step'
import { newestFirst, type SearchTarget } from './search-target'

/** Bytes of a journal that are read in one go: some ten milliseconds. */
const STEP_BYTES = 512 * 1024
/** What is gathered before it is written. */
const WRITE_UNITS = 2 * 1024 * 1024
const WRITE_STEPS = 64
/** Bytes before the read end that must be unchanged for growth to be growth, as in `SessionDocument`. */
const TAIL_BYTES = 4096

export type IndexReport = {
  /** Sessions whose state, as it was listed, is in the index. */
  indexed: number
  all: number
  /** Files that had to be opened. */
  opened: number
}

type Known = {
  id: number
  fileId: string
  size: number
  modified: number
  position: number
  /** Bytes behind `position` that the index does not hold: of a line that is not ended. */
  rest: number
  entries: number
  state: (typeof STEP_STATES)[number] | undefined
}

/** What the index holds, by the path of the file. */
export function knownFiles(db: DatabaseSync): Map<string, Known> {
  const known = new Map<string, Known>()
  for (const row of db
    .prepare('SELECT id, path, file_id, size, modified, position, rest, entries, whole FROM file')
    .all())
    known.set(textIn(row, 'path'), {
      id: numberIn(row, 'id'),
      fileId: textIn(row, 'file_id'),
      size: numberIn(row, 'size'),
      modified: numberIn(row, 'modified'),
      position: numberIn(row, 'position'),
      rest: numberIn(row, 'rest'),
      entries: numberIn(row, 'entries'),
      state: STEP_STATES[numberIn(row, 'whole')],
    })
  return known
}

/** Whether all of a session, as it was listed or as it became since, is in the index. */
export function isCovered(known: Known | undefined, target: SearchTarget): boolean {
  if (known === undefined || known.state === 'partial' || known.fileId !== target.fileId) return false
  return known.size >= target.bytes && known.modified >= target.modified
}

export class IndexUpdate {
  private readonly env: Environment
  private readonly db: DatabaseSync
  private readonly writer: StepWriter
  private steps: IndexStep[] = []
  private opened = 0
  /** Files of the index that are no targets but are there: those of other roots. Looked at once. */
  private readonly elsewhere = new Set<string>()

  constructor(env: Environment, db: DatabaseSync) {
    this.env = env
    this.db = db
    this.writer = new StepWriter(db)
  }

  async run(targets: readonly SearchTarget[], work: WorkContext): Promise<IndexReport> {
    this.steps = []
    this.opened = 0
    const known = knownFiles(this.db)
    const ordered = [...targets].sort(newestFirst)
    const stale = ordered.filter(target => target.fileId !== '' && !isCovered(known.get(target.file), target))
    for (const [at, target] of stale.entries()) {
      await work.breathe()
      work.progress(at, stale.length, 'Indexing')
      await this.updateFile(target, known.get(target.file), work)
    }
    this.writeSteps()
    await this.removeGone(new Set(targets.map(({ file }) => file)), known, work)
    work.progress(stale.length, stale.length, 'Indexing')
    const after = stale.length === 0 ? known : knownFiles(this.db)
    const indexed = targets.filter(target => isCovered(after.get(target.file), target)).length
    return { indexed, all: targets.length, opened: this.opened }
  }

  /** A file that cannot be read is left out: searching it will say why. */
  private async updateFile(target: SearchTarget, known: Known | undefined, work: WorkContext): Promise<void> {
    this.opened++
    const opened = journalStorage(this.env, target.file).open()
    if (!opened.ok) return
    const { source, stat } = opened.value
    try {
      const file: FileState = {
        path: target.file,
        cwd: target.cwd,
        id: known?.id ?? null,
        fileId: stat.fileId,
        size: stat.size,
        modified: stat.modified,
        written: known === undefined ? null : { position: known.position, fileId: known.fileId },
        lost: false,
      }
      const goesOn = known !== undefined && this.isContinued(known, file, source)
      if (goesOn && (await this.readOn(source, file, known, work))) return
      file.written = known === undefined ? null : { position: known.position, fileId: known.fileId }
      await this.readAnew(source, file, work)
    } catch (thrown) {
      // Cut off while it is read, or on a disk that fails: the next update tries again.
      if (errnoOf(thrown) === undefined) throw thrown
    } finally {
      source.close()
    }
  }

  private isContinued(known: Known, file: FileState, source: ByteSource): boolean {
    if (known.fileId !== file.fileId || known.state === 'old' || known.position === 0) return false
    if (source.size < known.position) return false
    if (file.size <= known.size && file.modified !== known.modified) return false
    const tail = this.db.prepare('SELECT tail FROM file WHERE id = ?').get(known.id)
    return Buffer.compare(bytesIn(tail, 'tail'), tailOf(source, known.position)) === 0
  }

  /** From where the index ends; false when what follows can only be told from the start. Nothing is kept of it then. */
  private async readOn(
    source: ByteSource,
    file: FileState,
    known: Known,
    work: WorkContext,
  ): Promise<boolean> {
    const ids = this.idsOf(known.id)
    let repeated = false
    const place = { from: known.position, entries: known.entries, seed: path.basename(file.path) }
    const step = new IndexStep(file, false, this.env.now())
    const scan = new GrowingScan(source, place, text => {
      repeated ||= text.id !== null && ids.has(idHash(text.id))
      step.add(text)
    })
    while (scan.step(STEP_BYTES)) {
      if (repeated || !scan.sound) return false
      await work.breathe()
    }
    if (repeated || !scan.sound) return false
    this.finish(step, scan, source, 'whole')
    return true
  }

  private idsOf(id: number): { has(hash: number): boolean } {
    const rows = this.db.prepare('SELECT hashes FROM ids WHERE file = ?').all(id)
    const chunks = rows.map(row => {
      const bytes = bytesIn(row, 'hashes')
      return new Uint32Array(bytes.slice().buffer)
    })
    return { has: hash => chunks.some(chunk => chunk.includes(hash)) }
  }

  private async readAnew(source: ByteSource, file: FileState, work: WorkContext): Promise<void> {
    let step = new IndexStep(file, true, this.env.now())
    const place = { from: 0, entries: 0, seed: path.basename(file.path) }
    const scan: GrowingScan = new GrowingScan(source, place, text => step.add(text))
    while (scan.step(STEP_BYTES)) {
      await work.breathe()
      if (step.units < WRITE_UNITS || scan.old) continue
      this.finish(step, scan, source, 'partial')
      step = new IndexStep(file, false, this.env.now())
    }
    this.finish(step, scan, source, scan.old ? 'old' : 'whole')
  }

  private finish(step: IndexStep, scan: GrowingScan, source: ByteSource, state: IndexStep['state']): void {
    step.position = scan.position
    step.rest = source.size - scan.position
    step.entries = scan.entries
    step.tail = tailOf(source, scan.position)
    step.state = state
    this.steps.push(step)
    const units = this.steps.reduce((sum, one) => sum + one.units, 0)
    if (units >= WRITE_UNITS || this.steps.length >= WRITE_STEPS) this.writeSteps()
  }

  private writeSteps(): void {
    if (this.steps.length === 0) return
    const steps = this.steps
    this.steps = []
    this.writer.write(steps)
  }

  /** Files that are gone from the disk; those of roots that are not shown now stay. */
  private async removeGone(
    targets: ReadonlySet<string>,
    known: ReadonlyMap<string, Known>,
    work: WorkContext,
  ): Promise<void> {
    for (const [file, { id }] of known) {
      if (targets.has(file) || this.elsewhere.has(file)) continue
      await work.breathe()
      if (this.isThere(file)) this.elsewhere.add(file)
      else this.writer.remove(id)
    }
  }

  private isThere(file: string): boolean {
    try {
      this.env.fs.stat(file)
      return true
    } catch (thrown) {
      const errno = errnoOf(thrown)
      if (errno === undefined) throw thrown
      return errno !== 'ENOENT' && errno !== 'ENOTDIR'
    }
  }
}

function tailOf(source: ByteSource, position: number): Uint8Array {
  return tailHash(readRange(source, Math.max(0, position - TAIL_BYTES), position))
}
