/**
 * How fast things are found: titles as one types; the index is built and asked for frequent and rare words; all files are read for an
 * exact text.
 *
 *   npm run bench -- search [--sessions N] [--megabytes N] [--peer rg]
 *
 * The files are in the page cache. `--peer rg`: ripgrep looks for the same text in the same files, by turns.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { silentWork } from '../src-main/engine/environment'
import { nodeEnvironment } from '../src-main/engine/node-environment'
import { libraryRoots } from '../src-main/library/roots'
import { headTargets } from '../src-main/library/search/head-targets'
import { indexPath, openIndexForWriting } from '../src-main/library/search/index-file'
import { IndexReader } from '../src-main/library/search/index-reader'
import { IndexUpdate } from '../src-main/library/search/index-update'
import { QuickSearch } from '../src-main/library/search/quick-search'
import { NO_FILTERS, type SearchTarget } from '../src-main/library/search/search-target'
import { type TextRequest, TextSearch } from '../src-main/library/search/text-search'
import { serveJobs } from '../src-main/workers/serve-jobs'
import { createSieveJobs, type SieveJobs, sieveHelper } from '../src-main/workers/sieve-jobs'
import { WorkerClient } from '../src-main/workers/worker-client'
import { agentDirOf, makeLibrary } from './corpus/library-corpus'
import { keptCorpus } from './harness/kept-corpus'
import { listedLibrary } from './harness/listed-library'
import { medianOf, quantilesOf } from './harness/quantiles'
import { type BenchContext, type BenchReport, runBench } from './harness/run-bench'
import { msText, numberText } from './harness/table'
import { workerWork } from './harness/worker-work'

const DEFAULTS = { sessions: 10_000, megabytes: 2_000 }
const REPEATS = 7
/** Sessions that fill a screen, and those of a page and one more, as the window asks for them. */
const SCREEN = 20
const PAGE = 51
/** As main makes them ready between two of its tasks. */
const WARM_ROWS = 50
/** What is typed into the box, letter by letter. */
const TYPED = ['upload', 'cache', 'test error', 'quetzal']

async function measure(context: BenchContext): Promise<BenchReport> {
  const [sessions, megabytes] = [context.number('sessions'), context.number('megabytes')]
  const dataDir = path.join(context.directory, 'data')
  const env = { ...nodeEnvironment(), env: { GROVE_DATA_DIR: dataDir } }
  context.progress('making sessions ...')
  const corpus = keptCorpus(context.corpora, `library-${sessions}-${megabytes}`, folder =>
    makeLibrary(folder, sessions, megabytes * 1_000_000),
  )
  const { facts } = corpus
  const agentDir = agentDirOf(corpus.folder)
  const { targets } = headTargets(env, libraryRoots(env, [], agentDir))

  context.progress('typing ...')
  const typed = await titles(await listedLibrary(env, agentDir))

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
  // As the worker that searches has one. It keeps no process alive.
  const awake = setInterval(() => undefined, 60_000)
  const helper = new WorkerClient<SieveJobs>(fileURLToPath(import.meta.url))
  const search = new TextSearch(env, index, sieveHelper(helper))
  const words = (text: string) =>
    hitTimes(() => hits(search, targets, { text, mode: 'words', sessions: PAGE }))
  const asked = {
    rare: await words(facts.needle),
    frequent: await words('upload'),
    two: await words('upload cach'),
    short: await words('ba'),
  }
  context.progress('reading all files ...')
  const readAll = () => hits(search, targets, { text: facts.needle, mode: 'exact', sessions: targets.length })
  const exact: number[] = []
  const rg: number[] = []
  for (let at = 0; at < REPEATS; at++) {
    exact.push(await timed(readAll))
    if (context.hasPeer('rg')) rg.push(await timed(() => ripgrep(facts.needle, agentDir)))
  }
  index.close()
  await helper.close(0)
  clearInterval(awake)

  const speed = (time: number) => `${numberText(facts.bytes / 1e3 / time)} MB/s`
  const rgTime = rg.length === 0 ? null : medianOf(rg)
  const share = (100 * indexBytes) / facts.textBytes
  return {
    tables: [
      {
        title: `${numberText(targets.length)} sessions, ${numberText(facts.bytes / 1e6)} MB`,
        columns: ['', 'time', ''],
        rows: [
          ['titles, made ready ahead', msText(typed.ready), ''],
          ['titles, the first key', msText(typed.first), ''],
          ['titles, each further key: median', msText(typed.p50), ''],
          ['titles, each further key: p99', msText(typed.p99), ''],
          ['build the index', msText(build), speed(build)],
          ['the same library again', msText(again), ''],
          ['rare word', msText(asked.rare.screen), msText(asked.rare.whole)],
          ['frequent word', msText(asked.frequent.screen), msText(asked.frequent.whole)],
          ['two words, one begun', msText(asked.two.screen), msText(asked.two.whole)],
          ['two letters', msText(asked.short.screen), msText(asked.short.whole)],
          ['exact text in all files', msText(medianOf(exact)), speed(medianOf(exact))],
          ...(rgTime === null
            ? []
            : [
                ['ripgrep, the same', msText(rgTime), speed(rgTime)],
                ['exact text / ripgrep', `${numberText(medianOf(exact) / rgTime, 2)} x`, ''],
              ]),
        ],
      },
    ],
    notes: [
      `Index: ${numberText(indexBytes / 1e6, 1)} MB, ${numberText(share, 1)} % of the ${numberText(facts.textBytes / 1e6)} MB of text that it covers.`,
      'Titles: with projects and first prompts, all sessions. Words: until the first twenty sessions are told, with their snippets; beside it, until fifty-one are ranked. Medians of seven.',
    ],
    figures: { corpus: facts, indexBytes, share, typed, build, again, ...asked, exact, rg },
  }
}

