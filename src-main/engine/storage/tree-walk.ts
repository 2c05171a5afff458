/**
 * TREE WALK: exactly what lies in a directory, without following any link.
 *
 * Guarantees
 *   Every entry once, parents before children, siblings in byte order of their names. A symbolic link is an entry of
 *   its own and never entered. Iterative: depth costs memory, not stack. Reads names and stats only.
 *
 * Not guaranteed
 *   A moment in time: entries that vanish while walking are left out; compare two inventories to know that nothing
 *   moved. A name that is not valid UTF-8 cannot be named here and is listed as `other`.
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import type { Environment, WorkContext } from '../environment'
import { attemptAsync, errnoOf } from './errors'
import type { FileStat } from './file-system'

export type TreeEntry = {
  /** Relative to the root, parts joined by `/`; empty for the root itself. */
  path: string
  kind: FileStat['kind']
  /** Bytes of a regular file; 0 for everything else. */
  size: number
  mtimeNs: string
  ino: string
}

export type TreeInventory = {
  entries: TreeEntry[]
  /** Names that are not directories: regular files, links and others. */
  files: number
  directories: number
  symlinks: number
  /** Bytes of the regular files. */
  bytes: number
}

/** Entries read between two pauses; a pause costs about as much as some stats. */
const ENTRIES_PER_BREATH = 64

/** Inventory of `root` itself (a file, a link or a directory) and of everything below it. */
export function walkTree(env: Environment, root: string, work: WorkContext): Promise<Result<TreeInventory>> {
  return attemptAsync('read', root, async () => {
    const inventory: TreeInventory = { entries: [], files: 0, directories: 0, symlinks: 0, bytes: 0 }
    const first = entryOf('', env.fs.lstat(root))
    const pending: TreeEntry[] = [first]
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      count(inventory, entry)
      // One by one: as arguments of a single call, a hundred thousand names would overflow the stack.
      if (entry.kind === 'directory')
        for (const child of childrenOf(env, root, entry).reverse()) pending.push(child)
      if (inventory.entries.length % ENTRIES_PER_BREATH === 0) await work.breathe()
    }
    return inventory
  })
}

function count(inventory: TreeInventory, entry: TreeEntry): void {
  inventory.entries.push(entry)
  if (entry.kind === 'directory') inventory.directories++
  else inventory.files++
  if (entry.kind === 'symlink') inventory.symlinks++
  inventory.bytes += entry.size
}

function childrenOf(env: Environment, root: string, parent: TreeEntry): TreeEntry[] {
  const directory = absolutePath(root, parent.path)
  const children: TreeEntry[] = []
  for (const { name } of env.fs.readDirectory(directory)) {
    const relative = parent.path === '' ? name : `${parent.path}/${name}`
    try {
      children.push(entryOf(relative, env.fs.lstat(path.join(directory, name))))
    } catch (thrown) {
      if (errnoOf(thrown) !== 'ENOENT') throw thrown
      // Vanished, or a name that could not be decoded: the latter is still there and must not be overlooked.
      if (name.includes('\uFFFD')) {
        children.push({ path: relative, kind: 'other', size: 0, mtimeNs: '0', ino: '0' })
      }
    }
  }
  return children.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function entryOf(relative: string, stat: FileStat): TreeEntry {
  return {
    path: relative,
    kind: stat.kind,
    size: stat.kind === 'file' ? stat.size : 0,
    mtimeNs: stat.mtimeNs.toString(),
    ino: stat.ino.toString(),
  }
}

/** Absolute path of an entry of the inventory of `root`. */
export function absolutePath(root: string, relative: string): string {
  return relative === '' ? root : path.join(root, ...relative.split('/'))
}

/**
 * A text that is equal for two inventories of the same names, kinds, sizes and file times. Inodes and directory
 * times are left out: they differ after a copy, and a directory's time changes with what lies in it anyway.
 */
export function treeFingerprint(entries: readonly TreeEntry[]): string {
  const hash = createHash('sha256')
  for (const entry of entries) {
    const time = entry.kind === 'directory' ? '' : entry.mtimeNs
    hash.update(`${entry.kind}\0${entry.size}\0${time}\0${entry.path}\0\n`)
  }
  return hash.digest('hex')
}

/** What differs between two inventories, naming the first difference, or null when they are equal. */
export function treeDifference(before: readonly TreeEntry[], now: readonly TreeEntry[]): string | null {
  const known = new Map(before.map(entry => [entry.path, entry]))
  for (const entry of now) {
    const old = known.get(entry.path)
    const name = entry.path === '' ? 'it' : entry.path
    if (old === undefined) return `${name} is new`
    known.delete(entry.path)
    if (old.kind !== entry.kind) return `${name} was a ${old.kind} and is a ${entry.kind}`
    if (entry.kind === 'directory') continue
    if (old.size !== entry.size) return `${name} went from ${old.size} to ${entry.size} bytes`
    if (old.mtimeNs !== entry.mtimeNs) return `${name} was written to`
  }
  for (const gone of known.keys()) return `${gone === '' ? 'it' : gone} is gone`
  return null
}
