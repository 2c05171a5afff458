/**
 * A journal read from any line on, in steps: the whole lines up to some bytes at a time, so that other work gets its turn. Entries have
 * the ordinals that `SessionDocument` gives them, when `entries` stood before `from`.
 */
import type { JsonObject } from '@shared/session/json'
import { type ByteSource, readRange } from '../../engine/storage/byte-source'
import { JournalScan, type ScannedEntry } from '../../engine/storage/journal-scan'

export type ScannedText = {
  ordinal: number
  offset: number
  length: number
  id: string | null
  record: JsonObject
}

const LF = 0x0a

export class GrowingScan {
  /** End of the last whole line that was read. */
  position: number
  /** Entries up to there. */
  entries: number
  private readonly source: ByteSource
  private readonly from: number
  private readonly before: number
  private readonly scan: JournalScan
  /** Something stands there that can only be told from the start of the file. */
  private strange = false
  /** Up to here there is no end of a line but those that were read. */
  private looked: number

  constructor(
    source: ByteSource,
    place: { from: number; entries: number; seed: string },
    onText: (text: ScannedText) => void,
  ) {
    this.source = source
    this.from = place.from
    this.before = place.entries
    this.position = place.from
    this.looked = place.from
    this.entries = place.entries
    this.scan = new JournalScan({
      seed: place.seed,
      onEntry: entry => onText(this.textOf(entry)),
    })
  }

  private textOf({ ordinal, record, length }: ScannedEntry): ScannedText {
    const place = this.scan.index.place(ordinal)
    const id = this.scan.index.id(ordinal)
    return { ordinal: ordinal + this.before, offset: place.offset + this.from, length, id, record }
  }

  /** False when the entries cannot be told by the lines from `from` on alone: read all from the start then. */
  get sound(): boolean {
    const { slot, headerRecord, entryVersion, repeated } = this.scan
    if (this.strange) return false
    // From the start on everything is told.
    if (this.from === 0) return true
    return (
      slot === null && headerRecord === null && repeated === 0 && (entryVersion === null || entryVersion >= 3)
    )
  }

  /** Ids and parents are made up by us: such a file is read from its start whenever it grew. */
  get old(): boolean {
    const { entryVersion } = this.scan
    return entryVersion !== null && entryVersion < 3
  }

  get cwd(): string | null {
    return this.scan.header?.cwd ?? null
  }

  /**
   * Looks at the next bytes and reads the lines that end in them; false when there are no more. Of a line that is longer
   * nothing is held before its end was found.
   */
  step(bytes: number): boolean {
    const { source, from, looked } = this
    const window = readRange(source, looked, looked + bytes)
    if (window.length === 0) return false
    this.looked = looked + window.length
    const last = window.lastIndexOf(LF)
    if (last === -1) return true
    const end = looked + last + 1
    this.scan.advance({
      size: end - from,
      read: (into, at) =>
        source.read(into.subarray(0, Math.max(0, Math.min(into.length, end - from - at))), at + from),
      close: () => undefined,
    })
    this.position = end
    this.entries = this.before + this.scan.index.count
    return true
  }
}
