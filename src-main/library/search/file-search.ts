/** Searches the files of one session by reading them: what the bytes rule out is passed over, and only then lines are parsed. */
import path from 'node:path'
import { limits } from '@shared/limits'
import { snippetOf } from '@shared/search/snippet'
import { parseObject } from '@shared/session/json'
import { listArtifacts } from '../../engine/artifacts/artifact-directory'
import type { Environment, WorkContext } from '../../engine/environment'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { type ByteSource, openByteSource, readRange } from '../../engine/storage/byte-source'
import { errnoOf } from '../../engine/storage/errors'
import { openJournalSource } from '../../engine/storage/open-journal'
import type { ByteFinder } from './byte-finder'
import { entryHits, type FoundHit, type SearchSpec } from './entry-hit'
import { withoutData } from './entry-texts'
import { GrowingScan } from './growing-scan'

/** Bytes whose lines are parsed between two breaths. */
const STEP = 256 * 1024
/** Bytes of an artifact that is searched: larger ones are data. */
const ARTIFACT_BYTES = 32 * 1024 * 1024

export type FileHits = {
  hits: FoundHit[]
  matches: number
  /** Not all was looked at. */
  cut: boolean
}

export type FileSearch = {
  spec: SearchSpec
  finder: ByteFinder
  /** Hits that are kept, and those that are counted at most. */
  keep: number
  count: number
  artifacts: boolean
}

export class FileSearcher {
  private readonly env: Environment

  constructor(env: Environment) {
    this.env = env
  }

  /**
   * What matches in a journal, unless that cannot hold anything, and in its artifacts where those are asked for. Throws the system's
   * error.
   */
  async search(file: string, mayMatch: boolean, search: FileSearch, work: WorkContext): Promise<FileHits> {
    const found: FileHits = { hits: [], matches: 0, cut: false }
    if (mayMatch) {
      const source = openJournalSource(this.env.fs, file)
      try {
        await this.searchJournal(source, file, search, found, work)
      } finally {
        source.close()
      }
    }
    if (search.artifacts) await this.searchArtifacts(file, search, found, work)
    return found
  }

  private async searchJournal(
    source: ByteSource,
    file: string,
    search: FileSearch,
    found: FileHits,
    work: WorkContext,
  ): Promise<void> {
    const now = this.env.now()
    const take = (record: Parameters<typeof entryHits>[0], ordinal: number, id: string | null) => {
      if (found.matches >= search.count) {
        found.cut = true
        return
      }
      for (const hit of entryHits(record, { ordinal, id }, search.spec, now)) {
        found.matches++
        if (found.hits.length < search.keep) found.hits.push(hit)
      }
    }
    const seed = path.basename(file)
    const scan = new GrowingScan(source, { from: 0, entries: 0, seed }, ({ record, ordinal, id }) =>
      take(record, ordinal, id),
    )
    while (scan.step(STEP)) {
      await work.breathe()
      if (found.cut) return
    }
    // A last record without line feed is an entry like any other.
    const isTooLarge = source.size - scan.position > limits.lineBytes
    const rest = isTooLarge ? new Uint8Array() : readRange(source, scan.position, source.size)
    const last = rest.length === 0 ? null : parseObject(Buffer.from(rest).toString('utf8'))
    if (last !== null) take(last, scan.entries, null)
  }

  private async searchArtifacts(
    file: string,
    search: FileSearch,
    found: FileHits,
    work: WorkContext,
  ): Promise<void> {
    const { role } = search.spec.filters
    const directory = artifactDirectoryOf(file)
    if (directory === null || (role !== null && role !== 'tool')) return
    for (const { name, bytes } of listArtifacts(this.env.fs, directory).files) {
      await work.breathe()
      if (bytes > ARTIFACT_BYTES || found.matches >= search.count) {
        found.cut ||= found.matches >= search.count
        continue
      }
      const text = this.artifactText(path.join(directory, name), search.finder)
      const ranges =
        text === null || !search.spec.matcher.matches([text]) ? [] : search.spec.matcher.ranges(text, 40)
      const first = ranges[0]
      if (text === null || first === undefined) continue
      found.matches++
      if (found.hits.length >= search.keep) continue
      const none = { ordinal: null, entryId: null, time: null, part: '' }
      found.hits.push({
        ...none,
        artifact: name,
        role: 'tool',
        at: first[0],
        snippet: snippetOf(text, ranges),
      })
    }
  }

  /** Null for what is no text, cannot match, or cannot be read. */
  private artifactText(file: string, finder: ByteFinder): string | null {
    try {
      const source = openByteSource(this.env.fs, file)
      try {
        const bytes = Buffer.from(readRange(source, 0, source.size))
        if (bytes.subarray(0, 8192).includes(0) || !finder.isIn(bytes)) return null
        return withoutData(bytes.toString('utf8'))
      } finally {
        source.close()
      }
    } catch (thrown) {
      if (errnoOf(thrown) === undefined) throw thrown
      return null
    }
  }
}
