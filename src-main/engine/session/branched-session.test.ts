import fs from 'node:fs'
import path from 'node:path'
import type { JsonObject } from '@shared/session/json'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../environment'
import { faultyFileSystem } from '../storage/faulty-file-system.test-support'
import { FileSessionStorage } from '../storage/file-session-storage'
import { HEADER, journal, message } from '../storage/journal.test-support'
import type { nodeFileSystem } from '../storage/node-file-system'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { createBranchedJournal } from './branched-session'
import { SessionDocument } from './session-document'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

const NEW_ID = '019b0000-0000-7000-8000-000000000001'
const label = (id: string, parentId: string | null, targetId: string, text?: string): JsonObject => ({
  type: 'label',
  id,
  parentId,
  timestamp: '2026-01-02T03:04:07.000Z',
  targetId,
  ...(text === undefined ? {} : { label: text }),
})

function open(file: string): SessionDocument {
  const document = SessionDocument.open(new FileSessionStorage(env, file), env.now)
  if (!document.ok) throw new Error(document.error.message)
  return document.value
}

function source(text: string | Uint8Array): string {
  return env.put('sessions/-w/2026-01-02T03-04-05-006Z_sid.jsonl', text)
}

async function branch(file: string, leafId: string, changes: Partial<TestEnvironment> = {}) {
  return createBranchedJournal(
    { ...env, sessionId: () => NEW_ID, ...changes },
    { document: open(file), leafId, directory: path.join(env.home, 'sessions/-w'), cwd: '/w/app' },
  )
}

