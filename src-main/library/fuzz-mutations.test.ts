/**
 * Ten thousand damaged files: whatever a file holds, nothing throws, nothing hangs, nothing is written, and every record that
 * can be read is there once. A failure names its seed; the same seed makes the same file.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { toForest } from '@shared/graph/forest'
import { layoutGraph } from '@shared/graph/layout'
import { transcriptPage } from '@shared/ipc/models/transcript-models'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BlobStore } from '../engine/blobs/blob-store'
import type { Environment } from '../engine/environment'
import { stateOf } from '../engine/session/document-state.test-support'
import { SessionDocument } from '../engine/session/session-document'
import { atOnce } from '../engine/steps'
import { type CountingFileSystem, countingFileSystem } from '../engine/storage/counting-file-system'
import { FileSessionStorage } from '../engine/storage/file-session-storage'
import { MemorySessionStorage } from '../engine/storage/memory-session-storage'
import { nodeFileSystem } from '../engine/storage/node-file-system'
import type { SessionStorage } from '../engine/storage/session-storage'
import { summarizeDocument, summarizeSession } from './catalog/session-summary'
import { Dice, mutated, recordsIn } from './fuzz-mutations.test-support'
import { unwrap } from './odd-files.test-support'
import { entryLine } from './reading/entry-preview'
import { PathView, treeShape } from './reading/path-view'
import { rawLine } from './reading/raw-line'
import { sessionDetails } from './reading/session-details'
import { makeSampleLibrary, type SampleLibrary } from './sample-library.test-support'

const FILES = 10_000
const PARTS = 8
/** One file in so many is read from the disk; the others from memory. */
const ON_DISK = 10
/** Bases are small, so that a mutation meets what matters, and many are read in short time. */
const BASE_BYTES = 4_000

let library: SampleLibrary
let counted: CountingFileSystem
let env: Environment
let bases: Buffer[]
let folder: string

beforeAll(() => {
  library = makeSampleLibrary({ odd: true })
  counted = countingFileSystem(nodeFileSystem)
  env = { ...library.env, fs: counted }
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-fuzz-'))
  bases = [...library.sessions, ...library.odd.filter(({ section }) => section !== 'Size')]
    .map(({ file }) => library.at(file))
    .filter(file => file.endsWith('.jsonl') && fs.lstatSync(file).isFile())
    .map(file => fs.readFileSync(file))
    .filter(bytes => bytes.length > 0 && bytes.length <= BASE_BYTES)
}, 120_000)
afterAll(() => {
  library.remove()
  fs.rmSync(folder, { recursive: true, force: true })
})

it('begins with journals of every kind', () => {
  expect(bases.length).toBeGreaterThan(120)
})

describe(`${FILES} mutated files`, () => {
  const each = FILES / PARTS
  it.each(Array.from({ length: PARTS }, (_, part) => [part * each, part * each + each - 1]))(
    'of the seeds %d to %d',
    (first, last) => {
      for (let seed = first; seed <= last; seed++) check(seed)
    },
    300_000,
  )
})

function check(seed: number): void {
  const dice = new Dice(seed)
  const base = bases[dice.roll(bases.length)] ?? Buffer.alloc(0)
  const bytes = mutated(base, dice)
  try {
    const onDisk = seed % ON_DISK === 0
    if (onDisk) checkOnDisk(bytes)
    else checkReading(new MemorySessionStorage('/fuzz/s.jsonl', bytes), bytes)
    checkGrowth(bytes, dice)
    checkHeads(bytes, dice)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.stack : String(thrown)
    throw new Error(`Seed ${seed} (${bytes.length} bytes): ${reason}`)
  }
}

