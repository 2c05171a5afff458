/** A session's journal in memory: for sessions that are not on disk (yet), for tests, and for text that is no file. */
import { err, ok, type Result } from '@shared/ipc/result'
import type { Chunks } from './atomic-replace'
import { type ByteSource, memoryByteSource } from './byte-source'
import { attempt, attemptAsync } from './errors'
import { changedOnDisk } from './file-identity'
import { type SessionStorage, type StorageStat, stateDifference, withoutSlot } from './session-storage'
import { isExactSlot } from './slot-bytes'

const LF = 0x0a
/** Most room kept for what may be appended. */
const ROOM_BYTES = 8 * 1024 * 1024

export class MemorySessionStorage implements SessionStorage {
  readonly path: string
  private bytes: Uint8Array | null
  private generation = 0
  private modified = 0
  /** What `bytes` lies in, with room behind it, after it grew. */
  private room = new Uint8Array()
  private queue: Promise<unknown> = Promise.resolve()

  constructor(path: string, bytes: Uint8Array | null) {
    this.path = path
    this.bytes = bytes
  }

  /** As another program does that renames a file over this one, or removes it (null). */
  replaceFromOutside(bytes: Uint8Array | null): void {
    this.bytes = bytes
    this.generation++
    this.modified++
  }

  /** As another program does that appends without a look. */
  appendFromOutside(bytes: Uint8Array): void {
    this.bytes = this.grown(this.bytes ?? new Uint8Array(), bytes)
    this.modified++
  }

  stat(): Result<StorageStat> {
    if (this.bytes === null)
      return err('not-found', `Cannot read ${this.path}: it is not there (any more).`, this.path)
    return ok(this.state(this.bytes))
  }

  open(): Result<{ source: ByteSource; stat: StorageStat }> {
    const stat = this.stat()
    if (!stat.ok) return stat
    return ok({ source: memoryByteSource(this.bytes ?? new Uint8Array()), stat: stat.value })
  }

  locked<T>(work: () => Result<T> | Promise<Result<T>>): Promise<Result<T>> {
    const done = this.queue.then(() => attemptAsync('change', this.path, async () => work()))
    this.queue = done
    return done.then(result => (result.ok ? result.value : result))
  }

  append(lines: Uint8Array, expected: StorageStat): Result<StorageStat> {
    return this.change(expected, bytes => {
      const torn = bytes.length > 0 && bytes[bytes.length - 1] !== LF
      return this.grown(bytes, torn ? joined(Buffer.from('\n'), lines) : lines)
    })
  }

  create(chunks: Chunks): Result<StorageStat> {
    if (this.bytes !== null)
      return err('conflict', `${this.path} is already there; nothing is overwritten.`, this.path)
    return attempt('write', this.path, () => {
      this.bytes = Buffer.concat([...chunks])
      this.generation++
      this.modified++
      return this.state(this.bytes)
    })
  }

  replace(chunks: Chunks, expected: StorageStat): Result<StorageStat> {
    const replaced = this.change(expected, () => Buffer.concat([...chunks]))
    if (!replaced.ok) return replaced
    this.generation++
    return this.stat()
  }

  writeSlot(slot: Uint8Array, expected: StorageStat): Result<StorageStat> {
    if (this.bytes !== null && !isExactSlot(this.bytes)) return withoutSlot(this.path)
    return this.change(expected, bytes => joined(slot, bytes.subarray(slot.length)))
  }

  remove(expected: StorageStat): Result<true> {
    const looked = this.change(expected, bytes => bytes)
    if (!looked.ok) return looked
    this.bytes = null
    return ok(true)
  }

  private change(expected: StorageStat, make: (bytes: Uint8Array) => Uint8Array): Result<StorageStat> {
    const stat = this.stat()
    if (!stat.ok) return stat
    const difference = stateDifference(expected, stat.value)
    if (difference !== null) return changedOnDisk(this.path, difference)
    return attempt('write', this.path, () => {
      this.bytes = make(this.bytes ?? new Uint8Array())
      this.modified++
      return this.state(this.bytes)
    })
  }

  /**
   * `bytes` and then `more`, in the room behind `bytes` when there is some: appending costs what is appended. Who has
   * `bytes` open still sees what they held.
   */
  private grown(bytes: Uint8Array, more: Uint8Array): Uint8Array {
    const size = bytes.length + more.length
    const fits = bytes.buffer === this.room.buffer && bytes.byteOffset === this.room.byteOffset
    if (!fits || size > this.room.length) {
      this.room = new Uint8Array(Math.max(size, Math.min(2 * size, size + ROOM_BYTES)))
      this.room.set(bytes)
    }
    this.room.set(more, bytes.length)
    return this.room.subarray(0, size)
  }

  private state(bytes: Uint8Array): StorageStat {
    const { generation, modified } = this
    return { fileId: `memory:${generation}`, size: bytes.length, modified, readOnly: false }
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Buffer.concat([a, b])
}
