/**
 * For tests: a session as its file should be, kept by other means than the engine's: the lines after the header, byte for
 * byte, each as the records and fragments that it is made of; and what follows of them.
 */
import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '@shared/session/json'

/** A part of a line: a record, or bytes that are none. Text is Latin-1, so that it is the bytes. */
export type Piece = { text: string; record: JsonObject | null }

export type ModelEntry = { id: string; parentId: string | null; record: JsonObject }

type Titled = { title: string; source: 'auto' | 'user' | null }

/** Bytes of a title in a slot that names a source: 256 less everything else. */
const SLOT_ROOM = 158

export const latin = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
export const bytesOf = (latin1: string): Buffer => Buffer.from(latin1, 'latin1')

export class SessionModel {
  /** Whole lines behind the header. */
  lines: Piece[][] = []
  /** A last line without line feed. */
  tail: Piece[] = []
  version = 3
  isOnDisk = false
  /** What the slot says; null for a file without one. */
  slot: Titled | null = null
  /** What the header says of the title. */
  headerTitle: Titled = { title: '', source: null }
  /** Whether the slot can be written in place. */
  exactSlot = true
  leaf: string | null = null
  /** Somebody wrote since the manager looked. */
  untold = false
  /** Ids that entries of version 1 were seen to have, by their place. */
  private readonly learned: string[] = []

  /** The lines behind the header, as the file must hold them. */
  get body(): string {
    const whole = this.lines.map(line => `${textOf(line)}\n`).join('')
    return whole + textOf(this.tail)
  }

  get entries(): ModelEntry[] {
    const records = [...this.lines, this.tail].flatMap(line => recordsOf(line))
    let before: string | null = null
    return records.map((record, at) => {
      const id = this.version === 1 ? (this.learned[at] ?? `unknown ${at}`) : String(record.id)
      // The lines of the model are its own, each with a parent.
      // The lines of the model are its own, each with a parent.
      const parentId = this.version === 1 ? before : (record.parentId as string | null)
      before = id
      return { id, parentId, record }
    })
  }

  has(id: string): boolean {
    return this.entries.some(entry => entry.id === id)
  }

  get lastId(): string | null {
    const { entries } = this
    return entries[entries.length - 1]?.id ?? null
  }

  /** Where the next entry hangs. */
  get leafNow(): string | null {
    return this.leaf === null || this.has(this.leaf) ? this.leaf : this.lastId
  }

  /** Ids from the root to `tip`. */
  path(tip: string | null): string[] {
    const byId = new Map(this.entries.map(entry => [entry.id, entry]))
    const path: string[] = []
    for (let at = tip; at !== null && byId.has(at); at = byId.get(at)?.parentId ?? null) path.unshift(at)
    return path
  }

  get labels(): Map<string, string> {
    const labels = new Map<string, string>()
    for (const { record } of this.entries) {
      if (record.type !== 'label') continue
      labels.delete(String(record.targetId))
      if (typeof record.label === 'string' && record.label !== '')
        labels.set(String(record.targetId), record.label)
    }
    return labels
  }

  /** A title that did not fit into the slot is the one of the last change, or of the header, of which the slot is what fits. */
  get title(): { title: string | null; source: string | null } {
    const said = this.slot ?? this.headerTitle
    if (said.title === '') return { title: null, source: null }
    const changes = this.entries.filter(({ record }) => record.type === 'title_change')
    const { title: to, previousTitle: from } = changes[changes.length - 1]?.record ?? {}
    const wholes = [to, from, this.headerTitle.title]
    const whole = wholes.find(one => typeof one === 'string' && cutTitle(one) === said.title)
    return { title: this.slot === null ? said.title : String(whole ?? said.title), source: said.source }
  }

  /** Version 1 gives its entries no ids: those that were seen first must be seen ever after. */
  learn(ids: readonly (string | null)[]): void {
    if (this.version !== 1) return
    for (const [at, id] of ids.entries()) this.learned[at] ??= id ?? ''
  }

