/**
 * A session's journal as a file. Follows a symbolic link to a regular file; anything else than a regular file is refused
 * with the reason. Rule: docs/format.md, Session files.
 *
 * What `SessionStorage` promises, by these means:
 *   append      opened for appending, never kept open: a kept descriptor would write into a file that another program has
 *               replaced. Compared (fstat) before the write; one buffer, looped over short writes; afterwards the name is
 *               looked at again, and a write that went into a file without a name is not acknowledged.
 *   create      temporary file, fsync, link, fsync of the directory (atomic-replace.ts).
 *   replace     temporary file, fsync, comparison, rename, fsync of the directory (atomic-replace.ts); what somebody appends in
 *               that very moment is taken over (late-lines.ts). A directory that cannot be synced fails nothing: the new
 *               content stands, and is as durable as the system makes its name by itself.
 *   remove      renamed aside, compared, unlinked.
 *   writeSlot   256 bytes in one write at offset 0 of the same inode, after a look that a slot is there.
 *   locked      omp's lock file (publish-lock.ts).
 *
 * Failures
 *   append fails part of the way    cut back to what it was, when nobody appended meanwhile; else the fragment stays, and the
 *                                   next append begins with a line feed. omp would glue its next record to a fragment, which
 *                                   is why it is not left as it is. Who asks for no lock and writes between our last look and
 *                                   the cut loses a line
 *   `disk`: sync fails              the same: what may not be on the disk is not acknowledged
 *   the look at the name fails      the same
 *   writeSlot fails                 the old slot is written back; a power loss within the write can leave a mixture of the
 *                                   two, which reads as a damaged first line: no entry is touched
 */
import { type Err, err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment } from '../environment'
import { type Chunks, publishNewNow, replaceFileNow, temporaryPathFor, writeAll } from './atomic-replace'
import { type ByteSource, openRegularFile, statRegularFile } from './byte-source'
import { attempt } from './errors'
import { captureIdentity, changedOnDisk, type FileIdentity } from './file-identity'
import { type FileStat, modifiedMs } from './file-system'
import { carryLate, dropAside, keepAside } from './late-lines'
import { type LockProbe, withPublishLock } from './publish-lock'
import {
  type SessionStorage,
  type StorageStat,
  type SyncMode,
  stateDifference,
  withoutSlot,
} from './session-storage'
import { isExactSlot } from './slot-bytes'

const LF = 0x0a
const LINE_FEED = Buffer.from('\n')

export class FileSessionStorage implements SessionStorage {
  readonly path: string
  private readonly env: Environment
  private readonly probe: LockProbe | undefined
  /** The state that our last append left: it is known to end with a line feed. */
  private wholeLines: StorageStat | null = null

  constructor(env: Environment, path: string, probe?: LockProbe) {
    this.env = env
    this.path = path
    this.probe = probe
  }

  stat(): Result<StorageStat> {
    const stat = attempt('read', this.path, () => statRegularFile(this.env.fs, this.path))
    return stat.ok ? ok(storageStat(stat.value)) : this.explained(stat)
  }

  open(): Result<{ source: ByteSource; stat: StorageStat }> {
    const opened = attempt('read', this.path, () => {
      const { source, stat } = openRegularFile(this.env.fs, this.path)
      return { source, stat: storageStat(stat) }
    })
    return opened.ok ? opened : this.explained(opened)
  }

  locked<T>(work: () => Result<T> | Promise<Result<T>>): Promise<Result<T>> {
    return withPublishLock(this.env, this.path, work, this.probe)
  }

