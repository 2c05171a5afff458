/**
 * Ids of entries, compact: the bytes of all of them one after the other, and a hash table of ordinals. A hundred thousand ids
 * are a few flat arrays instead of as many texts, and an id can be added or looked up by its bytes in a line.
 *
 * An id names the last ordinal that it was given to. Ids that are not ASCII are rare and kept as texts.
 */
import { GrowingInts } from './growing-array'

const FIRST_SLOTS = 256
const NONE = -1
/** Stands for a text in `others`. */
const OTHER = -2

export class IdTable {
  private pool = new Uint8Array(1024)
  private used = 0
  /** Per ordinal: where its id begins in the pool, `NONE` without an id, `OTHER` for one that is not ASCII. */
  private readonly starts = new GrowingInts()
  private readonly ends = new GrowingInts()
  /** Ordinal + 1 of the last entry of an id; 0 is free. Never more than half full. */
  private slots = new Int32Array(FIRST_SLOTS)
  private distinct = 0
  private readonly others = new Map<number, string>()
  private readonly otherIds = new Map<string, number>()
  private scratch = new Uint8Array(64)
  private count = 0

  /** Ordinal that an id names, or -1. The bytes are ASCII. */
  find(bytes: Uint8Array, start: number, end: number): number {
    return (this.slots[this.slotOf(bytes, start, end)] ?? 0) - 1
  }

  findText(id: string): number {
    const length = this.toScratch(id)
    return length === NONE ? (this.otherIds.get(id) ?? NONE) : this.find(this.scratch, 0, length)
  }

  /** Gives the next ordinal its id; answers the ordinal that had it before, or -1. The bytes are ASCII. */
  push(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start
    if (this.used + length > this.pool.length) this.growPool(length)
    for (let at = 0; at < length; at++) this.pool[this.used + at] = bytes[start + at] ?? 0
    this.starts.push(this.used)
    this.ends.push(this.used + length)
    this.used += length
    if ((this.distinct + 1) * 2 > this.slots.length) this.growSlots()
    const slot = this.slotOf(bytes, start, end)
    const before = (this.slots[slot] ?? 0) - 1
    this.slots[slot] = ++this.count
    if (before === NONE) this.distinct++
    return before
  }

  pushText(id: string | null): number {
    const length = id === null ? NONE : this.toScratch(id)
    if (id !== null && length !== NONE) return this.push(this.scratch, 0, length)
    const ordinal = this.count++
    this.starts.push(id === null ? NONE : OTHER)
    this.ends.push(0)
    if (id === null) return NONE
    const before = this.otherIds.get(id) ?? NONE
    this.others.set(ordinal, id)
    this.otherIds.set(id, ordinal)
    return before
  }

  /** From here on the id of `ordinal` names that one, not a later one of the same id. */
  nameAgain(ordinal: number): void {
    const other = this.others.get(ordinal)
    const start = this.starts.at(ordinal) ?? NONE
    if (other !== undefined) this.otherIds.set(other, ordinal)
    else if (start >= 0) this.slots[this.slotOf(this.pool, start, this.ends.at(ordinal) ?? 0)] = ordinal + 1
  }

  text(ordinal: number): string | null {
    const start = this.starts.at(ordinal) ?? NONE
    if (start < 0) return this.others.get(ordinal) ?? null
    const end = this.ends.at(ordinal) ?? start
    let text = ''
    for (let at = start; at < end; at++) text += String.fromCharCode(this.pool[at] ?? 0)
    return text
  }

  /** The slot that holds the id, or the free one where it belongs. */
  private slotOf(bytes: Uint8Array, start: number, end: number): number {
    const mask = this.slots.length - 1
    let slot = hashOf(bytes, start, end) & mask
    for (;;) {
      const entry = this.slots[slot] ?? 0
      if (entry === 0 || this.isId(entry - 1, bytes, start, end)) return slot
      slot = (slot + 1) & mask
    }
  }

  private isId(ordinal: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.starts.at(ordinal) ?? 0
    if ((this.ends.at(ordinal) ?? 0) - from !== end - start) return false
    for (let at = start; at < end; at++) if (bytes[at] !== this.pool[from + at - start]) return false
    return true
  }

  private toScratch(id: string): number {
    if (id.length > this.scratch.length) this.scratch = new Uint8Array(id.length * 2)
    for (let at = 0; at < id.length; at++) {
      const code = id.charCodeAt(at)
      if (code > 0x7f) return NONE
      this.scratch[at] = code
    }
    return id.length
  }

  private growPool(more: number): void {
    const larger = new Uint8Array(Math.max(this.pool.length * 2, this.used + more))
    larger.set(this.pool)
    this.pool = larger
  }

  private growSlots(): void {
    const old = this.slots
    const slots = new Int32Array(old.length * 2)
    const mask = slots.length - 1
    for (const entry of old) {
      if (entry === 0) continue
      const ordinal = entry - 1
      let slot = hashOf(this.pool, this.starts.at(ordinal) ?? 0, this.ends.at(ordinal) ?? 0) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = entry
    }
    this.slots = slots
  }
}

/** FNV-1a with a final mix. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