/** ms of what is done for a key: the first, for which all was made ready while nobody typed, and the others. */
async function titles({ rows, projects }: Awaited<ReturnType<typeof listedLibrary>>): Promise<{
  ready: number
  first: number
  p50: number
  p99: number
}> {
  const quick = new QuickSearch()
  const ready = await timed(async () => {
    quick.take(rows)
    while (quick.warm(WARM_ROWS)) await workerWork.breathe()
  })
  const times: number[] = []
  for (const word of TYPED)
    for (let end = 1; end <= word.length; end++) {
      const query = { text: word.slice(0, end), project: null, limit: 50 }
      times.push(await timed(() => quick.search(query, projects, Date.now())))
    }
  const [first = Number.NaN, ...others] = times
  const { p50, p99 } = quantilesOf(others)
  return { ready, first, p50, p99 }
}

/** ms until a screen of sessions is told, or all there are, and until the search has ended. */
type HitTimes = { screen: number; whole: number }

async function hits(
  search: TextSearch,
  targets: readonly SearchTarget[],
  { text, mode, sessions }: Pick<TextRequest, 'text' | 'mode' | 'sessions'>,
): Promise<HitTimes> {
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
  const began = performance.now()
  const events = search.prepare(request, targets, workerWork)
  if (!events.ok) throw new Error(events.error.message)
  const told = new Set<string>()
  let screen: number | null = null
  for await (const event of events.value) {
    if (event.kind === 'found') told.add(event.session.file)
    else if (event.kind === 'first') for (const { file } of event.sessions) told.add(file)
    if (told.size >= SCREEN) screen ??= performance.now() - began
  }
  const whole = performance.now() - began
  if (told.size === 0) throw new Error(`Nothing was found for ${text}.`)
  return { screen: screen ?? whole, whole }
}

async function hitTimes(ask: () => Promise<HitTimes>): Promise<HitTimes> {
  const times: HitTimes[] = []
  for (let at = 0; at < REPEATS; at++) times.push(await ask())
  return { screen: medianOf(times.map(one => one.screen)), whole: medianOf(times.map(one => one.whole)) }
}

async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** In the sessions only, as Grove does: no artifacts. */
function ripgrep(text: string, directory: string): void {
  const only = ['--glob', '*.jsonl', '--max-depth', '3']
  const { error } = spawnSync('rg', ['--count', '--fixed-strings', '--no-ignore', ...only, text, directory], {
    stdio: 'ignore',
  })
  if (error !== undefined) throw new Error(`ripgrep cannot be started: ${error.message}`)
}

// The thread that helps to read files is this file as well.
if (isMainThread) await runBench('search', { numbers: DEFAULTS, peers: ['rg'] }, measure)
else serveJobs(createSieveJobs(nodeEnvironment()), Date.now)
