/**
 * Looking never writes: everything that shows something, run over a whole sample library with every odd file,
 * leaves each byte, each time and each name as it was, and makes nothing new.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Environment, silentWork } from '../engine/environment'
import { type CountingFileSystem, countingFileSystem } from '../engine/storage/counting-file-system'
import { nodeFileSystem } from '../engine/storage/node-file-system'
import { createDraftJobs } from '../workers/draft-jobs'
import { createReadingJobs } from '../workers/reading-jobs'
import { createScanJobs } from '../workers/scan-jobs'
import { workerChanges } from '../workers/worker-changes'
import { Catalog } from './catalog/catalog'
import { foundRow } from './catalog/packed-summary'
import type { SessionSummary } from './catalog/session-summary'
import { type LibraryRoot, libraryRoots } from './roots'
import { makeSampleLibrary, type SampleLibrary } from './sample-library.test-support'

let library: SampleLibrary
let counted: CountingFileSystem
let env: Environment
/** Grove's own data, where what was read is noted. */
let data: string

beforeAll(() => {
  library = makeSampleLibrary({ odd: true })
  counted = countingFileSystem(nodeFileSystem)
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-data-'))
  env = { ...library.env, fs: counted, env: { ...library.env.env, GROVE_DATA_DIR: data } }
}, 120_000)
afterAll(() => {
  library.remove()
  fs.rmSync(data, { recursive: true })
})

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
  // A descriptor was opened by a call that names its path.
  const written = counted.work.writes.filter(call => !/^write \d+$/.test(call))
  expect(written.filter(call => !call.slice(call.indexOf(' ') + 1).startsWith(data))).toEqual([])
  expect(counted.work.open).toBe(0)
  expect(snapshot(library.dir)).toEqual(before)
}, 300_000)

it('opens no journal when nothing changed since the last look', async () => {
  const jobs = createScanJobs(env)
  const roots = libraryRoots(env, [], library.agentDir)
  const { look, summaries } = await scanAll(jobs, roots)
  expect(summaries.length).toBeGreaterThan(250)
  counted.reset()
  const again = await jobs.look({ roots, scan: look.scan }, silentWork)
  expect(again).toMatchObject({ ok: true, value: { gone: [], present: null } })
  const rows = await jobs.rows({ scan: look.scan, counting: true }, silentWork)
  expect(rows).toMatchObject({ ok: true, value: { rows: [], more: false, uncounted: 0 } })
  expect(counted.work.opened.size).toBe(0)
  expect(counted.work.bytesRead).toBe(0)
})

/** A look at the roots, and the rows of all sessions with their true counts. */
async function scanAll(jobs: ReturnType<typeof createScanJobs>, roots: LibraryRoot[]) {
  const look = await jobs.look({ roots, scan: null }, silentWork)
  if (!look.ok) throw new Error(look.error.message)
  const found = new Map<string, SessionSummary>()
  for (;;) {
    const rows = await jobs.rows({ scan: look.value.scan, counting: true }, silentWork)
    if (!rows.ok) throw new Error(rows.error.message)
    for (const { summary } of rows.value.rows.map(foundRow)) found.set(summary.file, summary)
    if (!rows.value.more && rows.value.uncounted === 0)
      return { look: look.value, summaries: [...found.values()] }
  }
}

type Looked = { sessions: number; rows: number; drafts: number; failed: string[] }

async function lookAtEverything(): Promise<Looked> {
  const looked: Looked = { sessions: 0, rows: 0, drafts: 0, failed: [] }
  const scanJobs = createScanJobs(env)
  const roots = libraryRoots(env, [], library.agentDir)
  const { look, summaries } = await scanAll(scanJobs, roots)
  const catalog = new Catalog(library.home)
  catalog.takeRoots(roots, look.roots)
  catalog.takeRows(
    summaries.map(summary => ({ root: roots[0]?.id ?? '', summary })),
    roots,
  )
  const pins = scanJobs.pins({ files: roots.map(({ layout }) => layout.pinsFile) })
  if (pins.ok) catalog.takePins(pins.value)
  scanJobs.projectStates({ cwds: catalog.cwds() })
  const subagents = library.sessions.flatMap(session => session.subagents.map(({ file }) => library.at(file)))
  const readable = summaries.filter(({ stub }) => stub === null || !stub.startsWith('Cannot'))
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
  const early = jobs.lastRows({ ...place, count: 20, subagents: {} })
  if (!early.ok) fail('last rows', early.error.message)
  const opened = await jobs.openSession({ journal }, silentWork)
  if (!opened.ok) return void fail('open', opened.error.message)
  looked.sessions++
  for (const tip of [null, ...opened.value.tips.slice(0, 8).map(({ ordinal }) => ordinal)]) {
    const page = await jobs.transcript({ ...place, tip, from: 0, count: 400, subagents: {} }, silentWork)
    if (!page.ok) return void fail('transcript', page.error.message)
    looked.rows += page.value.rows.length
    const outline = await jobs.outline({ journal, tip }, silentWork)
    if (!outline.ok) fail('outline', outline.error.message)
  }
  const ordinals = Array.from({ length: Math.min(opened.value.entries, 200) }, (_, at) => at)
  const artifacts = await jobs.artifacts(place, silentWork)
  const others = {
    tree: await jobs.tree({ journal }, silentWork),
    previews: await jobs.previews({ journal, ordinals }, silentWork),
    artifacts,
    details: await jobs.details(place, silentWork),
    draft: await jobs.draft({ journal }, silentWork),
    draftVersion: jobs.draftVersion({ journal }),
    copy: await jobs.copyText({ ...place, tip: null, span: { kind: 'path' }, as: 'markdown' }, silentWork),
    subagents: jobs.subagentFiles({ journal }),
    refresh: await jobs.refreshSession({ journal }, silentWork),
    complete: await jobs.completeSession({ journal }, silentWork),
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
