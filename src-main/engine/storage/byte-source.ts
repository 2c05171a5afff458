/**
 * Bytes that can be read at any position: an open file, or memory. A source shows the bytes up to the size it
 * had when it was opened; what is appended later is not part of it.
 */
import type { FileSystem } from './file-system'

export interface ByteSource {
  /** Bytes at the time of opening; reading beyond answers fewer bytes. */
  readonly size: number
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

/** The file behind an open descriptor, which `close` closes. `size` is what it holds now. */
export function descriptorByteSource(fs: FileSystem, fd: number, size: number): ByteSource {
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
      if (open) fs.close(fd)
      open = false
    },
  }
}

/** A file opened for reading, as far as it reaches now. Throws the system's error. */
export function openByteSource(fs: FileSystem, path: string): ByteSource {
  const fd = fs.open(path, 'r')
  return descriptorByteSource(fs, fd, fs.fstat(fd).size)
}

/** The bytes `from`..`to`, fewer when the source ends before. */
export function readRange(source: ByteSource, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, to - from))
  const got = source.read(bytes, from)
  return got === bytes.length ? bytes : bytes.subarray(0, got)
}
