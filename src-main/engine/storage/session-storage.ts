/**
 * SESSION STORAGE: where the bytes of one session are. The engine reads and writes a session through this and does not
 * know whether it is a file or memory; both pass the same conformance suite (session-storage.suite.ts).
 *
 * Guarantees
 *   `stat` and `open` never create, change or touch anything. `open` answers the bytes as of now: what is appended
 *   later is not in it, and a file that is replaced meanwhile stays readable as it was.
 *   Writing calls compare with `expected` first and write nothing when it is no longer so: `changed-on-disk`.
 *   `append` adds whole lines at the end, on a line of their own, and nothing else changes. `create` and `replace`
 *   are whole or not at all. `writeSlot` changes the first 256 bytes and nothing else.
 *   After an error the bytes are what they were, or (where even going back failed) a fragment is left at the end that
 *   the next `append` puts on a line of its own.
 *
 * Order of calls
 *   `locked` around `stat`, the decision, and one writing call. Writing without it works, and races with others.
 */
import { err, type Result } from '@shared/ipc/result'
import type { Chunks } from './atomic-replace'
import type { ByteSource } from './byte-source'

/** Tells one state of a session's bytes from another. */
export type StorageStat = {
  /** Which file it is: changes when it is replaced. */
  fileId: string
  size: number
  /** Unix ms. */
  modified: number
  readOnly: boolean
}

/**
 * What an acknowledged append or slot promises. `os`: it survives the end of this process. `disk`: it survives a power
 * loss as well. Replacing and creating always go to the disk.
 */
export type SyncMode = 'os' | 'disk'

export interface SessionStorage {
  /** Shown in messages; absolute path of the journal for files. */
  readonly path: string
  stat(): Result<StorageStat>
  /** The bytes as of now; close it. */
  open(): Result<{ source: ByteSource; stat: StorageStat }>
  /** Runs `work` while no one else who asks for the session's lock writes. `in-use` when it stays busy. */
  locked<T>(work: () => Result<T> | Promise<Result<T>>): Promise<Result<T>>
  /**
   * Adds `lines`, each ended by LF. The answer is the state afterwards; its size is larger than `expected` and the lines
   * together when another writer came in between.
   */
  append(lines: Uint8Array, expected: StorageStat, sync: SyncMode): Result<StorageStat>
  /** Makes the session where there is none; `conflict` when there is one. */
  create(chunks: Chunks): Result<StorageStat>
  /** Puts other bytes in its place. */
  replace(chunks: Chunks, expected: StorageStat): Result<StorageStat>
  /** Overwrites the title slot, which must be there: 256 bytes, a line by itself, at the start. */
  writeSlot(slot: Uint8Array, expected: StorageStat, sync: SyncMode): Result<StorageStat>
  /** Takes the session away for good. Only for one that nobody would miss. */
  remove(expected: StorageStat): Result<true>
}

/** What differs between two states, in words, or null when nothing does. */
export function stateDifference(expected: StorageStat, actual: StorageStat): string | null {
  if (expected.fileId !== actual.fileId) return 'another file took its place'
  if (expected.size !== actual.size) return `its size went from ${expected.size} to ${actual.size} bytes`
  return expected.modified === actual.modified ? null : 'it was written to'
}

/** The refusal to overwrite what is no slot. */
export function withoutSlot(path: string): Result<never> {
  return err('conflict', `${path} has no title slot of its own line; nothing is overwritten.`, path)
}
