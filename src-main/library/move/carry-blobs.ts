/**
 * CARRY BLOBS: what a session refers to, copied into the blob store of the root that the session comes to.
 *
 * Guarantees
 *   A blob is read whole, compared with its name, and put as every blob is (blob-writer.ts): it has its name only when it was
 *   read back. One that is there already is compared as well, and replaced when it is torn.
 *   Nothing is ever removed, at the source or at the target. Repeatable: what is there is not written again.
 *
 * Not guaranteed
 *   Blobs that are missing or torn at the source stay so; they are counted, and the session goes all the same.
 *   A kill leaves at most a temporary file (`sweepBlobLeftovers`), and blobs that nobody refers to yet.
 *
 * Failures: what the system refuses at the target (`no-space`, `permission`, ...) is the error; what was copied stays.
 */
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { BlobStore } from '../../engine/blobs/blob-store'
import { BlobWriter } from '../../engine/blobs/blob-writer'
import type { Environment, WorkContext } from '../../engine/environment'
import { isTemporaryName } from '../../engine/storage/atomic-replace'
import { hashFile } from '../../engine/storage/copy-verify'
import { lstatOrUndefined } from '../../engine/storage/directory-sync'
import { attempt, attemptAsync, EngineError } from '../../engine/storage/errors'
import { countText } from '../changes/words'
import { blobsOfSession } from './blob-refs'

/** Two blob stores, absolute paths. */
export type BlobStores = { from: string; to: string }

export type CarriedBlobs = {
  /** Hashes that are whole at the target. */
  whole: Set<string>
  copied: number
  bytes: number
  /** Hashes that are not at the source, and those that are torn there; neither is at the target. */
  missing: Set<string>
  torn: Set<string>
}

/** Copies what the session at `journal` refers to, as far as it is not there. */
export function carryBlobs(
  env: Environment,
  journal: string,
  stores: BlobStores,
  work: WorkContext,
): Promise<Result<CarriedBlobs>> {
  return attemptAsync('copy the blobs of', journal, async () => {
    const hashes = await blobsOfSession(env, journal, work)
    const carried: CarriedBlobs = {
      copied: 0,
      bytes: 0,
      whole: new Set(),
      missing: new Set(),
      torn: new Set(),
    }
    const writer = new BlobWriter(env, stores.to)
    let done = 0
    for (const hash of hashes) {
      work.progress(done++, hashes.size, 'pictures')
      await work.breathe()
      await carryOne(env, stores, hash, writer, carried, work)
    }
    if (carried.copied > 0) linkExtensions(env, stores, carried.whole)
    return carried
  })
}

const WITH_EXTENSION = /^([0-9a-f]{64})\.[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/

/** The names with an extension, by which pictures are shown, as further names of the copies. Best effort. */
function linkExtensions(env: Environment, stores: BlobStores, whole: ReadonlySet<string>): void {
  const entries = attempt('read', stores.from, () => env.fs.readDirectory(stores.from))
  for (const { name } of entries.ok ? entries.value : []) {
    const hash = WITH_EXTENSION.exec(name)?.[1]
    if (hash === undefined || !whole.has(hash)) continue
    attempt('link', name, () => env.fs.link(path.join(stores.to, hash), path.join(stores.to, name)))
  }
}

async function carryOne(
  env: Environment,
  stores: BlobStores,
  hash: string,
  writer: BlobWriter,
  carried: CarriedBlobs,
  work: WorkContext,
): Promise<void> {
  const to = path.join(stores.to, hash)
  const there = lstatOrUndefined(env.fs, to)
  if (there?.kind === 'file' && (await isWhole(env, to, hash, work))) {
    carried.whole.add(hash)
    return
  }
  const blob = new BlobStore(env.fs, stores.from).get(hash, Number.MAX_SAFE_INTEGER)
  if (!blob.ok && blob.error.code === 'not-found') carried.missing.add(hash)
  else if (!blob.ok && blob.error.code === 'damaged') carried.torn.add(hash)
  else {
    const put = blob.ok ? writer.put(blob.value) : blob
    if (!put.ok || !blob.ok) throw thrownFrom(put)
    carried.whole.add(hash)
    carried.copied++
    carried.bytes += blob.value.length
  }
}

function thrownFrom(failed: Result<unknown>): EngineError {
  if (failed.ok) return new EngineError('internal', 'A blob could not be copied.')
  const { code, message, path: file } = failed.error
  return new EngineError(code, message, file)
}

async function isWhole(env: Environment, file: string, hash: string, work: WorkContext): Promise<boolean> {
  const actual = await hashFile(env, file, work)
  if (!actual.ok) throw new EngineError(actual.error.code, actual.error.message, actual.error.path)
  return actual.value === hash
}

/** What could not be carried along, one sentence each. */
export function blobNotes({ missing, torn }: CarriedBlobs, stores: BlobStores): string[] {
  const notes: string[] = []
  if (missing.size > 0)
    notes.push(`${pictures(missing.size)} missing in ${stores.from} and therefore in ${stores.to} too.`)
  if (torn.size > 0)
    notes.push(`${pictures(torn.size)} torn in ${stores.from} and not copied to ${stores.to}.`)
  return notes
}

function pictures(count: number): string {
  return `${countText(count, 'picture')} that the session refers to ${count === 1 ? 'is' : 'are'}`
}

/** A temporary file is this old before it is taken for one that a killed process left. */
const LEFTOVER_MS = 30_000
const BLOB_TEMPORARY = /^\.[0-9a-f]{64}\.[0-9a-f]{16}\.tmp$/

/** Takes away what a killed Grove left in a blob store. Best effort. */
export function sweepBlobLeftovers(env: Environment, store: string): void {
  const entries = attempt('read', store, () => env.fs.readDirectory(store))
  for (const { name, kind } of entries.ok ? entries.value : []) {
    if (kind !== 'file' || !BLOB_TEMPORARY.test(name) || !isTemporaryName(name)) continue
    const file = path.join(store, name)
    attempt('remove', file, () => {
      if (env.now() - env.fs.lstat(file).mtimeMs >= LEFTOVER_MS) env.fs.unlink(file)
    })
  }
}

/** Two stores, or null when both are one. */
export function differentStores(env: Environment, from: string, to: string): BlobStores | null {
  const [a, b] = [from, to].map(store => {
    const real = attempt('look at', store, () => env.fs.realPath(store))
    return real.ok ? real.value : path.resolve(store)
  })
  return a === b ? null : { from, to }
}
