/**
 * A session's journal as a file. Follows a symbolic link to a regular file; anything else than a regular
 * file is refused with the reason. Rule: docs/format.md, Session files.
 */
import { type Err, err, ok, type Result } from '@shared/ipc/result'
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
    return stat.ok ? ok(storageStat(stat.value)) : this.explained(stat)
  }

  open(): Result<{ source: ByteSource; stat: StorageStat }> {
    const opened = attempt('read', this.path, () => {
      const { source, stat } = openRegularFile(this.fs, this.path)
      return { source, stat: storageStat(stat) }
    })
    return opened.ok ? opened : this.explained(opened)
  }

  /** A link that leads nowhere is there, unlike what it names: said so, instead of that the file is gone. */
  private explained(failure: Err): Err {
    if (failure.error.code !== 'not-found') return failure
    const link = attempt('read', this.path, () => this.fs.lstat(this.path).kind === 'symlink')
    if (!link.ok || !link.value) return failure
    return err('damaged', `Cannot read ${this.path}: it is a link that leads nowhere.`, this.path)
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