/** The same from a file: no call that writes, no descriptor left, no byte other than before. */
function checkOnDisk(bytes: Buffer): void {
  const file = path.join(folder, '2026-01-01T00-00-00-000Z_fuzz.jsonl')
  fs.writeFileSync(file, bytes)
  const before = fs.statSync(file, { bigint: true })
  counted.reset()
  checkReading(new FileSessionStorage(env, file), bytes)
  expect(summarizeSession(env, file).file).toBe(file)
  expect(counted.work.writes).toEqual([])
  expect(counted.work.open).toBe(0)
  // Work is bounded by the size of the file: it is read a few times over, not once for each line or entry.
  expect(counted.work.bytesRead).toBeLessThan(40 * bytes.length + 100_000)
  const after = fs.statSync(file, { bigint: true })
  expect([after.mtimeNs, after.ino]).toEqual([before.mtimeNs, before.ino])
  expect(fs.readFileSync(file).equals(bytes)).toBe(true)
}

/** Everything that is shown of a session, asked for as the window does. */
function checkReading(storage: SessionStorage, bytes: Buffer): void {
  const document = unwrap(SessionDocument.open(storage, env.now))
  checkRecords(document, bytes)
  checkTree(document)
  checkDamage(document, bytes)
  checkRows(document)
  expect(summarizeDocument(env, document).entryCount).toBe(document.index.count)
  const details = sessionDetails(env, document, new BlobStore(env.fs, '/nowhere'))
  expect(details.counts.entries).toBe(document.index.count)
  expect(details.types.reduce((sum, { count }) => sum + count, 0)).toBe(document.index.count)
}

/** Every record of the file is an entry once, or slot or header, or a repetition that was counted. */
function checkRecords(document: SessionDocument, bytes: Buffer): void {
  const found = recordsIn(bytes)
  const places = Array.from({ length: document.index.count }, (_, at) => document.index.place(at))
  const entries = new Set(places.map(({ offset, length }) => `${offset}+${length}`))
  expect(entries.size).toBe(places.length)
  const others = found.filter(({ offset, length }) => !entries.has(`${offset}+${length}`))
  expect(others.length + places.length).toBe(found.length)
  const seen = new Set<string>()
  let heads = 0
  let repeated = 0
  for (const { offset, length, record } of found) {
    const text = bytes.toString('latin1', offset, offset + length)
    const isOther = !entries.has(`${offset}+${length}`)
    const isHead = record.type === 'title' || record.type === 'session'
    const key = isHead ? JSON.stringify(record) : text
    if (isOther && seen.has(key)) repeated++
    else if (isOther && isHead) heads++
    else if (isOther) throw new Error(`A record at byte ${offset} was not found.`)
    seen.add(key)
  }
  expect(heads).toBe(Number(document.hasSlot) + Number(document.headerRecord !== null))
  const told = document.problems.find(({ kind }) => kind === 'repeated-record')?.count ?? 0
  expect(told).toBe(repeated)
}

/** Parents, tips and paths agree with each other, and the graph shows each entry once. */
function checkTree(document: SessionDocument): void {
  const { index, columns } = document
  const { count } = index
  const parents = index.parents()
  const children = new Array<number>(count).fill(0)
  expect(parents.every(parent => parent >= -1 && parent < count)).toBe(true)
  for (const parent of parents) {
    if (parent >= 0) children[parent] = (children[parent] ?? 0) + 1
  }
  expect(children).toEqual(Array.from({ length: count }, (_, at) => index.childCount(at)))
  const lengths = index.pathLengths()
  const covered = new Set<number>()
  const paths = index.tips().map(tip => index.path(tip))
  expect(paths.map(path => path.length)).toEqual(index.tips().map(tip => lengths[tip]))
  for (const path of paths) {
    for (const ordinal of path) covered.add(ordinal)
  }
  expect(covered.size).toBe(count)
  expect(index.leaf === null).toBe(count === 0)
  const forest = toForest(parents)
  expect(forest.broken).toBe(index.cycles().length)
  const { kinds } = columns.arrays()
  const input = { parents, kinds, labelled: new Uint8Array(count), active: index.leaf }
  for (const unfoldAll of [true, false]) {
    const options = { mode: 'all' as const, order: 'newest' as const, unfoldAll, unfolded: new Set<number>() }
    const layout = layoutGraph(input, options, forest)
    expect(layout.folded.reduce((sum, folded) => sum + Math.max(1, folded), 0)).toBe(count)
    expect(layout.rowOf.every(row => row >= 0 && row < layout.count)).toBe(true)
    expect(layout.work).toBeLessThanOrEqual(20 * count + 20)
  }
}

