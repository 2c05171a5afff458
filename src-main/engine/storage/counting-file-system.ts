/** For tests: a file system that counts what is asked of it, so that they assert work and never seconds. */
import type { FileSystem } from './file-system'

/** Calls that change something on disk. A descriptor opened for writing counts as well. */
const WRITES: ReadonlySet<keyof FileSystem> = new Set([
  'write',
  'truncate',
  'rename',
  'link',
  'symlink',
  'unlink',
  'makeDirectory',
  'removeDirectory',
  'setTimes',
  'setMode',
])

export type CountedWork = {
  /** Path -> how often it was opened. */
  opened: Map<string, number>
  /** Bytes that came from files. */
  bytesRead: number
  /** Most bytes that one call asked for. */
  largestRead: number
  /** Descriptors that are open now. */
  open: number
  /** Calls that write, with their first argument. */
  writes: string[]
}

export type CountingFileSystem = FileSystem & {
  readonly work: CountedWork
  /** Begins anew; descriptors that are open stay counted. */
  reset(): void
}

export function countingFileSystem(inner: FileSystem): CountingFileSystem {
  const work: CountedWork = { opened: new Map(), bytesRead: 0, largestRead: 0, open: 0, writes: [] }
  const note = (name: keyof FileSystem, subject: unknown) => {
    if (WRITES.has(name)) work.writes.push(`${name} ${String(subject)}`)
  }
  const counted: FileSystem = {
    ...inner,
    open(path, mode, permissions) {
      if (mode !== 'r') work.writes.push(`open ${path}`)
      const fd = inner.open(path, mode, permissions)
      work.opened.set(path, (work.opened.get(path) ?? 0) + 1)
      work.open++
      return fd
    },
    close(fd) {
      inner.close(fd)
      work.open--
    },
    read(fd, buffer, offset, length, position) {
      const got = inner.read(fd, buffer, offset, length, position)
      work.bytesRead += got
      work.largestRead = Math.max(work.largestRead, length)
      return got
    },
    write(fd, buffer, offset, length, position) {
      note('write', fd)
      return inner.write(fd, buffer, offset, length, position)
    },
    truncate(fd, size) {
      note('truncate', fd)
      inner.truncate(fd, size)
    },
    rename(from, to) {
      note('rename', from)
      inner.rename(from, to)
    },
    link(from, to) {
      note('link', from)
      inner.link(from, to)
    },
    symlink(target, path) {
      note('symlink', path)
      inner.symlink(target, path)
    },
    unlink(path) {
      note('unlink', path)
      inner.unlink(path)
    },
    makeDirectory(path) {
      note('makeDirectory', path)
      inner.makeDirectory(path)
    },
    removeDirectory(path) {
      note('removeDirectory', path)
      inner.removeDirectory(path)
    },
    setTimes(path, atimeMs, mtimeMs) {
      note('setTimes', path)
      inner.setTimes(path, atimeMs, mtimeMs)
    },
    setMode(path, mode) {
      note('setMode', path)
      inner.setMode(path, mode)
    },
  }
  return Object.assign(counted, {
    work,
    reset() {
      work.opened.clear()
      work.bytesRead = 0
      work.largestRead = 0
      work.writes.length = 0
    },
  })
}
