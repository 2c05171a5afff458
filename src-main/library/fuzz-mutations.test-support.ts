/** For tests: journals damaged in every way that can be thought of, the same for the same seed. */

/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Dice {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 to `sides - 1`. */
  roll(sides: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides)
  }

  of<T>(list: readonly [T, ...T[]]): T
  of<T>(list: readonly T[]): T | undefined
  of<T>(list: readonly T[]): T | undefined {
    return list[this.roll(list.length)]
  }
}

type Mutation = (bytes: Buffer, dice: Dice) => Buffer

/** Lines without their line feeds; the last one is what follows the last line feed. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return [...lines, bytes.subarray(start)]
}

function joined(lines: readonly Buffer[]): Buffer {
  const feed = Buffer.from('\n')
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [feed, line])))
}

/** Puts `change(line)` in the place of one line. */
function onLine(change: (line: Buffer, dice: Dice) => Buffer[]): Mutation {
  return (bytes, dice) => {
    const lines = linesOf(bytes)
    const at = dice.roll(lines.length)
    return joined([...lines.slice(0, at), ...change(lines[at] ?? bytes, dice), ...lines.slice(at + 1)])
  }
}

function inserted(
  piece: (dice: Dice) => Buffer,
  place = (bytes: Buffer, dice: Dice) => dice.roll(bytes.length + 1),
): Mutation {
  return (bytes, dice) => {
    const at = place(bytes, dice)
    return Buffer.concat([bytes.subarray(0, at), piece(dice), bytes.subarray(at)])
  }
}

/** Where a line begins. */
function lineStart(bytes: Buffer, dice: Dice): number {
  const before = linesOf(bytes).slice(0, dice.roll(linesOf(bytes).length))
  return before.reduce((sum, line) => sum + line.length + 1, 0)
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

const ODD_VALUES: readonly string[] = [
  'null',
  'true',
  '7',
  '-1',
  '1e308',
  '0.5',
  '""',
  '"text"',
  '"2099-01-01T00:00:00.000Z"',
  '"\\ud83d"',
  '"}{"',
  '[]',
  '[null]',
  '[[[]]]',
  '["a",1,{}]',
  '{}',
  '{"toString":1}',
  '{"type":"text","text":5}',
  '{"total":"much"}',
  '"constructor"',
  '"__proto__"',
]

/** Another value, or none, for some key of some record on a line that parses. */
const retyped: Mutation = onLine((line, dice) => {
  const keys = [...line.toString('latin1').matchAll(/"(\w+)":/g)]
  const key = dice.of(keys)
  if (key === undefined) return [line]
  const start = key.index + key[0].length
  const end = valueEnd(line.toString('latin1'), start)
  const value = Buffer.from(dice.of(ODD_VALUES) ?? 'null')
  return [Buffer.concat([line.subarray(0, start), value, line.subarray(end)])]
})

/** Where the JSON value that begins at `start` ends; the end of the line for what does not close. */
function valueEnd(text: string, start: number): number {
  for (let end = start + 1; end <= text.length; end++) {
    if (!/[,}\]]/.test(text[end] ?? ',')) continue
    try {
      JSON.parse(text.slice(start, end))
      return end
    } catch {
      // Not yet.
    }
  }
  return text.length
}

