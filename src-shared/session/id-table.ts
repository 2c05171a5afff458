/**
 * Ids of entries, compact: the bytes of all of them one after the other, and a hash table of ordinals. A hundred thousand ids
 * are a few flat arrays instead of as many texts, and an id can be added or looked up by its bytes in a line.
 *
 * An id names the last ordinal that it was given to. Ids that are not ASCII are rare and kept as texts.
 */
import { GrowingInts } from './growing-array'

const FIRST_SLOTS = 256
const NONE = -1

export class IdTable {
  private pool = new Uint8Array(1024)
  private used = 0
  /** Per ordinal: where its id ends in the pool; it begins where the one before ends. */
  private readonly ends = new GrowingInts()
  private readonly withoutId = new Set<number>()
  /**
   * Ordinal + 1 of the last entry of an id; 0 is free. Never more than half full; grows fourfold, since all ids are placed anew
   * then.
   */
  private slots = new Int32Array(FIRST_SLOTS)
  private distinct = 0
  private readonly others = new Map<number, string>()
  private readonly otherIds = new Map<string, number>()
  private scratch = new Uint8Array(64)
  private count = 0
  /** Some id names an earlier entry than its last. */
  private namesEarlier = false

  /** How many ordinals have none. */
  get withoutIds(): number {
    return this.withoutId.size
  }

  /** Ordinal that an id names, or -1. The bytes are ASCII. */
  find(bytes: Uint8Array, start: number, end: number): number {
    // Most entries follow the one before them.
    if (!this.namesEarlier && this.count > 0 && this.isId(this.count - 1, bytes, start, end))
      return this.count - 1
    return (this.slots[this.slotOf(bytes, start, end)] ?? 0) - 1
  }

  findText(id: string): number {
    const length = this.toScratch(id)
    return length === NONE ? (this.otherIds.get(id) ?? NONE) : this.find(this.scratch, 0, length)
  }

  /** Gives the next ordinal its id; answers the ordinal that had it before, or -1. The bytes are ASCII. */
  push(bytes: Uint8Array, start: number, end: number): number {
    return this.put(this.slotForNew(bytes, start, end), bytes, start, end)
  }

  /** As `push`, where no ordinal has the id yet; false, and nothing is given, where one has. */
  pushNew(bytes: Uint8Array, start: number, end: number): boolean {
    const slot = this.slotForNew(bytes, start, end)
    if (this.slots[slot] !== 0) return false
    this.put(slot, bytes, start, end)
    return true
  }

  pushText(id: string | null): number {
    const length = id === null ? NONE : this.toScratch(id)
    if (id !== null && length !== NONE) return this.push(this.scratch, 0, length)
    const ordinal = this.count++
    this.ends.push(this.used)
    if (id === null) {
      this.withoutId.add(ordinal)
      return NONE
    }
    const before = this.otherIds.get(id) ?? NONE
    this.others.set(ordinal, id)
    this.otherIds.set(id, ordinal)
    return before
  }

  /** From here on the id of `ordinal` names that one, not a later one of the same id. */
  nameAgain(ordinal: number): void {
    if (this.withoutId.has(ordinal)) return
    this.namesEarlier = true
    const other = this.others.get(ordinal)
    if (other !== undefined) this.otherIds.set(other, ordinal)
    else this.slots[this.slotOf(this.pool, this.startOf(ordinal), this.ends.at(ordinal) ?? 0)] = ordinal + 1
  }

  private startOf(ordinal: number): number {
    return this.ends.at(ordinal - 1) ?? 0
  }

  private slotForNew(bytes: Uint8Array, start: number, end: number): number {
    if ((this.distinct + 1) * 2 > this.slots.length) this.growSlots()
    return this.slotOf(bytes, start, end)
  }

  private put(slot: number, bytes: Uint8Array, start: number, end: number): number {
    const { used } = this
    const length = end - start
    if (used + length > this.pool.length) this.growPool(length)
    const { pool } = this
    for (let at = 0; at < length; at++) pool[used + at] = bytes[start + at] ?? 0
    this.used = used + length
    this.ends.push(this.used)
    const before = (this.slots[slot] ?? 0) - 1
    this.slots[slot] = ++this.count
    if (before === NONE) this.distinct++
    return before
  }

  text(ordinal: number): string | null {
    if (this.withoutId.has(ordinal) || ordinal < 0 || ordinal >= this.count) return null
    const other = this.others.get(ordinal)
    if (other !== undefined) return other
    const end = this.ends.at(ordinal) ?? 0
    let text = ''
    for (let at = this.startOf(ordinal); at < end; at++) text += String.fromCharCode(this.pool[at] ?? 0)
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
    const from = this.startOf(ordinal)
    if ((this.ends.at(ordinal) ?? 0) - from !== end - start) return false
    const { pool } = this
    for (let at = start; at < end; at++) if (bytes[at] !== pool[from + at - start]) return false
    return !this.hasOther(ordinal)
  }

  /** Whether the id of an ordinal is not in the pool: then it looks like an empty one there. */
  private hasOther(ordinal: number): boolean {
    return (this.withoutId.size > 0 && this.withoutId.has(ordinal)) || this.others.has(ordinal)
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
    const slots = new Int32Array(old.length * 4)
    const mask = slots.length - 1
    for (const entry of old) {
      if (entry === 0) continue
      const ordinal = entry - 1
      let slot = hashOf(this.pool, this.startOf(ordinal), this.ends.at(ordinal) ?? 0) & mask
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