  append(lines: Uint8Array, expected: StorageStat, sync: SyncMode): Result<StorageStat> {
    const { fs } = this.env
    const appended = attempt('append to', this.path, () => {
      const fd = fs.open(this.path, 'append')
      try {
        const before = storageStat(fs.fstat(fd))
        const difference = stateDifference(expected, before)
        if (difference !== null) return changedOnDisk(this.path, difference)
        const buffer = this.endsWithinLine(fd, before) ? Buffer.concat([LINE_FEED, lines]) : lines
        this.wholeLines = null
        const after = this.writeOrCutBack(fd, buffer, before, sync)
        if (after.fileId !== before.fileId) return changedOnDisk(this.path, 'another file took its place')
        this.wholeLines = after
        return ok(after)
      } finally {
        fs.close(fd)
      }
    })
    return appended.ok ? appended.value : this.explained(appended)
  }

  private endsWithinLine(fd: number, { size, ...rest }: StorageStat): boolean {
    if (size === 0) return false
    if (this.wholeLines !== null && stateDifference(this.wholeLines, { size, ...rest }) === null) return false
    const last = Buffer.alloc(1)
    return this.env.fs.read(fd, last, 0, 1, size - 1) === 1 && last[0] !== LF
  }

  /** The state afterwards: of the name, not of the descriptor, since what matters is what the next reader finds. */
  private writeOrCutBack(fd: number, buffer: Uint8Array, before: StorageStat, sync: SyncMode): StorageStat {
    const { fs } = this.env
    try {
      writeAll(fs, fd, buffer)
      if (sync === 'disk') fs.fdatasync(fd)
      return storageStat(statRegularFile(fs, this.path))
    } catch (thrown) {
      cutBack(this.env, fd, before, buffer)
      throw thrown
    }
  }

  create(chunks: Chunks): Result<StorageStat> {
    const made = publishNewNow(this.env, this.path, chunks, {})
    return made.ok ? ok(stateOf(made.value, false)) : made
  }

  replace(chunks: Chunks, expected: StorageStat): Result<StorageStat> {
    const real = attempt('look at', this.path, () => this.env.fs.realPath(this.path))
    if (!real.ok) return real
    const identity = captureIdentity(this.env.fs, real.value)
    if (!identity.ok) return identity
    const now = this.stat()
    if (!now.ok) return now
    const difference = stateDifference(expected, now.value)
    if (difference !== null) return changedOnDisk(this.path, difference)
    const aside = attempt('look at', this.path, () => keepAside(this.env, real.value))
    if (!aside.ok) return aside
    const replaced = replaceFileNow(this.env, real.value, chunks, { expected: identity.value })
    const after = replaced.ok ? ok(stateOf(replaced.value, expected.readOnly)) : this.stat()
    // A directory that cannot be synced is told of as an error, though the new content stands.
    if (!replaced.ok && (!after.ok || after.value.fileId === expected.fileId)) {
      dropAside(this.env, aside.value)
      return replaced
    }
    const carried = carryLate(this.env, aside.value, real.value, identity.value.size)
    return carried.ok ? after : carried
  }

  writeSlot(slot: Uint8Array, expected: StorageStat, sync: SyncMode): Result<StorageStat> {
    const { fs } = this.env
    if (slot.length !== limits.slotBytes || !isExactSlot(slot))
      return err('invalid-argument', `A title slot has ${limits.slotBytes} bytes; nothing was written.`)
    const written = attempt('write the title of', this.path, () => {
      const fd = fs.open(this.path, 'r+')
      try {
        const before = storageStat(fs.fstat(fd))
        const difference = stateDifference(expected, before)
        if (difference !== null) return changedOnDisk(this.path, difference)
        const old = Buffer.alloc(limits.slotBytes)
        const got = fs.read(fd, old, 0, old.length, 0)
        if (got !== old.length || !isExactSlot(old)) return withoutSlot(this.path)
        const after = this.writeOver(fd, slot, old, sync)
        if (after.fileId !== before.fileId) return changedOnDisk(this.path, 'another file took its place')
        return ok(after)
      } finally {
        fs.close(fd)
      }
    })
    return written.ok ? written.value : this.explained(written)
  }

