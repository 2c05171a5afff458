/**
 * Reading single objects of a Git repository without running git: loose ones, and those in packs (index version
 * 2, deltas included). Read only, bounded, and never sure: what is not understood answers null, and so does what
 * would cost much. Enough to walk commits; not meant for large objects.
 */
import path from 'node:path'
import { inflateSync } from 'node:zlib'
import type { FileSystem } from '../../engine/storage/file-system'

/** Bytes of one pack index that is held in memory; a repository with larger ones is not looked into. */
const MAX_INDEX_BYTES = 32 * 1024 * 1024
/** Bytes of an object, packed or not; commits are a few hundred. */
const MAX_OBJECT_BYTES = 1024 * 1024
/** Bytes read of a pack for one object at first; a commit fits. */
const PACK_READ_BYTES = 8 * 1024
const MAX_DELTAS = 60
const MAX_PACKS = 200

type Pack = { index: Buffer; path: string; count: number }
export type GitObject = { type: number; body: Buffer }

export const GIT_COMMIT = 1
const TYPE_OF_NAME: Record<string, number> = { commit: 1, tree: 2, blob: 3, tag: 4 }
const OFFSET_DELTA = 6
const REFERENCE_DELTA = 7

/** The objects of one repository. `hashBytes` is 20, or 32 in a SHA-256 repository. */
export class GitObjects {
  private packs: Pack[] | undefined
  constructor(
    private readonly fs: FileSystem,
    private readonly objectsDir: string,
    private readonly hashBytes: number,
  ) {}

  /** The object of that name, or null. */
  read(hash: string): GitObject | null {
    try {
      return this.readLoose(hash) ?? this.readPacked(hash, MAX_DELTAS)
    } catch {
      return null
    }
  }

  private readLoose(hash: string): GitObject | null {
    const bytes = readWhole(
      this.fs,
      path.join(this.objectsDir, hash.slice(0, 2), hash.slice(2)),
      MAX_OBJECT_BYTES,
    )
    if (bytes === null) return null
    const all = inflateSync(bytes, { maxOutputLength: MAX_OBJECT_BYTES })
    const end = all.indexOf(0)
    const type = TYPE_OF_NAME[all.subarray(0, Math.max(0, end)).toString('latin1').split(' ')[0] ?? '']
    return type === undefined ? null : { type, body: all.subarray(end + 1) }
  }

  private readPacked(hash: string, deltasLeft: number): GitObject | null {
    for (const pack of this.openPacks()) {
      const offset = findInIndex(pack, hash, this.hashBytes)
      if (offset !== null) return this.readAt(pack, offset, deltasLeft)
    }
    return null
  }

  private openPacks(): Pack[] {
    this.packs ??= this.listPacks()
    return this.packs
  }

  private listPacks(): Pack[] {
    const dir = path.join(this.objectsDir, 'pack')
    const packs: Pack[] = []
    let budget = MAX_INDEX_BYTES
    const names = listNames(this.fs, dir).filter(name => name.endsWith('.idx'))
    for (const name of names.slice(0, MAX_PACKS)) {
      const index = readWhole(this.fs, path.join(dir, name), budget)
      if (index === null || index.length < 8 + 1024) continue
      if (index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2) continue
      budget -= index.length
      packs.push({
        index,
        path: path.join(dir, `${name.slice(0, -4)}.pack`),
        count: index.readUInt32BE(8 + 255 * 4),
      })
    }
    return packs
  }

  private readAt(pack: Pack, offset: number, deltasLeft: number): GitObject | null {
    if (deltasLeft === 0) return null
    const head = readAt(this.fs, pack.path, offset, PACK_READ_BYTES)
    let at = 0
    const first = head[at++] ?? 0
    const type = (first >> 4) & 7
    let size = first & 15
    for (let shift = 4, byte = first; (byte & 0x80) !== 0; shift += 7) {
      byte = head[at++] ?? 0
      size += (byte & 0x7f) * 2 ** shift
    }
    if (size > MAX_OBJECT_BYTES) return null
    let base: GitObject | null = null
    if (type === OFFSET_DELTA) {
      let byte = head[at++] ?? 0
      let distance = byte & 0x7f
      while ((byte & 0x80) !== 0) {
        byte = head[at++] ?? 0
        distance = (distance + 1) * 128 + (byte & 0x7f)
      }
      base = this.readAt(pack, offset - distance, deltasLeft - 1)
    } else if (type === REFERENCE_DELTA) {
      const name = head.subarray(at, at + this.hashBytes).toString('hex')
      at += this.hashBytes
      base = this.readLoose(name) ?? this.readPacked(name, deltasLeft - 1)
    }
    const isDelta = type === OFFSET_DELTA || type === REFERENCE_DELTA
    if (isDelta && base === null) return null
    // Deflated data is at most a little larger than what it holds; most commits lie in the first read.
    const wanted = size + 64 + (size >> 8)
    const room = head.length - at
    const data =
      room >= wanted || head.length < PACK_READ_BYTES
        ? head.subarray(at)
        : readAt(this.fs, pack.path, offset + at, wanted)
    const body = inflateSync(data, { maxOutputLength: MAX_OBJECT_BYTES })
    if (body.length !== size) return null
    if (base === null) return { type, body }
    const applied = applyDelta(base.body, body)
    return applied === null ? null : { type: base.type, body: applied }
  }
}