/** The new journal's lines as text, slot and header first. */
async function lines(file: string, leafId: string): Promise<string[]> {
  const made = await branch(file, leafId)
  if (!made.ok) throw new Error(made.error.message)
  const text = fs.readFileSync(made.value.file, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  return text.slice(0, -1).split('\n')
}

// Lines of our own: each is an object.
const parsed = (texts: readonly string[]): JsonObject[] => texts.map(text => JSON.parse(text) as JsonObject)
const chain = (texts: readonly string[]) =>
  parsed(texts).map(({ type, id, parentId }) => [type, id, parentId])

describe('a branched session', () => {
  it('holds the path and nothing else, byte for byte, under a head of its own', async () => {
    const odd = `{ "message":{"role":"user","content":"caf\\u00e9 \u2028"}, "type":"message","n":12345678901234567890, "id":"b","parentId":"a" }`
    const header = { ...HEADER, additionalDirectories: ['/w/app', '/w/lib'], unknown: 1 }
    const slot = { type: 'title', v: 1, title: 'Mine', source: 'user', updatedAt: HEADER.timestamp, pad: '' }
    const file = source(
      journal(slot, header, message('a', null), odd, message('other', 'a'), message('c', 'b')),
    )
    const before = fs.readFileSync(file)
    const [slotLine, headerLine, ...entries] = await lines(file, 'c')
    expect(slotLine).toHaveLength(255)
    expect(JSON.parse(slotLine ?? '')).toMatchObject({ title: 'Mine', source: 'user' })
    expect(headerLine).toBe(
      JSON.stringify({
        type: 'session',
        version: 3,
        id: NEW_ID,
        timestamp: '2026-02-01T00:00:00.000Z',
        cwd: '/w/app',
        title: 'Mine',
        titleSource: 'user',
        parentSession: file,
        additionalDirectories: ['/w/lib'],
      }),
    )
    expect(entries).toEqual([JSON.stringify(message('a', null)), odd, JSON.stringify(message('c', 'b'))])
    expect(fs.readFileSync(file)).toEqual(before)
    expect(fs.readdirSync(path.dirname(file)).sort()).toHaveLength(2)
  })

  it('keeps the chain whole over labels, and carries those whose entry is there', async () => {
    const file = source(
      journal(
        HEADER,
        label('l0', null, 'b', 'early'),
        message('a', 'l0'),
        label('l1', 'a', 'a', 'first'),
        label('l2', 'l1', 'x', 'of the other branch'),
        message('b', 'l2'),
        message('x', 'a'),
        label('l3', 'x', 'b', 'later'),
        label('l4', 'l3', 'a'),
        message('c', 'b'),
      ),
    )
    const [, , ...entries] = await lines(file, 'c')
    expect(chain(entries.slice(0, 3))).toEqual([
      ['message', 'a', null],
      ['message', 'b', 'a'],
      ['message', 'c', 'b'],
    ])
    // The label of `a` was cleared, `x` is not on the path; of `b` the last word counts.
    expect(parsed(entries.slice(3))).toMatchObject([
      { type: 'label', parentId: 'c', targetId: 'b', label: 'later' },
    ])
  })

  it('chains several labels behind the leaf with ids of their own, and ends before a label as leaf', async () => {
    const file = source(
      journal(
        HEADER,
        message('a', null),
        message('b', 'a'),
        label('l1', 'b', 'a', 'one'),
        label('l2', 'l1', 'b', 'two'),
      ),
    )
    const [, , ...entries] = await lines(file, 'l2')
    const [, , one, two] = parsed(entries)
    expect(entries).toHaveLength(4)
    expect(one).toMatchObject({ parentId: 'b', targetId: 'a', label: 'one' })
    expect(two).toMatchObject({ parentId: one?.id, targetId: 'b', label: 'two' })
    expect(new Set([one?.id, two?.id, 'l1', 'l2']).size).toBe(4)
    expect(one?.id).toMatch(/^[0-9a-f]{8}$/)
  })

  it('lets a compaction that names a label name what comes next', async () => {
    const compaction = (id: string, parentId: string, first: string, through?: string) => ({
      type: 'compaction',
      id,
      parentId,
      timestamp: HEADER.timestamp,
      summary: 's',
      firstKeptEntryId: first,
      tokensBefore: 1,
      ...(through === undefined ? {} : { providerReplayThroughEntryId: through }),
    })
    const file = source(
      journal(
        HEADER,
        message('a', null),
        label('l1', 'a', 'a', 'x'),
        message('b', 'l1'),
        compaction('c1', 'b', 'l1', 'l1'),
        compaction('c2', 'c1', 'a'),
        label('l2', 'c2', 'a', 'y'),
        compaction('c3', 'l2', 'l2'),
      ),
    )
    const [, , ...entries] = await lines(file, 'c3')
    expect(parsed(entries).filter(({ type }) => type === 'compaction')).toMatchObject([
      { id: 'c1', parentId: 'b', firstKeptEntryId: 'b', providerReplayThroughEntryId: 'a' },
      { id: 'c2', parentId: 'c1', firstKeptEntryId: 'a' },
      { id: 'c3', parentId: 'c2', firstKeptEntryId: 'c3' },
    ])
    // What needs no change has none.
    expect(entries[3]).toBe(JSON.stringify(compaction('c2', 'c1', 'a')))
  })

  it('ends in odd trees: a segment without its parent, a cycle, ids that occur twice', async () => {
    const orphan = source(journal(HEADER, message('a', 'gone'), message('b', 'a')))
    expect(chain((await lines(orphan, 'b')).slice(2))).toEqual([
      ['message', 'a', 'gone'],
      ['message', 'b', 'a'],
    ])
    fs.rmSync(path.dirname(orphan), { recursive: true })
    const cycle = source(journal(HEADER, message('a', 'b'), message('b', 'a'), message('c', 'b')))
    expect(chain((await lines(cycle, 'c')).slice(2))).toEqual([
      ['message', 'a', null],
      ['message', 'b', 'a'],
      ['message', 'c', 'b'],
    ])
    fs.rmSync(path.dirname(cycle), { recursive: true })
    const twice = source(
      journal(
        HEADER,
        message('x', null, 'first'),
        message('m', 'x'),
        message('x', 'm', 'second'),
        message('z', 'x'),
      ),
    )
    const entries = parsed((await lines(twice, 'z')).slice(2))
    const ids = entries.map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
    expect(ids.slice(1)).toEqual(['m', 'x', 'z'])
    expect(entries.map(({ parentId }) => parentId)).toEqual([null, ids[0], 'm', 'x'])
  })

  it('writes old versions as version 3, and takes records glued on one line apart', async () => {
    const v1 = source(
      journal(
        { ...HEADER, version: undefined },
        { type: 'message', timestamp: HEADER.timestamp, message: { role: 'hookMessage', content: 'x' } },
        { type: 'message', timestamp: HEADER.timestamp, message: { role: 'user', content: 'y' } },
        { type: 'compaction', timestamp: HEADER.timestamp, summary: 's', firstKeptEntryIndex: 2 },
      ),
    )
    const tip = open(v1).index.id(2) ?? ''
    const [, header, ...entries] = await lines(v1, tip)
    const records = parsed(entries)
    expect(JSON.parse(header ?? '')).toMatchObject({ version: 3 })
    expect(records.map(({ parentId }) => parentId)).toEqual([null, records[0]?.id, records[1]?.id])
    expect(records[0]).toMatchObject({ message: { role: 'custom' } })
    expect(records[2]).toMatchObject({ firstKeptEntryId: records[1]?.id })
    expect(records[2]).not.toHaveProperty('firstKeptEntryIndex')
    fs.rmSync(path.dirname(v1), { recursive: true })
    const [a, b, c] = [message('a', null), message('b', 'a'), message('c', 'b')].map(record =>
      JSON.stringify(record),
    )
    const glued = source(`${journal(HEADER)}${a}${b}\n{"torn\n${c}`)
    expect((await lines(glued, 'c')).slice(2)).toEqual([a, b, c])
  })

  it('is refused for a damaged header, a newer version, an entry that is not there, a file replaced since', async () => {
    const refusals: string[] = []
    const refused = async (text: string, leaf = 'a') => {
      const made = await branch(source(text), leaf)
      refusals.push(made.ok ? 'made' : made.error.code)
    }
    await refused(journal('{"type":"session"', message('a', null)))
    await refused(journal({ ...HEADER, version: 4 }, message('a', null)))
    await refused(journal(HEADER, message('a', null)), 'b')
    const file = source(journal(HEADER, message('a', null)))
    const document = open(file)
    fs.unlinkSync(file)
    source(journal(HEADER, message('a', null, 'another text')))
    const directory = path.dirname(file)
    const made = await createBranchedJournal(env, { document, leafId: 'a', directory, cwd: '/w' })
    refusals.push(made.ok ? 'made' : made.error.code)
    expect(refusals).toEqual(['damaged', 'unsupported-version', 'not-found', 'changed-on-disk'])
    expect(fs.readdirSync(directory)).toHaveLength(1)
  })

  it('does not mind lines that are appended meanwhile, and overwrites nothing', async () => {
    const file = source(journal(HEADER, message('a', null)))
    const document = open(file)
    fs.appendFileSync(file, journal(message('b', 'a')))
    const request = { document, leafId: 'a', directory: path.dirname(file), cwd: '/w' }
    const fixed = { ...env, sessionId: () => NEW_ID }
    expect((await createBranchedJournal(fixed, request)).ok).toBe(true)
    const again = await createBranchedJournal(fixed, request)
    expect(again).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(fs.readdirSync(path.dirname(file))).toHaveLength(2)
  })

  it('is there whole or not at all, whichever call fails', async () => {
    const file = source(journal(HEADER, message('a', null), label('l', 'a', 'a', 'x'), message('b', 'l')))
    const directory = path.join(env.home, 'sessions/new')
    const run = async (fs: typeof nodeFileSystem) =>
      createBranchedJournal(
        { ...env, fs, sessionId: () => NEW_ID },
        {
          document: await openWith(fs, file),
          leafId: 'b',
          directory,
          cwd: '/w',
        },
        silentWork,
      )
    const openWith = async (faulty: typeof nodeFileSystem, name: string) => {
      const opened = SessionDocument.open(new FileSessionStorage({ ...env, fs: faulty }, name), env.now)
      return opened.ok ? opened.value : open(name)
    }
    const counting = faultyFileSystem()
    expect((await run(counting)).ok).toBe(true)
    const whole = fs.readFileSync(path.join(directory, fs.readdirSync(directory)[0] ?? '')).length
    let made = 0
    for (let at = 0; at < counting.calls.length; at++) {
      fs.rmSync(directory, { recursive: true, force: true })
      const result = await run(faultyFileSystem({ fault: { at, errno: 'EIO', lasting: 'once' } }))
      const names = fs.existsSync(directory) ? fs.readdirSync(directory) : []
      expect(names.length, `call ${at}`).toBe(result.ok ? 1 : 0)
      if (!result.ok) continue
      made++
      expect(fs.statSync(path.join(directory, names[0] ?? '')).size).toBe(whole)
    }
    expect(made).toBeLessThan(counting.calls.length)
  })
})
