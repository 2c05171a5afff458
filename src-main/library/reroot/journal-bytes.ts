/** Reading parts of journals. Every call opens and closes the file; throws the system's error. */
import { createHash } from 'node:crypto'
import { type JournalHead, readJournalHead } from '../../engine/session/journal-head'
import { openByteSource, readRange } from '../../engine/storage/byte-source'
import type { FileSystem } from '../../engine/storage/file-system'

/** As in file-identity.ts. */
export const TAIL_BYTES = 4096

/** The bytes `from`..`to`, fewer when the file ends before. */
export function readBytes(fs: FileSystem, file: string, from: number, to: number): Buffer {
  const source = openByteSource(fs, file)
  try {
    return Buffer.from(readRange(source, from, to))
  } finally {
    source.close()
  }
}

/** Slot and header of the journal at `file`, which must be a regular file (a pipe would wait). */
export function readHead(fs: FileSystem, file: string): JournalHead {
  const source = openByteSource(fs, file)
  try {
    return readJournalHead(source)
  } finally {
    source.close()
  }
}

/** The tail hash of a file identity, of the file as it was when it ended at `size`. */
export function tailHashAt(fs: FileSystem, file: string, size: number): string {
  return tailHashOf(readBytes(fs, file, Math.max(0, size - TAIL_BYTES), size))
}

/** The tail hash of a file with these bytes. */
export function tailHashOf(bytes: Uint8Array): string {
  return createHash('sha256')
    .update(bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES)))
    .digest('hex')
}