/** Offset of the object in the pack, by binary search in the sorted names. */
function findInIndex({ index, count }: Pack, hash: string, hashBytes: number): number | null {
  const wanted = Buffer.from(hash, 'hex')
  const names = 8 + 1024
  const bucket = wanted[0] ?? 0
  let low = bucket === 0 ? 0 : index.readUInt32BE(8 + (bucket - 1) * 4)
  let high = index.readUInt32BE(8 + bucket * 4)
  while (low < high) {
    const middle = (low + high) >> 1
    const from = names + middle * hashBytes
    const order = wanted.compare(index, from, from + hashBytes)
    if (order === 0) return offsetOf(index, names + count * (hashBytes + 4), middle, count)
    if (order < 0) high = middle
    else low = middle + 1
  }
  return null
}

function offsetOf(index: Buffer, offsets: number, at: number, count: number): number {
  const small = index.readUInt32BE(offsets + at * 4)
  if (small < 0x80000000) return small
  return Number(index.readBigUInt64BE(offsets + count * 4 + (small - 0x80000000) * 8))
}

/** Git's delta: two sizes, then copies out of the base and literal bytes. */
function applyDelta(base: Buffer, delta: Buffer): Buffer | null {
  let at = 0
  const size = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = delta[at++] ?? 0
      value += (byte & 0x7f) * 2 ** shift
      if ((byte & 0x80) === 0) return value
    }
  }
  const baseSize = size()
  const resultSize = size()
  if (baseSize !== base.length || resultSize > MAX_OBJECT_BYTES) return null
  const parts: Buffer[] = []
  while (at < delta.length) {
    const op = delta[at++] ?? 0
    if (op === 0) return null
    if ((op & 0x80) === 0) {
      parts.push(delta.subarray(at, at + op))
      at += op
      continue
    }
    let from = 0
    let length = 0
    for (let bit = 0; bit < 4; bit++) if ((op & (1 << bit)) !== 0) from += (delta[at++] ?? 0) * 2 ** (bit * 8)
    for (let bit = 0; bit < 3; bit++)
      if ((op & (0x10 << bit)) !== 0) length += (delta[at++] ?? 0) * 2 ** (bit * 8)
    parts.push(base.subarray(from, from + (length === 0 ? 0x10000 : length)))
  }
  const result = Buffer.concat(parts)
  return result.length === resultSize ? result : null
}

/** The whole file, or null when it is not there, not a file, or larger than `limit`. */
export function readWhole(fs: FileSystem, file: string, limit: number): Buffer | null {
  let fd: number | undefined
  try {
    // Before opening: opening a pipe would wait for a writer.
    const stat = fs.stat(file)
    if (stat.kind !== 'file' || stat.size > limit) return null
    fd = fs.open(file, 'r')
    const bytes = Buffer.alloc(stat.size)
    return bytes.subarray(0, fill(fs, fd, bytes, 0))
  } catch {
    return null
  } finally {
    if (fd !== undefined) fs.close(fd)
  }
}

function readAt(fs: FileSystem, file: string, position: number, length: number): Buffer {
  const fd = fs.open(file, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, fill(fs, fd, bytes, position))
  } finally {
    fs.close(fd)
  }
}

function fill(fs: FileSystem, fd: number, bytes: Buffer, position: number): number {
  let done = 0
  while (done < bytes.length) {
    const got = fs.read(fd, bytes, done, bytes.length - done, position + done)
    if (got === 0) break
    done += got
  }
  return done
}

function listNames(fs: FileSystem, dir: string): string[] {
  try {
    return fs.readDirectory(dir).map(entry => entry.name)
  } catch {
    return []
  }
}
