/**
 * Bytes that can be read at any position: a file, or memory. A file is opened when first read and closed by
 * `close`, so that a source costs no descriptor while nobody reads.
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

export function fileByteSource(fs: FileSystem, path: string, size: number): ByteSource {
  let fd: number | undefined
  return {
    size,
    read(into, position) {
      fd ??= fs.open(path, 'r')
      let done = 0
      while (done < into.length) {
        const got = fs.read(fd, into, done, into.length - done, position + done)
        if (got === 0) break
        done += got
      }
      return done
    },
    close() {
      if (fd !== undefined) fs.close(fd)
      fd = undefined
    },
  }
}

/** The bytes `from`..`to`, fewer when the source ends before. */
export function readRange(source: ByteSource, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, to - from))
  const got = source.read(bytes, from)
  return got === bytes.length ? bytes : bytes.subarray(0, got)
}
