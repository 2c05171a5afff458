/**
 * Looking never writes: everything that shows something, run over a whole sample library with every odd file,
 * leaves each byte, each time and each name as it was, and makes nothing new.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Environment, silentWork } from '../engine/environment'
import { type CountingFileSystem, countingFileSystem } from '../engine/storage/counting-file-system'
import { nodeFileSystem } from '../engine/storage/node-file-system'
import { createCatalogJobs } from '../workers/catalog-jobs'
import { createDraftJobs } from '../workers/draft-jobs'
import { createReadingJobs } from '../workers/reading-jobs'
import { workerChanges } from '../workers/worker-changes'
import { Catalog } from './catalog/catalog'
import { type LibraryRoot, libraryRoots } from './roots'
import { makeSampleLibrary, type SampleLibrary } from './sample-library.test-support'

let library: SampleLibrary
let counted: CountingFileSystem
let env: Environment

beforeAll(() => {
  library = makeSampleLibrary({ odd: true })
  counted = countingFileSystem(nodeFileSystem)
  env = { ...library.env, fs: counted }
}, 120_000)
afterAll(() => library.remove())

/** Every path with kind, mode, size, exact time, and a hash of its bytes or its target. */
function snapshot(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true })
    .map(name => String(name))
    .sort()
    .map(name => {
      const full = path.join(directory, name)
      const stat = fs.lstatSync(full, { bigint: true })
      return `${name} ${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ino} ${contentOf(full, stat)}`
    })
}

function contentOf(full: string, stat: fs.BigIntStats): string {
  if (stat.isSymbolicLink()) return fs.readlinkSync(full)
  if (!stat.isFile()) return ''
  try {
    return createHash('sha256').update(fs.readFileSync(full)).digest('hex')
  } catch {
    return 'unreadable'
  }
}

it('leaves every byte, time and name as it was, whatever is looked at', async () => {
  const before = snapshot(library.dir)
  expect(before.length).toBeGreaterThan(500)
  const looked = await lookAtEverything()
  expect(looked.sessions).toBeGreaterThan(250)
  expect(looked.rows).toBeGreaterThan(5_000)
  expect(looked.drafts).toBeGreaterThan(5)
  expect(looked.failed).toEqual([])
  expect(counted.work.writes).toEqual([])
  expect(counted.work.open).toBe(0)
  expect(snapshot(library.dir)).toEqual(before)
}, 300_000)

it('opens no journal when nothing changed since the last look', async () => {
  const jobs = createCatalogJobs(env)
  const roots = libraryRoots(env, [], library.agentDir)
  const catalog = new Catalog(library.home)
  const first = await jobs.listFiles({ roots }, silentWork)
  if (!first.ok) throw new Error(first.error.message)
  const stale = catalog.takeListing(roots, first.value)
  const summaries = await jobs.summarize({ files: stale.map(({ file }) => file) }, silentWork)
  if (!summaries.ok) throw new Error(summaries.error.message)
  catalog.takeSummaries(stale, summaries.value)
  counted.reset()
  const again = await jobs.listFiles({ roots }, silentWork)
  if (!again.ok) throw new Error(again.error.message)
  expect(catalog.takeListing(roots, again.value)).toEqual([])
  expect(counted.work.opened.size).toBe(0)
  expect(counted.work.bytesRead).toBe(0)
})

type Looked = { sessions: number; rows: number; drafts: number; failed: string[] }

async function lookAtEverything(): Promise<Looked> {
  const looked: Looked = { sessions: 0, rows: 0, drafts: 0, failed: [] }
  const catalogJobs = createCatalogJobs(env)
  const roots = libraryRoots(env, [], library.agentDir)
  const listings = await catalogJobs.listFiles({ roots }, silentWork)
  if (!listings.ok) throw new Error(listings.error.message)
  const catalog = new Catalog(library.home)
  const files = catalog.takeListing(roots, listings.value)
  const summaries = await catalogJobs.summarize({ files: files.map(({ file }) => file) }, silentWork)
  if (!summaries.ok) throw new Error(summaries.error.message)
  catalog.takeSummaries(files, summaries.value)
  const pins = catalogJobs.pins({ files: roots.map(({ layout }) => layout.pinsFile) })
  if (pins.ok) catalog.takePins(pins.value)
  catalogJobs.projectStates({ cwds: catalog.cwds() })
  const subagents = library.sessions.flatMap(session => session.subagents.map(({ file }) => library.at(file)))
  const readable = summaries.value.filter(({ stub }) => stub === null || !stub.startsWith('Cannot'))
  for (const journal of [...readable.map(({ file }) => file), ...subagents]) await lookAt(journal, looked)
  await lookAtDrafts(roots, looked)
  return looked
}

async function lookAtDrafts(roots: LibraryRoot[], looked: Looked): Promise<void> {
  const jobs = createDraftJobs(env, workerChanges(env))
  const drafts = await jobs.listDrafts({ roots }, silentWork)
  if (!drafts.ok) return void looked.failed.push(`drafts: ${drafts.error.message}`)
  for (const { journal, item } of drafts.value) {
    looked.drafts++
    const text = jobs.draftText({ journal })
    if (!text.ok && item.problem === null) looked.failed.push(`draft ${journal}: ${text.error.message}`)
  }
}

async function lookAt(journal: string, looked: Looked): Promise<void> {
  const jobs = createReadingJobs(env)
  const place = { journal, blobsDir: path.join(library.agentDir, 'blobs'), blobRoot: 'b', session: 's' }
  const fail = (what: string, message: string) => looked.failed.push(`${what} ${journal}: ${message}`)
  const opened = jobs.openSession({ journal })
  if (!opened.ok) return void fail('open', opened.error.message)
  looked.sessions++
  for (const tip of [null, ...opened.value.tips.slice(0, 8).map(({ ordinal }) => ordinal)]) {
    const page = jobs.transcript({ ...place, tip, from: 0, count: 400, subagents: {} })
    if (!page.ok) return void fail('transcript', page.error.message)
    looked.rows += page.value.rows.length
    const outline = jobs.outline({ journal, tip })
    if (!outline.ok) fail('outline', outline.error.message)
  }
  const ordinals = Array.from({ length: Math.min(opened.value.entries, 200) }, (_, at) => at)
  const artifacts = jobs.artifacts(place)
  const others = {
    tree: jobs.tree({ journal }),
    previews: jobs.previews({ journal, ordinals }),
    artifacts,
    details: jobs.details(place),
    draft: jobs.draft({ journal }),
    draftVersion: jobs.draftVersion({ journal }),
    copy: await jobs.copyText({ ...place, tip: null, span: { kind: 'path' }, as: 'markdown' }, silentWork),
    subagents: jobs.subagentFiles({ journal }),
    refresh: jobs.refreshSession({ journal }),
  }
  for (const [what, result] of Object.entries(others)) if (!result.ok) fail(what, result.error.message)
  if (!artifacts.ok) return
  for (const { name, kind } of artifacts.value.files) {
    const preview = jobs.artifactPreview({ journal, name, url: 'u' })
    // Links out of the directory are refused, which is right.
    if (!preview.ok && kind !== 'other') fail(`artifact ${name}`, preview.error.message)
  }
  for (const { hash, missing } of artifacts.value.blobs) {
    const image = jobs.blobImage({ blobsDir: place.blobsDir, hash })
    if (!image.ok && !missing) fail(`blob ${hash}`, image.error.message)
  }
}
