/** The file system of this machine. Thin: each call is one call of `node:fs`. */
import fs from 'node:fs'
import { type DirectoryEntry, type FileStat, type FileSystem, modifiedMs } from './file-system'

function statOf(stat: fs.BigIntStats): FileStat {
  return {
    kind: kindOf(stat),
    size: Number(stat.size),
    mtimeMs: modifiedMs(stat.mtimeNs),
    mtimeNs: stat.mtimeNs,
    atimeMs: Number(stat.atimeNs / 1000n) / 1000,
    dev: stat.dev,
    ino: stat.ino,
    mode: Number(stat.mode),
    links: Number(stat.nlink),
  }
}

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

const APPEND_EXISTING = fs.constants.O_RDWR | fs.constants.O_APPEND

export const nodeFileSystem: FileSystem = {
  open: (path, mode, permissions) =>
    fs.openSync(path, mode === 'append' ? APPEND_EXISTING : mode, permissions),
  close: fd => fs.closeSync(fd),
  read: (fd, buffer, offset, length, position) => fs.readSync(fd, buffer, offset, length, position),
  write: (fd, buffer, offset, length, position) => fs.writeSync(fd, buffer, offset, length, position),
  truncate: (fd, size) => fs.ftruncateSync(fd, size),
  fsync: fd => fs.fsyncSync(fd),
  fdatasync: fd => fs.fdatasyncSync(fd),
  stat: path => statOf(fs.statSync(path, { bigint: true })),
  lstat: path => statOf(fs.lstatSync(path, { bigint: true })),
  fstat: fd => statOf(fs.fstatSync(fd, { bigint: true })),
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
