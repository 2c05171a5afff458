/**
 * One session journal in memory: title slot, header, entries, and raw (damaged) lines, in file order.
 *
 * Knows the format, not its meaning: `session-writer.mjs` adds prompts, answers and tool calls on top.
 * Nothing is written to disk here; `build()` returns the bytes with the facts a reader should find.
 */
import { entryFacts } from './entry-facts.mjs'
import { createRandom } from './prng.mjs'
import { sessionFileName, sessionId } from './session-names.mjs'
import { titleSlot } from './title-slot.mjs'

/** Types that omp writes with their payload before `id`, `parentId` and `timestamp`. */
const PAYLOAD_FIRST = new Set(['custom', 'custom_message'])

export class JournalWriter {
  /**
   * @param options
   *   seed      text that all ids and pauses depend on (default: the title)
   *   cwd       absolute project folder, as the header tells it; null leaves it out
   *   start     creation time, Unix ms
   *   title, titleSource   title and `'user' | 'auto'`; no title: an empty slot
   *   version   1, 2, 3 (default) or higher; version 1 has no ids
   *   slot      false: no title slot (older files); the title then stands in the header
   *   headerLine  text that stands instead of the header; null: no header at all
   *   header    more header keys (parentSession, previousSessionFiles, …); undefined removes a key
   *   id        session id (default: a UUID v7 of `start`)
   */
  constructor({
    seed,
    cwd,
    start,
    title = '',
    titleSource,
    version = 3,
    slot,
    header = {},
    headerLine,
    id,
    fileName,
  } = {}) {
    this.random = createRandom(`session/${seed ?? title}`)
    this.start = start ?? Date.UTC(2026, 10, 20, 10)
    this.clock = this.start
    this.id = id ?? sessionId(this.random, this.start)
    this.cwd = cwd ?? null
    this.title = title
    this.titleSource = title ? (titleSource ?? 'auto') : undefined
    this.version = version
    this.hasSlot = slot ?? version >= 3
    this.moreHeader = header
    this.headerLine = headerLine
    this.fileName = fileName ?? sessionFileName(this.iso(), this.id)
    this.leaf = null
    this.lines = []
    this.usedIds = new Set()
  }

  /** The current time of the session as ISO text. */
  iso() {
    return new Date(this.clock).toISOString()
  }

  /** Let time pass. */
  wait(seconds) {
    this.clock += Math.round(seconds * 1000)
    return this
  }

  /** A fresh entry id. */
  newId() {
    let id
    do id = this.random.hex(8)
    while (this.usedIds.has(id))
    return id
  }

  /** The next entry becomes a child of `id` (null: a new root). */
  from(id) {
    this.leaf = id
    return this
  }

  /**
   * Append an entry of any type; returns its id (undefined in version 1, which has none).
   * `fixed` may set id, parentId, timestamp, keepLeaf, or `omit: ['parentId']` for odd files.
   */
  entry(type, payload = {}, fixed = {}) {
    this.clock += this.random.between(4, 90)
    const timestamp = 'timestamp' in fixed ? fixed.timestamp : this.iso()
    if (this.version < 2) {
      this.push({ type, timestamp, ...payload })
      return undefined
    }
    const id = fixed.id ?? this.newId()
    const parentId = 'parentId' in fixed ? fixed.parentId : this.leaf
    const tree = { id, parentId, timestamp }
    for (const key of fixed.omit ?? []) delete tree[key]
    this.push(PAYLOAD_FIRST.has(type) ? { type, ...payload, ...tree } : { type, ...tree, ...payload })
    this.usedIds.add(id)
    if (!fixed.keepLeaf) this.leaf = id
    return id
  }

  /** Append an entry object exactly as it is, without touching the leaf. */
  push(entry) {
    this.lines.push({ entry, text: JSON.stringify(entry) })
    return this
  }

  /**
   * Append bytes as they are. `reason` marks them as a damaged line for the facts; `entries` are what a
   * reader finds in them nevertheless; `end` is what follows (a line feed unless told otherwise).
   */
  raw(bytes, { reason, entries = [], end = '\n' } = {}) {
    this.lines.push({ bytes: Buffer.from(bytes), reason, entries, end })
    return this
  }

  /** Change how the last line ends (`''`: no line feed at the end of the file). */
  endWith(end) {
    this.lines.at(-1).end = end
    return this
  }

  /** The header object, in the key order of omp. */
  header() {
    const { version, id, cwd } = this
    const base = {
      type: 'session',
      ...(version > 1 ? { version } : {}),
      id,
      timestamp: new Date(this.start).toISOString(),
      ...(cwd === null ? {} : { cwd }),
    }
    if (this.title && !this.hasSlot) Object.assign(base, { title: this.title, titleSource: this.titleSource })
    return Object.fromEntries(
      Object.entries({ ...base, ...this.moreHeader }).filter(([, v]) => v !== undefined),
    )
  }

  /** The slot line, or empty text. */
  slot() {
    return this.hasSlot
      ? titleSlot(this.title, this.titleSource, this.slotTime ?? new Date(this.start).toISOString())
      : ''
  }

  /** All entry objects a reader finds, in file order. */
  entries() {
    return this.lines.flatMap(line => (line.entry ? [line.entry] : line.entries))
  }

  /** The whole file, with what is in it. */
  build() {
    const header = this.headerLine === undefined ? JSON.stringify(this.header()) : this.headerLine
    const head = [this.slot(), header === null ? '' : `${header}\n`].filter(Boolean)
    const parts = head.map(text => Buffer.from(text))
    let offset = parts.reduce((sum, part) => sum + part.length, 0)
    const damagedLines = []
    let lineNumber = head.length
    for (const line of this.lines) {
      const body = line.bytes ?? Buffer.from(line.text)
      lineNumber++
      if (line.reason)
        damagedLines.push({ line: lineNumber, offset, bytes: body.length, reason: line.reason })
      const bytes = Buffer.concat([body, Buffer.from(line.end ?? '\n')])
      parts.push(bytes)
      offset += bytes.length
    }
    const entries = this.entries()
    return {
      id: this.id,
      cwd: this.cwd,
      fileName: this.fileName,
      bytes: Buffer.concat(parts),
      created: new Date(this.start).toISOString(),
      lastActivity: this.iso(),
      endMs: this.clock,
      title: this.title || null,
      titleSource: this.titleSource ?? null,
      version: this.version,
      slot: this.hasSlot,
      parentSession: this.moreHeader.parentSession ?? null,
      entries,
      facts: { ...entryFacts(entries, { linear: this.version < 2 }), damagedLines },
    }
  }
}
