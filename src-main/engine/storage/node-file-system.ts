/** The file system of this machine. Thin: each call is one call of `node:fs`. */
import fs from 'node:fs'
import { type DirectoryEntry, type FileStat, type FileSystem, modifiedMs } from './file-system'

/** Each fact is worked out when it is asked for: who locks a file asks for one of them, thousands of times. */
class NodeStat implements FileStat {
  private readonly stat: fs.BigIntStats

  constructor(stat: fs.BigIntStats) {
    this.stat = stat
  }

  get kind(): FileStat['kind'] {
    return kindOf(this.stat)
  }

  get size(): number {
    return Number(this.stat.size)
  }

  get mtimeMs(): number {
    return modifiedMs(this.stat.mtimeNs)
  }

  get mtimeNs(): bigint {
    return this.stat.mtimeNs
  }

  get atimeMs(): number {
    return modifiedMs(this.stat.atimeNs)
  }

  get dev(): bigint {
    return this.stat.dev
  }

  get ino(): bigint {
    return this.stat.ino
  }

  get mode(): number {
    return Number(this.stat.mode)
  }

  get links(): number {
    return Number(this.stat.nlink)
  }
}

const EXACT = { bigint: true } as const

function kindOf(entry: {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}): FileStat['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  if (entry.isSymbolicLink()) return 'symlink'
  return 'other'
}

/** Of a named pipe, which is not waited for until somebody writes to it; no system without named pipes knows the flag. */
const READ = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0)
const APPEND_EXISTING = fs.constants.O_RDWR | fs.constants.O_APPEND

export const nodeFileSystem: FileSystem = {
  open: (path, mode, permissions) =>
    fs.openSync(path, mode === 'append' ? APPEND_EXISTING : mode === 'r' ? READ : mode, permissions),
  close: fd => fs.closeSync(fd),
  read: (fd, buffer, offset, length, position) => fs.readSync(fd, buffer, offset, length, position),
  write: (fd, buffer, offset, length, position) => fs.writeSync(fd, buffer, offset, length, position),
  truncate: (fd, size) => fs.ftruncateSync(fd, size),
  fsync: fd => fs.fsyncSync(fd),
  fdatasync: fd => fs.fdatasyncSync(fd),
  stat: path => new NodeStat(fs.statSync(path, EXACT)),
  lstat: path => new NodeStat(fs.lstatSync(path, EXACT)),
  fstat: fd => new NodeStat(fs.fstatSync(fd, EXACT)),
  readDirectory: path =>
    fs
      .readdirSync(path, { withFileTypes: true })
      .map((entry): DirectoryEntry => ({ name: entry.name, kind: kindOf(entry) })),
  readLink: path => fs.readlinkSync(path),
  realPath: path => fs.realpathSync.native(path),
  rename: (from, to) => fs.renameSync(from, to),
  link: (from, to) => fs.linkSync(from, to),
  symlink: (target, path) => fs.symlinkSync(target, path),
  unlink: path => fs.unlinkSync(path),
  makeDirectory: path => fs.mkdirSync(path),
  removeDirectory: path => fs.rmdirSync(path),
  setTimes: (path, atimeMs, mtimeMs) => fs.utimesSync(path, atimeMs / 1000, mtimeMs / 1000),
  setMode: (path, mode) => fs.chmodSync(path, mode),
}
