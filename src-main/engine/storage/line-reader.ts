/**
 * Lines of a journal, by bytes.
 *
 * A line ends at byte 0x0A and nowhere else; a 0x0D before it is not part of its content. The text is never
 * decoded here, so U+2028, U+0085 and half characters at a chunk's end cannot move a boundary. Memory: one
 * chunk, or the longest line and a chunk. Where a line ends that is longer than what is held is looked for first, so that
 * one over the limit is never held: it is reported by its range, without content, whatever the chunk size. Rule:
 * docs/format.md, Damage.
 */
import { limits } from '@shared/limits'
import type { ByteSource } from './byte-source'

export type Line = {
  /** From 1. */
  number: number
  /** Position of its first byte in the file. */
  offset: number
  /** Content without line end; a view that the next line overwrites. Empty when `tooLarge`. */
  bytes: Uint8Array
  /** Length of the content in bytes. */
  length: number
  /** False for a last line without line feed. */
  terminated: boolean
  /** Bytes of its line end: 0 for an unterminated line, 2 for CR LF. */
  lineEnd: number
  tooLarge: boolean
}

export type LineReaderOptions = {
  /** Position at which a line begins, and that line's number. */
  from?: number
  firstNumber?: number
  chunkBytes?: number
  lineBytes?: number
  /**
   * Is offered each line that ends in a line feed, as the range `from`..`to` of `bytes` before that, and by its offset in the file. One
   * that it takes is not told of any more.
   */
  take?: ((bytes: Uint8Array, from: number, to: number, offset: number) => boolean) | undefined
}

const LF = 0x0a
const CR = 0x0d
/** Bytes that are looked through at once for the end of a long line. */
const LOOK_BYTES = 256 * 1024

/** Every line from `from` to the end, in order. The last one may be unterminated; an empty last one is none. */
export function* readLines(source: ByteSource, options: LineReaderOptions = {}): Generator<Line> {
  for (const line of readLinesInSteps(source, options)) if (typeof line !== 'number') yield line
}

/** As `readLines`; it also tells after each chunk how far it has read. */
export function* readLinesInSteps(
  source: ByteSource,
  options: LineReaderOptions = {},
): Generator<Line | number> {
  const chunkBytes = options.chunkBytes ?? limits.chunkBytes
  const lineBytes = options.lineBytes ?? limits.lineBytes
  const { take } = options
  let buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, source.size - (options.from ?? 0))))
  let number = options.firstNumber ?? 1
  // The file position of buffer[0], and how much of the buffer holds bytes.
  let base = options.from ?? 0
  let filled = 0
  // Bytes of the present line that were dropped because it is over the limit.
  let dropped = 0
  for (;;) {
    const got = source.read(buffer.subarray(filled), base + filled)
    const searchFrom = filled
    filled += got
    let start = 0
    let search = searchFrom
    const view = buffer.subarray(0, filled)
    for (;;) {
      const end = view.indexOf(LF, search)
      if (end === -1) break
      const taken =
        dropped === 0 && end - start <= lineBytes && take?.(view, start, end, base + start) === true
      if (taken) number++
      else
        yield lineOf(number++, base + start - dropped, buffer.subarray(start, end), dropped, true, lineBytes)
      dropped = 0
      start = end + 1
      search = start
    }
    if (got === 0) {
      if (filled > start || dropped > 0)
        yield lineOf(
          number,
          base + start - dropped,
          buffer.subarray(start, filled),
          dropped,
          false,
          lineBytes,
        )
      return
    }
    const rest = filled - start
    yield base + filled
    const isFull = rest === buffer.length && base + filled < source.size
    const end = isFull && dropped === 0 ? yield* lineEndWithin(source, base, filled, lineBytes) : null
    if (dropped > 0 || rest > lineBytes || (isFull && end === null)) {
      dropped += rest
      base += filled
      filled = 0
      continue
    }
    if (end !== null) {
      const larger = Buffer.allocUnsafe(Math.min(end - base + chunkBytes, source.size - base))
      buffer.copy(larger, 0, 0, filled)
      buffer = larger
      continue
    }
    if (start > 0) {
      buffer.copyWithin(0, start, filled)
      base += start
      filled = rest
    }
  }
}

/**
 * Where the line ends that begins at `start` and has no end in its first `known` bytes; null when it is over the limit. The end of the
 * source is an end as well. Tells on its way that it is still there.
 */
function* lineEndWithin(
  source: ByteSource,
  start: number,
  known: number,
  lineBytes: number,
): Generator<number, number | null> {
  const part = Buffer.allocUnsafe(LOOK_BYTES)
  let at = start + known
  while (at - start <= lineBytes) {
    const got = source.read(part, at)
    const end = part.subarray(0, got).indexOf(LF)
    if (end !== -1 || got === 0) {
      const whole = at + Math.max(end, 0)
      return whole - start > lineBytes ? null : whole
    }
    at += got
    yield start + known
  }
  return null
}

function lineOf(
  number: number,
  offset: number,
  content: Uint8Array,
  dropped: number,
  terminated: boolean,
  lineBytes: number,
): Line {
  const tooLarge = dropped > 0 || content.length > lineBytes
  // The line end of a line that is not kept is LF alone: a CR before it may have been dropped with the rest.
  const crlf = terminated && !tooLarge && content[content.length - 1] === CR
  const bytes = crlf ? content.subarray(0, content.length - 1) : content
  return {
    number,
    offset,
    bytes: tooLarge ? bytes.subarray(0, 0) : bytes,
    length: dropped + bytes.length,
    terminated,
    lineEnd: terminated ? (crlf ? 2 : 1) : 0,
    tooLarge,
  }
}
