/** A session's journal in memory: for tests, and for text that is no file. */
import { err, ok, type Result } from '@shared/ipc/result'
import { type ByteSource, memoryByteSource } from './byte-source'
import type { SessionStorage, StorageStat } from './session-storage'

export class MemorySessionStorage implements SessionStorage {
  readonly path: string
  private bytes: Uint8Array | null
  private generation = 0
  private modified = 0

  constructor(path: string, bytes: Uint8Array | null) {
    this.path = path
    this.bytes = bytes
  }

  /** Puts other bytes in its place, as a rename over a file does. */
  replace(bytes: Uint8Array | null): void {
    this.bytes = bytes
    this.generation++
    this.modified++
  }

  /** Adds bytes at the end, as another process would. */
  append(bytes: Uint8Array): void {
    this.bytes = Buffer.concat([this.bytes ?? new Uint8Array(), bytes])
    this.modified++
  }

  stat(): Result<StorageStat> {
    if (this.bytes === null)
      return err('not-found', `Cannot read ${this.path}: it is not there (any more).`, this.path)
    return ok({
      fileId: `memory:${this.generation}`,
      size: this.bytes.length,
      modified: this.modified,
      readOnly: false,
    })
  }

  open(): Result<{ source: ByteSource; stat: StorageStat }> {
    const stat = this.stat()
    if (!stat.ok) return stat
    return ok({ source: memoryByteSource(this.bytes ?? new Uint8Array()), stat: stat.value })
  }
}
