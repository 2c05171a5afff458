/**
 * Where the bytes of one session come from. The engine reads a session through this and does not know
 * whether it is a file or memory; both pass the same conformance suite.
 *
 * Guarantees: `stat` and `open` never create, change or touch anything. `open` answers the bytes as of now:
 * what is appended later is not in it, and a file that is replaced meanwhile stays readable as it was.
 */
import type { Result } from '@shared/ipc/result'
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

export interface SessionStorage {
  /** Shown in messages; absolute path of the journal for files. */
  readonly path: string
  stat(): Result<StorageStat>
  /** The bytes as of now; close it. */
  open(): Result<{ source: ByteSource; stat: StorageStat }>
}