  /** A line that our program adds: on a line of its own, whatever the file ends with. */
  add(text: string): void {
    if (this.tail.length > 0) this.lines.push(this.tail)
    this.tail = []
    this.lines.push([{ text, record: parsed(text) }])
  }

  /** Bytes that another program adds, as they are: glued to an unfinished line. */
  addFromOutside(text: string, ends: boolean): void {
    this.tail = [...this.tail, { text, record: parsed(text) }]
    if (!ends) return
    this.lines.push(this.tail)
    this.tail = []
  }

  /** Another program cuts `count` bytes off the end. */
  cut(count: number): void {
    let left = Math.min(count, this.body.length)
    while (left > 0) {
      if (this.tail.length === 0) {
        this.tail = this.lines.pop() ?? []
        left--
        continue
      }
      const last = this.tail.pop()
      if (last === undefined) break
      const kept = last.text.slice(0, Math.max(0, last.text.length - left))
      left -= last.text.length - kept.length
      if (kept !== '') this.tail.push(kept === last.text ? last : { text: kept, record: null })
    }
  }

  /** The last line is taken back. */
  removeLast(): void {
    this.lines.pop()
  }

  /** The file is written anew, as version 3, every record on a line of its own. */
  rewrite(): void {
    const { entries } = this
    let at = 0
    const current = (piece: Piece): Piece => {
      if (piece.record === null) return piece
      const entry = entries[at++]
      if (entry === undefined || this.version === 3) return piece
      const record = asVersion3(piece.record, this.version === 1 ? entry : null, entries)
      return { text: latin(JSON.stringify(record)), record }
    }
    const all = this.tail.length > 0 ? [...this.lines, this.tail] : this.lines
    this.lines = all.flatMap(line => onOwnLines(line.map(current)))
    this.tail = []
    this.slot ??= { ...this.headerTitle, title: cutTitle(this.headerTitle.title) }
    this.version = 3
    this.exactSlot = true
  }

  rename(title: string, source: 'auto' | 'user'): void {
    this.slot = { title: cutTitle(title), source }
  }
}

/** The longest beginning, in whole characters, that fits into a slot with a source. */
export function cutTitle(title: string): string {
  let kept = ''
  for (const point of title) {
    if (Buffer.byteLength(JSON.stringify(kept + point)) - 2 > SLOT_ROOM) break
    kept += point
  }
  return kept
}

function asVersion3(
  record: JsonObject,
  place: ModelEntry | null,
  entries: readonly ModelEntry[],
): JsonObject {
  const message = record.message
  const renamed =
    isJsonObject(message) && message.role === 'hookMessage'
      ? { ...record, message: { ...message, role: 'custom' } }
      : record
  if (place === null) return renamed
  const { firstKeptEntryIndex, ...rest } = renamed
  const kept = typeof firstKeptEntryIndex === 'number' ? entries[firstKeptEntryIndex - 1]?.id : undefined
  const { id, parentId } = place
  return { ...rest, ...(kept === undefined ? {} : { firstKeptEntryId: kept }), id, parentId }
}

function onOwnLines(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = []
  for (const piece of pieces) {
    const last = lines[lines.length - 1]
    if (last === undefined || piece.record !== null) lines.push([piece])
    else last.push(piece)
  }
  return lines
}

function textOf(line: readonly Piece[]): string {
  return line.map(({ text }) => text).join('')
}

function recordsOf(line: readonly Piece[]): JsonObject[] {
  return line.flatMap(({ record }) => (record === null ? [] : [record]))
}

function parsed(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(bytesOf(text).toString('utf8'))
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/** A record with its pictures as the references that stand for them in a file. */
export function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences)
  if (!isJsonObject(value)) return value
  const mapped = Object.entries(value).map(([key, inner]) => [key, withReferences(inner)])
  const copy: JsonObject = Object.fromEntries(mapped)
  if (copy.type !== 'image' || typeof copy.data !== 'string' || copy.data.startsWith('blob:')) return copy
  const hash = createHash('sha256').update(Buffer.from(copy.data, 'base64')).digest('hex')
  return { ...copy, data: `blob:sha256:${hash}` }
}
