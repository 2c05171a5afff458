/**
 * What was read of a journal: its scan with the index, columns and facts.
 *
 * By heads, the structure is there at once: index, kinds, times, names. What stands inside the entries (facts, tokens, cost) comes by
 * `check`, which parses each entry in file order and compares it with what its head said. Only then is it known
 * that every line is the record that it looks like: until then the content is not `complete`.
 */
import path from 'node:path'
import { entryHead } from '@shared/session/entry'
import { EntryColumns } from '@shared/session/entry-columns'
import { type JsonObject, parseObject } from '@shared/session/json'
import { SessionFacts } from '@shared/session/session-facts'
import { atOnce, type Steps } from '../steps'
import { type ByteSource, ByteWindow, bufferOf } from '../storage/byte-source'
import { JournalScan, type ScannedEntry } from '../storage/journal-scan'
import { LineHead } from '../storage/line-head'

/** Bytes of entries that are parsed in one step. */
const CHECK_BYTES = 1024 * 1024

/** Entries that name something: read whole even by heads. */
const NAMING: ReadonlySet<unknown> = new Set(['label', 'title_change'])

export class DocumentContent {
  readonly scan: JournalScan
  readonly columns: EntryColumns
  private readonly collected: SessionFacts
  /** While the content is not complete: what labels and renames say. */
  private readonly naming: SessionFacts
  /** Entries whose records the facts have met; always the first ones. */
  private checked = 0

  constructor(file: string, now: number, byHeads: boolean) {
    this.columns = new EntryColumns(now)
    this.collected = new SessionFacts(now)
    this.naming = new SessionFacts(now)
    const reader = new LineHead(now)
    this.scan = new JournalScan({
      seed: path.basename(file),
      onEntry: entry => this.takeRecord(entry),
      heads: { reader, onEntry: () => this.columns.addHead(reader.kind, reader.shape, reader.time) },
    })
    this.scan.byHeads = byHeads
  }

  /** The facts are those of all entries, and every entry was found to be one. */
  get complete(): boolean {
    return this.checked === this.scan.index.count
  }

  /** Facts of all entries; before it is complete, of none that a caller may rely on. */
  get facts(): SessionFacts {
    return this.collected
  }

  /** Labels and renames, known at any time. */
  get names(): SessionFacts {
    return this.complete ? this.collected : this.naming
  }

  private takeRecord({ record, ordinal, length }: ScannedEntry): void {
    this.columns.add(record)
    if (ordinal === this.checked) {
      this.collected.add(record, ordinal, length)
      this.checked++
    }
    if (this.scan.byHeads && NAMING.has(record.type)) this.naming.add(record, ordinal, length)
  }

  /** Reads on to the end of `source`. */
  advance(source: ByteSource): void {
    atOnce(this.advancing(source))
  }

  *advancing(source: ByteSource): Steps<void> {
    yield* this.scan.advancing(source)
    this.settle()
  }

  /** Once nothing is left to be checked, what grows is read whole, so that it stays so. */
  private settle(): void {
    if (this.complete) this.scan.byHeads = false
  }

  /** Position up to which the entries were checked. */
  get checkedBytes(): number {
    return this.complete ? this.scan.position : this.scan.index.place(this.checked).offset
  }

  /** Parses the next entries. False when one is not what its head said: the journal has to be read whole. */
  check(source: ByteSource, migrated: (record: JsonObject, ordinal: number) => JsonObject): boolean {
    const { index } = this.scan
    const window = new ByteWindow(source, CHECK_BYTES)
    for (let bytes = 0; this.checked < index.count && bytes < CHECK_BYTES; this.checked++) {
      const ordinal = this.checked
      const { offset, length } = index.place(ordinal)
      const line = window.at(offset, length)
      const read = parseObject(bufferOf(line).toString('utf8'))
      const record = read === null ? null : migrated(read, ordinal)
      if (record === null || !this.isAsRead(record, ordinal)) return false
      this.columns.fill(ordinal, record)
      this.collected.add(record, ordinal, length)
      bytes += length
    }
    this.settle()
    return true
  }

  private isAsRead(record: JsonObject, ordinal: number): boolean {
    const { index } = this.scan
    const { id, parentId } = entryHead(record)
    const sameIds = id === index.id(ordinal) && parentId === index.parentId(ordinal)
    return sameIds && this.columns.isHeadOf(ordinal, record)
  }
}
