/**
 * Bytes that can be read at any position: an open file, or memory. A source shows the bytes up to the size it
 * had when it was opened; what is appended later is not part of it.
 */
import { EngineError } from './errors'
import type { FileStat, FileSystem } from './file-system'

export interface ByteSource {
  /** Bytes at the time of opening; reading beyond answers fewer bytes. */
  readonly size: number
  /** One sentence where this is not all that there was: what follows could not be read. */
  readonly damage?: string
  /** Fills as much of `into` as there is from `position`; answers the count. Throws the system's error. */
  read(into: Uint8Array, position: number): number
  close(): void
}

export function memoryByteSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read(into, position) {
      const part = bytes.subarray(position, position + into.length)
      into.set(part)
      return part.length
    },
    close: () => undefined,
  }
}

/** The last bytes of something that is `from + bytes.length` long; what lies before them cannot be read. */
export function tailSource(bytes: Uint8Array, from: number): ByteSource {
  return {
    size: from + bytes.length,
    read(into, position) {
      if (position < from) throw new EngineError('internal', 'Only the end of this source is known.')
      const part = bytes.subarray(position - from, position - from + into.length)
      into.set(part)
      return part.length
    },
    close: () => undefined,
  }
}

/** The file behind an open descriptor, which `close` closes. `size` is what it holds now. */
function descriptorByteSource(fs: FileSystem, fd: number, size: number): ByteSource {
  let open = true
  return {
    size,
    read(into, position) {
      const wanted = Math.min(into.length, Math.max(0, size - position))
      let done = 0
      while (done < wanted) {
        const got = fs.read(fd, into, done, wanted - done, position + done)
        if (got === 0) break
        done += got
      }
      return done
    },
    close() {
      if (!open) return
      open = false
      try {
        fs.close(fd)
      } catch {
        // It was only read from: the bytes are here, and the system has let go of the descriptor.
      }
    },
  }
}

/** What is open, and how it was at that moment. */
export type OpenedFile = { source: ByteSource; stat: FileStat }

/**
 * A regular file opened for reading, as far as it reaches now. `FileSystem` opens a named pipe without waiting for a writer, so that
 * the kind need not be asked before. Throws the system's error, or `damaged` for what is no regular file.
 */
export function openRegularFile(fs: FileSystem, path: string): OpenedFile {
  const fd = fs.open(path, 'r')
  try {
    const stat = fs.fstat(fd)
    mustBeFile(stat, path)
    return { source: descriptorByteSource(fs, fd, stat.size), stat }
  } catch (thrown) {
    fs.close(fd)
    throw thrown
  }
}

/** Facts of a regular file, links followed. Throws as `openRegularFile` does. */
export function statRegularFile(fs: FileSystem, path: string): FileStat {
  const stat = fs.stat(path)
  mustBeFile(stat, path)
  return stat
}

function mustBeFile(stat: FileStat, path: string): void {
  if (stat.kind === 'file') return
  const what = stat.kind === 'directory' ? 'a folder' : 'no regular file'
  throw new EngineError('damaged', `Cannot read ${path}: it is ${what}.`, path)
}

/** As `openRegularFile`, for callers that need only the bytes; close it. */
export function openByteSource(fs: FileSystem, path: string): ByteSource {
  return openRegularFile(fs, path).source
}

/** Opens a regular file, lets `use` read it, and closes it whatever happens. Throws as `openRegularFile` does. */
export function withByteSource<T>(fs: FileSystem, path: string, use: (source: ByteSource) => T): T {
  const source = openByteSource(fs, path)
  try {
    return use(source)
  } finally {
    source.close()
  }
}

/** The bytes `from`..`to`, fewer when the source ends before. */
export function readRange(source: ByteSource, from: number, to: number): Uint8Array {
  // Never more than there is: a range may be asked for that reaches far beyond the end.
  const bytes = new Uint8Array(Math.max(0, Math.min(to, source.size) - from))
  const got = source.read(bytes, from)
  return got === bytes.length ? bytes : bytes.subarray(0, got)
}

/** The same bytes as a `Buffer`, without a copy. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Ranges of a source that lie close behind each other, with one read for many of them. */
export class ByteWindow {
  private readonly source: ByteSource
  private readonly ahead: number
  private bytes: Uint8Array = new Uint8Array()
  private from = 0

  /** `ahead`: bytes that are read at least. */
  constructor(source: ByteSource, ahead: number) {
    this.source = source
    this.ahead = ahead
  }

  /** A view that the next call may overwrite; shorter when the source ends before. */
  at(offset: number, length: number): Uint8Array {
    const end = offset + length
    if (offset < this.from || end > this.from + this.bytes.length) {
      this.bytes = readRange(this.source, offset, offset + Math.max(length, this.ahead))
      this.from = offset
    }
    return this.bytes.subarray(offset - this.from, end - this.from)
  }
}
