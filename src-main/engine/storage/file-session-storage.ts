/**
 * A session's journal as a file. Follows a symbolic link to a regular file; anything else than a regular
 * file is refused with the reason. Rule: docs/format.md, Session files.
 */
import { ok, type Result } from '@shared/ipc/result'
import { type ByteSource, openRegularFile, statRegularFile } from './byte-source'
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
    const stat = attempt('read', this.path, () => statRegularFile(this.fs, this.path))
    return stat.ok ? ok(storageStat(stat.value)) : stat
  }

  open(): Result<{ source: ByteSource; stat: StorageStat }> {
    return attempt('read', this.path, () => {
      const { source, stat } = openRegularFile(this.fs, this.path)
      return { source, stat: storageStat(stat) }
    })
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