/** What could not be read lies in the file where it is said to lie, and can be looked at. */
function checkDamage(document: SessionDocument, bytes: Buffer): void {
  for (const { line, offset, bytes: length } of document.damaged) {
    const feeds = bytes.subarray(0, offset).filter(byte => byte === 10).length
    const inside = length > 0 && offset + length <= bytes.length
    expect([feeds + 1, inside]).toEqual([line, true])
    expect(unwrap(rawLine(document, line)).text).not.toBe('')
  }
  if (document.pending !== null) expect(unwrap(rawLine(document, document.pending.line)).text).not.toBe('')
}

/** All rows of the path at which reading starts; each entry of the path stands at one of them. */
function checkRows(document: SessionDocument): void {
  const tip = document.index.leaf
  const view = unwrap(PathView.open(document, treeShape(document), tip, env.now()))
  const images = { blobs: new BlobStore(env.fs, '/nowhere'), blobRoot: 'b', session: 's' }
  const page = unwrap(view.page(0, 10_000, images, () => null))
  // What crosses to the window is what the contract says, so that the window has nothing to refuse.
  const asSaid = transcriptPage.safeParse(page)
  if (!asSaid.success) throw asSaid.error
  expect(page.rows).toHaveLength(page.total)
  const path = document.index.path(tip)
  if (page.total > 0) expect(path.filter(ordinal => view.rowOf(ordinal) === null)).toEqual([])
  unwrap(view.outline())
  unwrap(document.visit(path, record => entryLine(record)))
}

/** A file that comes in two parts is, in the end, read as one that was there at once. */
function checkGrowth(bytes: Buffer, dice: Dice): void {
  const cut = dice.roll(bytes.length + 1)
  const storage = new MemorySessionStorage('/fuzz/s.jsonl', bytes.subarray(0, cut))
  const grown = unwrap(SessionDocument.open(storage, env.now))
  storage.appendFromOutside(bytes.subarray(cut))
  unwrap(grown.refresh())
  const whole = unwrap(SessionDocument.open(new MemorySessionStorage('/fuzz/s.jsonl', bytes), env.now))
  const states = [stateOf(grown), stateOf(whole)]
  // The comparison that explains itself is slow, and ten thousand times nothing is to be explained.
  if (!isDeepStrictEqual(states[0], states[1])) expect(states[0]).toEqual(states[1])
}

/** Read by heads, grown on the way and then completed, a file is in the end what it is when it is read whole. */
function checkHeads(bytes: Buffer, dice: Dice): void {
  const cut = dice.roll(bytes.length + 1)
  const storage = new MemorySessionStorage('/fuzz/s.jsonl', bytes.subarray(0, cut))
  const document = unwrap(atOnce(SessionDocument.opening(storage, env.now, true)))
  storage.appendFromOutside(bytes.subarray(cut))
  unwrap(document.refresh())
  const count = document.index.count
  const parents = [...document.index.parents()]
  const growth = unwrap(atOnce(document.checking()))
  expect(document.complete).toBe(true)
  // What was shown meanwhile stays true, or it is told that it does not.
  if (growth !== 'rewritten')
    expect([document.index.count, ...document.index.parents()]).toEqual([count, ...parents])
  const whole = unwrap(SessionDocument.open(new MemorySessionStorage('/fuzz/s.jsonl', bytes), env.now))
  const states = [stateOf(document), stateOf(whole)]
  if (!isDeepStrictEqual(states[0], states[1])) expect(states[0]).toEqual(states[1])
}
