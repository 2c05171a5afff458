/**
 * Tells of many files by their bytes whether they can hold a match, half of them by another thread where there is one. Says yes where it
 * cannot tell: who reads the file then says why.
 */
import type { Environment, WorkContext } from '../../engine/environment'
import type { ByteSource } from '../../engine/storage/byte-source'
import { EngineError } from '../../engine/storage/errors'
import { openJournalSource } from '../../engine/storage/open-journal'
import type { ByteFinder } from './byte-finder'
import { PIECE_BYTES, pieceMemory } from './piece-memory'
import type { SearchTarget } from './search-target'

/** Bytes in which two pieces overlap: longer than any needle. */
export const OVERLAP = 4096
/** Files that are told of together: few at first, so that the first hit does not wait for many. */
const FIRST_BATCH = 16
const MOST_BATCH = 256
/** Bytes after which there are enough of them: what goes on for a moment after a search was cancelled. */
const BATCH_BYTES = 64 * 1024 * 1024

/** Bytes that are read between two breaths, a millisecond or less; opening a file takes as long as reading so many. */
const BREATH_BYTES = 2 * 1024 * 1024
const OPENING_BYTES = 128 * 1024

type Sized = Pick<SearchTarget, 'file' | 'bytes'>

/** What another thread is asked. Plain data. */
export type SieveInput = { files: readonly string[]; needles: readonly Uint8Array[] }

/** Answers one for each file that can hold one of the needles, else zero; null where that thread is lost. Never rejects. */
export type SieveHelper = (input: SieveInput) => Promise<Uint8Array | null>

export class FileSieve {
  private readonly env: Environment
  private readonly helper: SieveHelper | null

  constructor(env: Environment, helper: SieveHelper | null) {
    this.env = env
    this.helper = helper
  }

  /** Each file with whether it can hold a match, in their order. */
  async *sift<T extends Sized>(
    files: readonly T[],
    finder: ByteFinder,
    work: WorkContext,
  ): AsyncGenerator<{ one: T; mayMatch: boolean }> {
    for (let at = 0, most = FIRST_BATCH; at < files.length; most = Math.min(most * 2, MOST_BATCH)) {
      const batch = batchOf(files, at, most)
      const told = await this.siftBatch(batch, finder, work)
      for (const [place, one] of batch.entries()) yield { one, mayMatch: told[place] !== 0 }
      at += batch.length
    }
  }

  private async siftBatch(
    batch: readonly Sized[],
    finder: ByteFinder,
    work: WorkContext,
  ): Promise<Uint8Array> {
    const { helper } = this
    const { needles } = finder
    const names = batch.map(({ file }) => file)
    if (helper === null || needles === null || batch.length < 2)
      return siftFiles(this.env, names, finder, work)
    const half = halfOf(batch)
    const others = names.slice(half)
    const asked = helper({ files: others, needles })
    const own = await siftFiles(this.env, names.slice(0, half), finder, work)
    const theirs = (await asked) ?? (await siftFiles(this.env, others, finder, work))
    return Uint8Array.of(...own, ...theirs)
  }
}

function batchOf<T extends Sized>(files: readonly T[], from: number, most: number): T[] {
  const batch: T[] = []
  let bytes = 0
  for (const file of files.slice(from, from + most)) {
    batch.push(file)
    bytes += file.bytes
    if (bytes >= BATCH_BYTES) break
  }
  return batch
}

/** How many of them hold half of the bytes: at least one, and not all. */
function halfOf(batch: readonly Sized[]): number {
  let left = batch.reduce((sum, { bytes }) => sum + bytes, 0) / 2
  let count = 0
  while (count < batch.length - 1 && (count === 0 || left > 0)) left -= batch[count++]?.bytes ?? 0
  return count
}

/** By this thread alone: one for each file that can hold one of the needles, else zero. */
export async function siftFiles(
  env: Environment,
  files: readonly string[],
  finder: ByteFinder,
  work: WorkContext,
): Promise<Uint8Array> {
  const told = new Uint8Array(files.length).fill(1)
  if (finder.needles === null) return told
  let since = BREATH_BYTES
  for (const [at, file] of files.entries()) {
    if (since >= BREATH_BYTES) {
      await work.breathe()
      since = 0
    }
    const { mayMatch, bytes } = await canHold(env, file, finder, work)
    if (!mayMatch) told[at] = 0
    since += bytes + OPENING_BYTES
  }
  return told
}

async function canHold(
  env: Environment,
  file: string,
  finder: ByteFinder,
  work: WorkContext,
): Promise<{ mayMatch: boolean; bytes: number }> {
  let source: ByteSource | null = null
  try {
    source = openJournalSource(env.fs, file)
    return { mayMatch: await isIn(source, finder, work), bytes: source.size }
  } catch (thrown) {
    if (thrown instanceof EngineError && thrown.code === 'cancelled') throw thrown
    return { mayMatch: true, bytes: 0 }
  } finally {
    source?.close()
  }
}

async function isIn(source: ByteSource, finder: ByteFinder, work: WorkContext): Promise<boolean> {
  const memory = pieceMemory()
  for (let at = 0; at < source.size; at += PIECE_BYTES - OVERLAP) {
    const got = source.read(memory.piece, at)
    if (got === 0) return false
    if (finder.isInPiece(memory, got)) return true
    if (at + got >= source.size) return false
    await work.breathe()
  }
  return false
}
