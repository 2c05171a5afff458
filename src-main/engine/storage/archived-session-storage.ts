/**
 * A session that omp's `gc` archived: a journal packed with gzip, which is unpacked into memory and never written.
 * Rule: docs/format.md, Archive.
 *
 * Guarantees
 *   `stat` tells of the packed file: its bytes on the disk, and another `fileId` whenever it changed in any way.
 *   `open` answers the unpacked bytes; of a file that is cut off or damaged what could be unpacked, and the source says so.
 *   Its last line ends there: it is a damaged one, not one that is still written.
 *   More than `limits.archiveBytes` is `too-large` and not unpacked to its end.
 *   Every writing call, and the lock, is refused as `permission`.
 *
 * Memory: what was unpacked last is used again as long as nothing else needs the room.
 */
import { type Err, err, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { type ByteSource, memoryByteSource, openRegularFile, readRange, statRegularFile } from './byte-source'
import { attempt, EngineError } from './errors'
import type { FileStat, FileSystem } from './file-system'
import { type Inflated, inflate } from './inflate'
import type { SessionStorage, StorageStat } from './session-storage'

const LF = 0x0a

/** The refusal of every change to an archived session. */
export function archivedRefusal(file: string): Err {
  return err(
    'permission',
    `${file} is archived by omp, and archived sessions are only read; fork it to go on with it.`,
    file,
  )
}

/** The unpacked bytes of an archived session. Throws the system's error, or `too-large`. */
export function openArchive(fs: FileSystem, file: string): ByteSource {
  return sourceOf(unpack(fs, file).inflated)
}

export class ArchivedSessionStorage implements SessionStorage {
  readonly path: string
  private readonly fs: FileSystem
  private last: { fileId: string; damage: string | null; bytes: WeakRef<Uint8Array> } | null = null

  constructor(fs: FileSystem, path: string) {
    this.fs = fs
    this.path = path
  }

  stat(): Result<StorageStat> {
    return attempt('read', this.path, () => archiveStat(statRegularFile(this.fs, this.path)))
  }

  open(): Result<{ source: ByteSource; stat: StorageStat }> {
    return attempt('read', this.path, () => {
      const now = archiveStat(statRegularFile(this.fs, this.path))
      const known = this.last?.fileId === now.fileId ? this.last : null
      const bytes = known?.bytes.deref()
      if (known !== null && bytes !== undefined)
        return { source: sourceOf({ bytes, damage: known.damage }), stat: now }
      const { inflated, stat } = unpack(this.fs, this.path)
      const { damage } = inflated
      this.last = { fileId: stat.fileId, damage, bytes: new WeakRef(inflated.bytes) }
      return { source: sourceOf(inflated), stat }
    })
  }

  locked<T>(): Promise<Result<T>> {
    return Promise.resolve(this.refused())
  }

  append(): Result<StorageStat> {
    return this.refused()
  }

  create(): Result<StorageStat> {
    return this.refused()
  }

  replace(): Result<StorageStat> {
    return this.refused()
  }

  writeSlot(): Result<StorageStat> {
    return this.refused()
  }

  remove(): Result<true> {
    return this.refused()
  }

  private refused(): Err {
    return archivedRefusal(this.path)
  }
}

function unpack(fs: FileSystem, file: string): { inflated: Inflated; stat: StorageStat } {
  const { source, stat } = openRegularFile(fs, file)
  try {
    const inflated =
      source.size > limits.archiveBytes
        ? null
        : inflate(readRange(source, 0, source.size), limits.archiveBytes)
    if (inflated === null)
      throw new EngineError(
        'too-large',
        `${file} holds more than ${limits.archiveBytes} bytes and is not unpacked; unpack it elsewhere to read it.`,
        file,
      )
    return { inflated: withLastLine(inflated), stat: archiveStat(stat) }
  } finally {
    source.close()
  }
}

/** What was cut off goes on no more. */
function withLastLine({ bytes, damage }: Inflated): Inflated {
  if (damage === null || bytes.length === 0 || bytes[bytes.length - 1] === LF) return { bytes, damage }
  return { bytes: Buffer.concat([bytes, Buffer.from([LF])]), damage }
}

function sourceOf({ bytes, damage }: Inflated): ByteSource {
  return damage === null ? memoryByteSource(bytes) : { ...memoryByteSource(bytes), damage }
}

function archiveStat({ dev, ino, size, mtimeNs, mtimeMs }: FileStat): StorageStat {
  return { fileId: `${dev}:${ino}:${size}:${mtimeNs}`, size, modified: mtimeMs, readOnly: true }
}