/** Ids and parents exchanged among the entries: duplicates, cycles, holes, entries that are their own parents. */
const relinked: Mutation = (bytes, dice) => {
  const text = bytes.toString('latin1')
  const ids = [...text.matchAll(/"(?:id|parentId)":("[^"\n]*"|null)/g)]
  const [target, source] = [dice.of(ids), dice.of(ids)]
  if (target?.[1] === undefined || source?.[1] === undefined) return bytes
  const end = target.index + target[0].length
  return Buffer.from(text.slice(0, end - target[1].length) + source[1] + text.slice(end), 'latin1')
}

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  // Bytes flipped.
  (bytes, dice) => {
    const flipped = Buffer.from(bytes)
    for (let count = 1 + dice.roll(6); count > 0 && flipped.length > 0; count--) {
      const at = dice.roll(flipped.length)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << dice.roll(8))
    }
    return flipped
  },
  // A line cut, cut off, its parts exchanged, removed, doubled, doubled at the end, put elsewhere.
  onLine((line, dice) => [line.subarray(0, dice.roll(line.length + 1))]),
  onLine((line, dice) => [line.subarray(dice.roll(line.length + 1))]),
  onLine((line, dice) => {
    const at = dice.roll(line.length + 1)
    return [Buffer.concat([line.subarray(at), line.subarray(0, at)])]
  }),
  onLine(() => []),
  onLine(line => [line, line]),
  (bytes, dice) =>
    Buffer.concat([bytes, linesOf(bytes)[dice.roll(linesOf(bytes).length)] ?? bytes, Buffer.from('\n')]),
  (bytes, dice) => {
    const lines = linesOf(bytes)
    const [from, to] = [dice.roll(lines.length), dice.roll(lines.length)]
    const moved = lines.splice(from, 1)
    lines.splice(to, 0, ...moved)
    return joined(lines)
  },
  // Two lines glued, and a line cut with the next one glued to it.
  (bytes, dice) => {
    const lines = linesOf(bytes)
    const at = dice.roll(lines.length)
    const pair = Buffer.concat(lines.slice(at, at + 2))
    return joined([...lines.slice(0, at), pair, ...lines.slice(at + 2)])
  },
  (bytes, dice) => {
    const lines = linesOf(bytes)
    const at = dice.roll(lines.length)
    const [torn, next] = [lines[at] ?? bytes, lines[at + 1] ?? Buffer.alloc(0)]
    const pair = Buffer.concat([torn.subarray(0, dice.roll(torn.length + 1)), next])
    return joined([...lines.slice(0, at), pair, ...lines.slice(at + 2)])
  },
  // The file cut anywhere, a piece taken out, the file doubled.
  (bytes, dice) => bytes.subarray(0, dice.roll(bytes.length + 1)),
  (bytes, dice) => {
    const at = dice.roll(bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + dice.roll(80))])
  },
  bytes => Buffer.concat([bytes, bytes]),
  retyped,
  retyped,
  relinked,
  relinked,
  // Bytes that do not belong there.
  inserted(dice => Buffer.alloc(1 + dice.roll(40))),
  inserted(() => Buffer.from('\r')),
  inserted(() => Buffer.from('\n')),
  bytes => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
  inserted(() => BOM),
  inserted(() => BOM, lineStart),
  inserted(
    () => BOM,
    () => 0,
  ),
  inserted(dice => Buffer.from([0xff, 0xc3, 0xed, 0xa0, 0x80].slice(0, 1 + dice.roll(5)))),
  inserted(dice =>
    Buffer.from(dice.of(['null\n', '42\n', '[1]\n', '"x"\n', '{}\n', '{"type":"session"}\n', '\u2028'])),
  ),
]

/** `base` with one to four things done to it. */
export function mutated(base: Buffer, dice: Dice): Buffer {
  let bytes = base
  for (let count = 1 + dice.roll(4); count > 0; count--) bytes = dice.of(MUTATIONS)(bytes, dice)
  return bytes
}

/** A record in a file: where it is, and what it says. */
export type FoundRecord = { offset: number; length: number; record: Record<string, unknown> }

/**
 * Every record of a file, found the slow way: each line as a whole, else every piece of it that parses. Written for itself, so
 * that the scan is compared with something else.
 */
export function recordsIn(bytes: Buffer): FoundRecord[] {
  const found: FoundRecord[] = []
  let offset = 0
  const lines = linesOf(bytes)
  for (const [at, whole] of lines.entries()) {
    const ended = at < lines.length - 1
    const skip = offset === 0 && whole.subarray(0, 3).equals(BOM) ? 3 : 0
    const line = whole.subarray(skip, ended && whole.at(-1) === 13 ? whole.length - 1 : whole.length)
    const value = parsed(line)
    if (isRecord(value)) found.push({ offset: offset + skip, length: line.length, record: value })
    else if (value === undefined)
      for (const piece of piecesOf(line)) found.push({ ...piece, offset: offset + skip + piece.offset })
    offset += whole.length + 1
  }
  return found
}

/** Whole records on a line that is none: each begins with its type, as every program writes it. */
function piecesOf(line: Buffer): FoundRecord[] {
  const found: FoundRecord[] = []
  const text = line.toString('latin1')
  for (let at = text.indexOf('{'); at !== -1; ) {
    const end = endOfRecord(line, text, at)
    const value = end === -1 ? undefined : parsed(line.subarray(at, end))
    if (isRecord(value) && (isEntry(value) || (at === 0 && typeof value.type === 'string'))) {
      found.push({ offset: at, length: end - at, record: value })
      at = text.indexOf('{', end)
    } else at = text.indexOf('{"type":', end === -1 ? at + 1 : end)
  }
  return found
}

function endOfRecord(line: Buffer, text: string, start: number): number {
  for (let end = text.indexOf('}', start); end !== -1; end = text.indexOf('}', end + 1))
    if (parsed(line.subarray(start, end + 1)) !== undefined) return end + 1
  return -1
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Types by which a record without an id is known, in old files. */
const TYPES =
  /^(message|model_change|thinking_level_change|service_tier_change|mode_change|compaction|branch_summary|reset_boundary|label|title_change|custom|custom_message|ttsr_injection|credential_pin|session_init|model_usage|session)$/

function isEntry(record: Record<string, unknown>): boolean {
  if (typeof record.type !== 'string') return false
  if (typeof record.id === 'string' && 'parentId' in record) return true
  return typeof record.timestamp === 'string' && TYPES.test(record.type)
}
