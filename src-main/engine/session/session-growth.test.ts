/** Growth: whatever was there before, refreshing what was read equals reading it anew; and it costs what grew. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { encodeTitleSlot } from '@shared/session/title-slot'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeEnvironment } from '../node-environment'
import { countingFileSystem } from '../storage/counting-file-system'
import { FileSessionStorage } from '../storage/file-session-storage'
import { HEADER, journal, message } from '../storage/journal.test-support'
import { MemorySessionStorage } from '../storage/memory-session-storage'
import { nodeFileSystem } from '../storage/node-file-system'
import { stateOf } from './document-state.test-support'
import { SessionDocument } from './session-document'

const now = () => Date.parse('2026-02-01T00:00:00.000Z')
const slot = (title: string) =>
  encodeTitleSlot({ title, source: 'user', updatedAt: '2026-01-02T03:04:05.006Z' })

function opened(storage: MemorySessionStorage | FileSessionStorage): SessionDocument {
  const document = SessionDocument.open(storage, now)
  if (!document.ok) throw new Error(document.error.message)
  return document.value
}

const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }))
      .map(([id, parent]) => JSON.stringify(message(`e${id}`, `e${parent}`, '败 👩‍👧'))),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('null', '', '{"torn":', 'not json', '\0\0', '\ufeff', JSON.stringify(HEADER)),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      JSON.stringify(message('x', null)) + JSON.stringify(message('y', 'x')),
      JSON.stringify(message('x', null)).slice(0, 40) + JSON.stringify(message('z', 'x')),
    ),
  },
)
const head = fc.constantFrom(
  '',
  journal(HEADER),
  slot('one') + journal(HEADER),
  journal({ ...HEADER, version: 1 }),
)
const file = fc
  .tuple(
    head,
    fc.array(line, { maxLength: 12 }),
    fc.constantFrom('\n', '\r\n', ''),
    fc.constantFrom('\n', ''),
  )
  .map(([first, lines, end, last]) => Buffer.from(first + lines.join(end === '' ? '\n' : end) + last))

describe('refresh', () => {
  it('equals reading anew after any growth, cut anywhere', () => {
    fc.assert(
      fc.property(
        file,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
        (bytes, cuts) => {
          const ends = [...cuts.map(cut => Math.floor(cut * bytes.length)), bytes.length].sort(
            (a, b) => a - b,
          )
          const storage = new MemorySessionStorage('/s.jsonl', bytes.subarray(0, ends[0]))
          const document = opened(storage)
          for (const [at, end] of ends.slice(1).entries()) {
            storage.appendFromOutside(bytes.subarray(ends[at], end))
            document.refresh()
          }
          expect(stateOf(document)).toEqual(stateOf(opened(new MemorySessionStorage('/s.jsonl', bytes))))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('counts damage on an unfinished line once, however often it is looked at', () => {
    const storage = new MemorySessionStorage('/s.jsonl', Buffer.from(`${journal(HEADER)}\0\0`))
    const document = opened(storage)
    storage.appendFromOutside(Buffer.from('\0\0'))
    expect(document.refresh()).toMatchObject({ value: 'grown' })
    expect(document.damaged).toMatchObject([{ line: 2, bytes: 4 }])
  })
})

describe('on a real file', () => {
  let directory: string
  let target: string
  const counted = countingFileSystem(nodeFileSystem)
  const many = Array.from({ length: 5_000 }, (_, at) => message(`m${at}`, at === 0 ? null : `m${at - 1}`))

  beforeEach(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-growth-'))
    target = path.join(directory, 's.jsonl')
    fs.writeFileSync(target, slot('Before') + journal(HEADER, ...many))
    counted.reset()
  })
  afterEach(() => fs.rmSync(directory, { recursive: true }))

  it('is opened once to read all of it, and once for any number of records', () => {
    const document = opened(new FileSessionStorage({ ...nodeEnvironment(), fs: counted }, target))
    expect(counted.work.opened.get(target)).toBe(1)
    expect(document.entries(many.map((_, at) => at))).toMatchObject({ ok: true })
    expect(counted.work.opened.get(target)).toBe(2)
    expect(counted.work.open).toBe(0)
  })

  it('reads nothing when nothing changed, and only what grew otherwise', () => {
    const document = opened(new FileSessionStorage({ ...nodeEnvironment(), fs: counted }, target))
    counted.reset()
    expect(document.refresh()).toMatchObject({ value: 'same' })
    expect(counted.work).toMatchObject({ bytesRead: 0 })
    fs.appendFileSync(target, journal(message('new', 'm4999')))
    expect(document.refresh()).toMatchObject({ value: 'grown' })
    // The grown bytes, and the compared head and tail, before and after.
    expect(counted.work.bytesRead).toBeLessThan(12_000)
    expect(document.index.count).toBe(5_001)
  })

  it('sees a rename: an entry appended and the slot overwritten in place', () => {
    const document = opened(new FileSessionStorage({ ...nodeEnvironment(), fs: counted }, target))
    fs.appendFileSync(target, journal({ type: 'title_change', id: 't', parentId: 'm4999', title: 'After' }))
    const fd = fs.openSync(target, 'r+')
    fs.writeSync(fd, slot('After'), 0)
    fs.closeSync(fd)
    counted.reset()
    expect(document.refresh()).toMatchObject({ value: 'grown' })
    expect(document.title.title).toBe('After')
    expect(counted.work.bytesRead).toBeLessThan(12_000)
  })

  it('reads anew what was replaced, and refuses records of a file that took its place', () => {
    const document = opened(new FileSessionStorage({ ...nodeEnvironment(), fs: counted }, target))
    fs.writeFileSync(`${target}.new`, journal(HEADER, message('other', null)))
    fs.renameSync(`${target}.new`, target)
    expect(document.entry(0)).toMatchObject({ ok: false, error: { code: 'changed-on-disk' } })
    expect(document.refresh()).toMatchObject({ value: 'rewritten' })
    expect(document.entry(0)).toMatchObject({ ok: true, value: { id: 'other' } })
  })

  it('reads anew what was shortened or rewritten at its end', () => {
    const document = opened(new FileSessionStorage({ ...nodeEnvironment(), fs: counted }, target))
    fs.truncateSync(target, slot('x').length + journal(HEADER, many[0] ?? {}).length)
    expect(document.refresh()).toMatchObject({ value: 'rewritten' })
    expect(document.index.count).toBe(1)
  })
})

describe('entry', () => {
  it('is the record that was met when scanning, for version 1 too', () => {
    const records = [
      { type: 'message', message: { role: 'user' } },
      { type: 'compaction', firstKeptEntryIndex: 1 },
    ]
    const document = opened(
      new MemorySessionStorage('/v1.jsonl', Buffer.from(journal({ ...HEADER, version: 1 }, ...records))),
    )
    const [first, second] = [document.entry(0), document.entry(1)]
    if (!first.ok || !second.ok) throw new Error('unreadable')
    expect(second.value).toEqual({
      type: 'compaction',
      firstKeptEntryId: first.value.id,
      id: document.index.id(1),
      parentId: first.value.id,
    })
  })
})
