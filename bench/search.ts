/**
 * How fast things are found: the index is built, asked for frequent and rare words, and all files are read for an exact text.
 *
 *   npm run bench -- search [--sessions N] [--megabytes N] [--no-rg]
 *
 * The files are in the page cache: they were just written. ripgrep, where it is there, looks for the same text in the same files.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { silentWork } from '../src-main/engine/environment'
import { nodeEnvironment } from '../src-main/engine/node-environment'
import { libraryRoots } from '../src-main/library/roots'
import { headTargets } from '../src-main/library/search/head-targets'
import { indexPath, openIndexForWriting } from '../src-main/library/search/index-file'
import { IndexReader } from '../src-main/library/search/index-reader'
import { IndexUpdate } from '../src-main/library/search/index-update'
import { NO_FILTERS, type SearchTarget } from '../src-main/library/search/search-target'
import { type TextRequest, TextSearch } from '../src-main/library/search/text-search'
import { type BenchContext, type BenchReport, runBench } from './harness/run-bench'
import { numberText } from './harness/table'
import { makeCorpus } from './search/search-corpus'

const REPEATS = 7

async function measure(context: BenchContext): Promise<BenchReport> {
  const agentDir = path.join(context.directory, 'agent')
  const env = { ...nodeEnvironment(), env: { GROVE_DATA_DIR: path.join(context.directory, 'data') } }
  context.progress('making sessions ...')
  const corpus = makeCorpus(agentDir, context.number('sessions'), context.number('megabytes') * 1_000_000)
  const { targets } = headTargets(env, libraryRoots(env, [], agentDir))

  context.progress('building the index ...')
  const open = await openIndexForWriting(env)
  if (!open.ok) throw new Error(open.error.message)
  const update = new IndexUpdate(env, open.value.db)
  const build = await timed(() => update.run(targets, silentWork))
  const again = await timed(() => update.run(targets, silentWork))
  open.value.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  open.value.db.close()
  const indexBytes = fs.statSync(indexPath(env)).size

  context.progress('asking ...')
  const index = new IndexReader(env)
  const search = new TextSearch(env, index)
  const first = (text: string) =>
    median(() => firstHits(search, targets, { text, mode: 'words', sessions: 20 }))
  const asked = {
    rare: await first(corpus.needle),
    frequent: await first('upload'),
    two: await first('upload cach'),
    short: await first('ba'),
  }
  const exact = await median(() =>
    firstHits(search, targets, { text: corpus.needle, mode: 'exact', sessions: targets.length }),
  )
  const rg = context.has('no-rg') ? null : await ripgrep(corpus.needle, agentDir)
  index.close()

  const rows = [
    ['build the index', ms(build), `${numberText(corpus.bytes / 1e3 / build)} MB/s`],
    ['the same library again', ms(again), ''],
    ['rare word', ms(asked.rare), ''],
    ['frequent word', ms(asked.frequent), ''],
    ['two words, one begun', ms(asked.two), ''],
    ['two letters', ms(asked.short), ''],
    ['exact text in all files', ms(exact), `${numberText(corpus.bytes / 1e3 / exact)} MB/s`],
    [
      'ripgrep, the same',
      rg === null ? '-' : ms(rg),
      rg === null ? 'not measured' : `${numberText(corpus.bytes / 1e3 / rg)} MB/s`,
    ],
  ]
  const share = (100 * indexBytes) / corpus.textBytes
  return {
    tables: [
      {
        title: `${numberText(targets.length)} sessions, ${numberText(corpus.bytes / 1e6)} MB`,
        columns: ['', 'time', 'speed'],
        rows,
      },
    ],
    notes: [
      `Index: ${numberText(indexBytes / 1e6, 1)} MB, ${numberText(share, 1)} % of the ${numberText(corpus.textBytes / 1e6)} MB of text that it covers.`,
      'Words: until the first twenty sessions are there, with their snippets; the median of seven.',
    ],
    figures: { corpus, indexBytes, share, build, again, ...asked, exact, rg },
  }
}

async function firstHits(
  search: TextSearch,
  targets: readonly SearchTarget[],
  { text, mode, sessions }: Pick<TextRequest, 'text' | 'mode' | 'sessions'>,
): Promise<void> {
  const request: TextRequest = {
    text,
    mode,
    sessions,
    allText: false,
    thinking: false,
    filters: NO_FILTERS,
    order: 'relevance',
    hitsEach: 3,
  }
  const events = search.prepare(request, targets, silentWork)
  if (!events.ok) throw new Error(events.error.message)
  let found = 0
  for await (const event of events.value) if (event.kind === 'found') found++
  if (found === 0) throw new Error(`Nothing was found for ${text}.`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < REPEATS; at++) times.push(await timed(work))
  return times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)] ?? Number.NaN
}

/** Null where ripgrep is not installed. */
async function ripgrep(text: string, directory: string): Promise<number | null> {
  const run = () =>
    spawnSync('rg', ['--count', '--fixed-strings', '--no-ignore', text, directory], { stdio: 'ignore' })
  if (run().error !== undefined) return null
  return median(() => Promise.resolve(run()))
}

function ms(time: number): string {
  return `${numberText(time, time < 100 ? 1 : 0)} ms`
}

await runBench('search', { numbers: { sessions: 1_000, megabytes: 200 }, switches: ['no-rg'] }, measure)
