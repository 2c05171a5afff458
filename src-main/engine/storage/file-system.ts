/**
 * The file system as the engine sees it: the few synchronous calls it needs, passed in, so that tests can
 * count them, make the k-th one fail, and replace them.
 *
 * Every call throws Node's own error (`code`, `path`) and nothing else. `attempt` in `errors.ts` is the one
 * place where such an error becomes a `Result`. Synchronous, because a promise that is kept ("acknowledged
 * means written") must not depend on who else runs meanwhile; long work yields between calls.
 */

/** What a stat tells. Times in Unix milliseconds with fraction, identities as decimal text (they exceed 2^53). */
export type FileStat = {
  kind: 'file' | 'directory' | 'symlink' | 'other'
  size: number
  mtimeMs: number
  /** Nanoseconds since the epoch, exact: the identity check needs more than milliseconds. */
  mtimeNs: bigint
  atimeMs: number
  dev: bigint
  ino: bigint
  mode: number
  links: number
}

/** Unix ms with microseconds, of nanoseconds: as exact as such a number can be. */
export function modifiedMs(mtimeNs: bigint): number {
  return Number(mtimeNs / 1000n) / 1000
}

export type DirectoryEntry = { name: string; kind: FileStat['kind'] }

/**
 * `wx` fails with EEXIST when the file exists. `a` writes at the end whatever else happens. `append` does so too, can
 * read, and fails with ENOENT where `a` would make an empty file. `r` does not wait for who writes to a named pipe.
 */
export type OpenMode = 'r' | 'r+' | 'wx' | 'a' | 'append'

export interface FileSystem {
  open(path: string, mode: OpenMode, permissions?: number): number
  close(fd: number): void
  /** Reads up to `length` bytes at `position`; answers how many came, 0 at the end. */
  read(fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number
  /** May write less than asked. `position` null writes at the descriptor's own position (or the end for `a`). */
  write(fd: number, buffer: Uint8Array, offset: number, length: number, position: number | null): number
  /** Cuts the file to `size` bytes. */
  truncate(fd: number, size: number): void
  fsync(fd: number): void
  fdatasync(fd: number): void
  /** Follows symbolic links. */
  stat(path: string): FileStat
  lstat(path: string): FileStat
  fstat(fd: number): FileStat
  /** Entries in the order the system gives them, without `.` and `..`. */
  readDirectory(path: string): DirectoryEntry[]
  readLink(path: string): string
  realPath(path: string): string
  rename(from: string, to: string): void
  /** Hard link; fails with EEXIST when `to` exists. */
  link(from: string, to: string): void
  symlink(target: string, path: string): void
  unlink(path: string): void
  makeDirectory(path: string): void
  removeDirectory(path: string): void
  setTimes(path: string, atimeMs: number, mtimeMs: number): void
  setMode(path: string, mode: number): void
}
