/**
 * Memory for a piece of a file, in which two bytes that stand at a distance from each other are looked for, as fast as memory is read.
 *
 * Node.js has nothing for this: `indexOf` is as fast as the first byte of a text is rare, and several times slower where all its bytes are
 * frequent. So it is a few instructions of WebAssembly, 64 bytes at a time. Where those cannot be had, `indexOf` does it.
 */

/** Bytes of a piece: few enough for the processor's cache. */
export const PIECE_BYTES = 512 * 1024
/** Pages of 64 KiB: the piece, and room behind it, since what lies behind its end is looked at and not told. */
const PAGES = PIECE_BYTES / 65_536 + 1
/** Larger distances would leave the memory. */
export const MOST_APART = 255

/** Answers the first place at or after `from` with `first` there and `second` `apart` bytes behind it; -1 or a place behind `end` for none. */
type Find = (from: number, end: number, first: number, apart: number, second: number) => number

export class PieceMemory {
  readonly piece: Buffer
  private readonly find: Find

  constructor(assembled: { piece: Buffer; find: Find } | null) {
    const piece = assembled?.piece ?? Buffer.alloc(PIECE_BYTES)
    this.piece = piece
    this.find =
      assembled?.find ??
      ((from, end, first, apart, second) => {
        for (let at = piece.indexOf(first, from); at !== -1 && at < end; at = piece.indexOf(first, at + 1))
          if (piece[at + apart] === second) return at
        return -1
      })
  }

  /** The first place in `from`..`end` with these two bytes, or -1. The second may stand behind the end. */
  pairFrom(from: number, end: number, first: number, apart: number, second: number): number {
    const at = this.find(from, end, first, apart, second)
    return at < end ? at : -1
  }
}

/** One for each thread: it takes address space, and is used between two breaths only. */
let shared: PieceMemory | null = null

export function pieceMemory(): PieceMemory {
  shared ??= new PieceMemory(assemble())
  return shared
}

/** The types of Node.js 20 do not name it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: object }
}

/** Null where WebAssembly, its wide registers or the memory cannot be had. */
export function assemble(): { piece: Buffer; find: Find } | null {
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()))
    // What `moduleBytes` exports.
    const { memory, find } = exports as { memory: { buffer: ArrayBuffer }; find: Find }
    return { piece: Buffer.from(memory.buffer, 0, PIECE_BYTES), find }
  } catch {
    return null
  }
}

const I32 = 0x7f
const V128 = 0x7b
/** Arguments of the function, and what it keeps besides: each byte sixteen times over, and where the second is looked for. */
const [FROM, END, FIRST, APART, SECOND, FIRSTS, SECONDS, BITS, BEHIND] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const tee = (local: number) => [0x22, local]
const constant = (value: number) => [0x41, ...signed(value)]
const ADD = [0x6a]
const IS_ABOVE = [0x4b]
const IS_NOT_BELOW = [0x4f]
const TRAILING_ZEROS = [0x68]
const BLOCK = [0x02, 0x40]
const LOOP = [0x03, 0x40]
const IF = [0x04, 0x40]
const END_BLOCK = [0x0b]
const RETURN = [0x0f]
const leaveIf = (depth: number) => [0x0d, depth]
const again = [0x0c, 0]
const SPLAT = [0xfd, 0x0f]
const EQUAL = [0xfd, 0x23]
const AND = [0xfd, 0x4e]
const OR = [0xfd, 0x50]
const ANY = [0xfd, 0x53]
const MASK = [0xfd, 0x64]
const load = (local: number, offset: number) => [...get(local), 0xfd, 0x00, 0, offset]

function moduleBytes(): Uint8Array {
  /** Ones where both bytes stand, of the sixteen places at an offset. */
  const pairs = (offset: number) => [
    ...[...load(FROM, offset), ...get(FIRSTS), ...EQUAL],
    ...[...load(BEHIND, offset), ...get(SECONDS), ...EQUAL],
    ...AND,
  ]
  const goOn = (bytes: number) =>
    [FROM, BEHIND].flatMap(place => [...get(place), ...constant(bytes), ...ADD, ...set(place)])
  const code = [
    // Besides its arguments: two wide ones and two numbers.
    ...[2, 2, V128, 2, I32],
    ...[...get(FIRST), ...SPLAT, ...set(FIRSTS)],
    ...[...get(SECOND), ...SPLAT, ...set(SECONDS)],
    ...[...get(FROM), ...get(APART), ...ADD, ...set(BEHIND)],
    // 64 places at a time, until there is a pair among them, or not as many are left.
    ...[...BLOCK, ...LOOP],
    ...[...get(FROM), ...constant(64), ...ADD, ...get(END), ...IS_ABOVE, ...leaveIf(1)],
    ...[...pairs(0), ...pairs(16), ...OR, ...pairs(32), ...OR, ...pairs(48), ...OR, ...ANY, ...leaveIf(1)],
    ...[...goOn(64), ...again],
    ...[...END_BLOCK, ...END_BLOCK],
    // 16 at a time: which of them.
    ...[...BLOCK, ...LOOP],
    ...[...get(FROM), ...get(END), ...IS_NOT_BELOW, ...leaveIf(1)],
    ...[...pairs(0), ...MASK, ...tee(BITS)],
    ...[...IF, ...get(FROM), ...get(BITS), ...TRAILING_ZEROS, ...ADD, ...RETURN, ...END_BLOCK],
    ...[...goOn(16), ...again],
    ...[...END_BLOCK, ...END_BLOCK],
    ...[...constant(-1), ...END_BLOCK],
  ]
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // One type, five numbers to one; one function of it; one memory; both exported; the code.
    ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 1, I32]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, PAGES]),
    ...section(7, [2, ...named('memory'), 2, 0, ...named('find'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

function named(name: string): number[] {
  return [name.length, ...Buffer.from(name)]
}

/** Seven bits to a byte, the lowest first; all but the last have the eighth set. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** The same, where the seventh bit of the last byte is the sign. */
function signed(value: number): number[] {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
