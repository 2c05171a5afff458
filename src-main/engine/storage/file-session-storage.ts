/**
 * A session's journal as a file. Follows a symbolic link to a regular file; anything else than a regular
 * file is refused with the reason.
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { type ByteSource, descriptorByteSource } from './byte-source'
import { attempt } from './errors'
import type { FileStat, FileSystem } from './file-system'
import type { SessionStorage, StorageStat } from './session-storage'

export class FileSessionStorage implements SessionStorage {
  readonly path: string
  private readonly fs: FileSystem

  constructor(fs: FileSystem, path: string) {
    this.fs = fs
    this.path = path
  }

  stat(): Result<StorageStat> {
    const stat = attempt('read', this.path, () => this.fs.stat(this.path))
    return stat.ok ? this.regular(stat.value) : stat
  }

  open(): Result<{ source: ByteSource; stat: StorageStat }> {
    // The kind is asked first: opening a named pipe would wait for a writer.
    const before = this.stat()
    if (!before.ok) return before
    return attempt('read', this.path, () => {
      const fd = this.fs.open(this.path, 'r')
      const stat = this.fs.fstat(fd)
      return { source: descriptorByteSource(this.fs, fd, stat.size), stat: storageStat(stat) }
    })
  }

  private regular(stat: FileStat): Result<StorageStat> {
    if (stat.kind === 'file') return ok(storageStat(stat))
    const what = stat.kind === 'directory' ? 'a folder' : 'not a regular file'
    return err('damaged', `Cannot read ${this.path}: it is ${what}, not a session file.`, this.path)
  }
}

function storageStat(stat: FileStat): StorageStat {
  return {
    fileId: `${stat.dev}:${stat.ino}`,
    size: stat.size,
    modified: stat.mtimeMs,
    readOnly: (stat.mode & 0o222) === 0,
  }
}