  /** Writes the slot and answers the state afterwards; whatever fails, the old slot is put back. */
  private writeOver(fd: number, slot: Uint8Array, old: Uint8Array, sync: SyncMode): StorageStat {
    const { fs } = this.env
    try {
      writeAll(fs, fd, slot, 0)
      if (sync === 'disk') fs.fdatasync(fd)
      return storageStat(statRegularFile(fs, this.path))
    } catch (thrown) {
      try {
        writeAll(fs, fd, old, 0)
      } catch {
        // The first failure is the one that is told; readers take a mixed slot for a damaged line.
      }
      throw thrown
    }
  }

  remove(expected: StorageStat): Result<true> {
    const now = this.stat()
    if (!now.ok) return now
    const difference = stateDifference(expected, now.value)
    if (difference !== null) return changedOnDisk(this.path, difference)
    const aside = temporaryPathFor(this.env, this.path)
    const moved = attempt('remove', this.path, () => this.env.fs.rename(this.path, aside))
    if (!moved.ok) return moved
    // Looked at once more where nobody finds it by its name: what came since must not go with it.
    const removed = attempt('remove', this.path, () => {
      const changed = stateDifference(expected, storageStat(statRegularFile(this.env.fs, aside)))
      if (changed !== null) return changedOnDisk(this.path, changed)
      this.env.fs.unlink(aside)
      return ok(true as const)
    })
    if (removed.ok && removed.value.ok) return removed.value
    const back = attempt('put back', this.path, () => {
      this.env.fs.link(aside, this.path)
      this.env.fs.unlink(aside)
    })
    if (!back.ok) return err(back.error.code, `${back.error.message} It lies in ${aside}.`, aside)
    return removed.ok ? removed.value : removed
  }

  /** A link that leads nowhere is there, unlike what it names: said so, instead of that the file is gone. */
  private explained(failure: Err): Err {
    if (failure.error.code !== 'not-found') return failure
    const link = attempt('read', this.path, () => this.env.fs.lstat(this.path).kind === 'symlink')
    if (!link.ok || !link.value) return failure
    return err('damaged', `Cannot read ${this.path}: it is a link that leads nowhere.`, this.path)
  }
}

/**
 * Takes back what a failed append left, when it is all that was added: the file must be longer by a beginning of `buffer` and
 * by nothing else. Never throws; what cannot be taken back stays, and is a line by itself for the next append.
 */
function cutBack({ fs }: Environment, fd: number, before: StorageStat, buffer: Uint8Array): void {
  try {
    const added = fs.fstat(fd).size - before.size
    if (added <= 0 || added > buffer.length) return
    const tail = Buffer.alloc(added)
    let got = 0
    while (got < added) {
      const count = fs.read(fd, tail, got, added - got, before.size + got)
      if (count === 0) return
      got += count
    }
    if (Buffer.compare(tail, buffer.subarray(0, added)) === 0) fs.truncate(fd, before.size)
  } catch {
    // The failure that led here is the one that is told.
  }
}

/** The state that a file has which was just written and looked at. */
function stateOf({ dev, ino, size, mtimeNs }: FileIdentity, readOnly: boolean): StorageStat {
  return { fileId: `${dev}:${ino}`, size, modified: modifiedMs(BigInt(mtimeNs)), readOnly }
}

/** The file that was asked for last: nearly always the next one as well, and its name costs more than the question. */
let lastId = { dev: -1n, ino: -1n, text: '' }

function fileIdOf(dev: bigint, ino: bigint): string {
  if (dev !== lastId.dev || ino !== lastId.ino) lastId = { dev, ino, text: `${dev}:${ino}` }
  return lastId.text
}

function storageStat(stat: FileStat): StorageStat {
  return {
    fileId: fileIdOf(stat.dev, stat.ino),
    size: stat.size,
    modified: stat.mtimeMs,
    readOnly: (stat.mode & 0o222) === 0,
  }
}
