/** For tests: sessions in a home of their own, the index of them, and what searches answer. */
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Environment, silentWork } from '../../engine/environment'
import { countingFileSystem } from '../../engine/storage/counting-file-system'
import { HEADER, journal } from '../../engine/storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { libraryRoots } from '../roots'
import { headTargets } from './head-targets'
import { closeQuietly, openIndexForWriting } from './index-file'
import { IndexReader } from './index-reader'
import { type IndexReport, IndexUpdate } from './index-update'
import { NO_FILTERS, type SearchTarget } from './search-target'
import { type FoundSession, type TextRequest, TextSearch } from './text-search'

export type SearchWorld = ReturnType<typeof searchWorld>

export function searchWorld(changes: Partial<Environment> = {}) {
  const home: TestEnvironment = testEnvironment(changes)
  const counted = countingFileSystem(home.fs)
  const env: TestEnvironment = { ...home, fs: counted, env: { GROVE_DATA_DIR: path.join(home.home, 'data') } }
  const fileOf = (name: string) => path.join(home.home, '.omp/agent/sessions/-w', `${name}.jsonl`)
  const targets = (): SearchTarget[] => headTargets(env, libraryRoots(env, [], null)).targets
  const searchIn = async (
    listed: readonly SearchTarget[],
    text: string,
    changes: Partial<TextRequest> = {},
  ): Promise<FoundSession[]> => {
    const reader = new IndexReader(env)
    const request: TextRequest = {
      text,
      mode: 'words',
      allText: false,
      thinking: false,
      filters: NO_FILTERS,
      order: 'recent',
      sessions: 1000,
      hitsEach: 1000,
      ...changes,
    }
    const events = new TextSearch(env, reader).prepare(request, listed, silentWork)
    if (!events.ok) throw new Error(events.error.message)
    const found: FoundSession[] = []
    for await (const event of events.value) if (event.kind === 'found') found.push(event.session)
    reader.close()
    return found.sort((a, b) => (a.file < b.file ? -1 : 1))
  }
  return {
    env,
    counted,
    fileOf,
    targets,
    session(name: string, ...records: object[]): string {
      return home.put(path.relative(home.home, fileOf(name)), journal(HEADER, ...records))
    },
    archive(name: string, text: string): string {
      const place = `.omp/agent/archive/sessions/-w/${name}.jsonl.gz`
      return home.put(place, gzipSync(text))
    },
    append(name: string, ...records: (object | string)[]): void {
      fs.appendFileSync(fileOf(name), journal(...records))
    },
    async index(): Promise<IndexReport> {
      const open = await openIndexForWriting(env)
      if (!open.ok) throw new Error(open.error.message)
      try {
        return await new IndexUpdate(env, open.value.db).run(targets(), silentWork)
      } finally {
        closeQuietly(open.value.db)
      }
    },
    search: (text: string, changes: Partial<TextRequest> = {}) => searchIn(targets(), text, changes),
    searchIn,
    dispose: () => home.remove(),
  }
}

/** What was found, in short. */
export function inShort(found: readonly FoundSession[]): { name: string; matches: number; hits: string[] }[] {
  return found.map(({ file, matches, hits }) => ({
    name: path.basename(file, '.jsonl'),
    matches,
    hits: hits.map(({ ordinal, part, role, snippet }) => `${ordinal} ${part} ${role}: ${snippet.text}`),
  }))
}
