/** For tests: sessions too large to be made by hand or kept among the samples, and the memory that reading them takes. */
import fs from 'node:fs'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TranscriptPage, TranscriptRow } from '@shared/ipc/models/transcript-models'
import { BlobStore } from '../engine/blobs/blob-store'
import { silentWork } from '../engine/environment'
import type { SessionDocument } from '../engine/session/session-document'
import { nodeFileSystem } from '../engine/storage/node-file-system'
import { summarizeSession } from './catalog/session-summary'
import { unwrap } from './odd-files.test-support'
import type { RawLine } from './reading/raw-line'
import { type OpenedSession, SessionReader } from './reading/session-reader'
import { searchWorld } from './search/search-world.test-support'

export const MB = 1_000_000

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Bytes that are held, after everything else was given back. */
function heldBytes(): number {
  if (typeof collect === 'function') collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Bytes that are read between two looks at what is held. */
const LOOK_BYTES = 40 * MB

/** A part of a file: text, bytes, or a hole of so many bytes, which are NUL and take no room on the disk. */
export type Piece = string | Uint8Array | { hole: number }

/** A home with sessions in it, read and searched as the window does, with the work and the memory of it counted. */
export function sizeWorld() {
  const memory = { before: 0, most: 0, unlooked: 0 }
  const world = searchWorld({
    fs: {
      ...nodeFileSystem,
      read: (fd, buffer, offset, length, position) => {
        const got = nodeFileSystem.read(fd, buffer, offset, length, position)
        memory.unlooked += got
        if (memory.unlooked >= LOOK_BYTES) {
          memory.unlooked = 0
          memory.most = Math.max(memory.most, heldBytes())
        }
        return got
      },
    },
  })
  const reader = new SessionReader(world.env)
  const blobs = new BlobStore(world.env.fs, path.join(world.env.home, '.omp/agent/blobs'))
  const images = { blobs, blobRoot: 'b', session: 's' }
  const pageAt = async (journal: string, from: number, count = 60): Promise<TranscriptPage> => {
    unwrap(await reader.planned(journal, null, silentWork))
    return unwrap(reader.transcript(journal, { tip: null, from, count }, images, () => null))
  }
  return {
    ...world,
    reader,
    blobs,
    /** Writes a session piece by piece; answers its path. */
    write(name: string, pieces: Iterable<Piece>): string {
      const file = world.fileOf(name)
      fs.mkdirSync(path.dirname(file), { recursive: true })
      const fd = fs.openSync(file, 'w')
      let at = 0
      for (const piece of pieces) {
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
        if ('hole' in bytes) at += bytes.hole
        else at += fs.writeSync(fd, bytes, 0, bytes.length, at)
      }
      fs.ftruncateSync(fd, at)
      fs.closeSync(fd)
      return file
    },
    /** Does something; answers what came of it, the work, and how much more than before was held at most on the way. */
    async counted<T>(work: () => T | Promise<T>) {
      world.counted.reset()
      Object.assign(memory, { before: heldBytes(), most: 0, unlooked: 0 })
      const value = await work()
      const { bytesRead, largestRead, open, opened } = world.counted.work
      const held = Math.max(memory.most, heldBytes()) - memory.before
      return { value, bytesRead, largestRead, open, opened: opened.size, held }
    },
    summary: (file: string) => summarizeSession(world.env, file),
    open: async (journal: string): Promise<OpenedSession> => {
      unwrap(await reader.opened(journal, silentWork))
      return unwrap(reader.open(journal))
    },
    /** The newest rows, as they are shown first. */
    newest: (journal: string): TranscriptPage =>
      unwrap(reader.newest(journal, { tip: null, count: 60 }, images, () => null)),
    /** Rows once the whole path is planned. */
    page: pageAt,
    /** All rows, page by page: of large ones few come at once. */
    rows: async (journal: string): Promise<TranscriptRow[]> => {
      const rows: TranscriptRow[] = []
      for (let total = 1; rows.length < total; ) {
        const page = await pageAt(journal, rows.length)
        total = page.total
        rows.push(...page.rows)
      }
      return rows
    },
    complete: async (journal: string): Promise<SessionDocument> =>
      unwrap(await reader.completed(journal, silentWork)),
    rawLine: (journal: string, line: number): RawLine => unwrap(reader.rawLine(journal, line)),
  }
}

export type SizeWorld = ReturnType<typeof sizeWorld>

/** How often each kind of row is among these. */
export function kindsOf(rows: readonly TranscriptRow[]): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const { kind } of rows) kinds[kind] = (kinds[kind] ?? 0) + 1
  return kinds
}
