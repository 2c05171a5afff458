import fs from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SessionDocument } from '../session/session-document'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { ArchivedSessionStorage } from './archived-session-storage'
import { readRange } from './byte-source'
import { countingFileSystem } from './counting-file-system'
import { inflate } from './inflate'
import { HEADER, journal, message } from './journal.test-support'
import { journalStorage, openJournalSource } from './open-journal'

const ENTRIES = 400
const TEXT = journal(
  HEADER,
  ...Array.from({ length: ENTRIES }, (_, at) =>
    // Words that do not pack to nothing, so that a cut lies somewhere in the text.
    message(`e${at}`, at === 0 ? null : `e${at - 1}`, `entry ${at} ${(at * 7919).toString(36).repeat(9)}`),
  ),
)
const PACKED = gzipSync(TEXT, { level: 9 })

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

const put = (bytes: Uint8Array) => env.put('archive/sessions/-w/one.jsonl.gz', bytes)

function read(bytes: Uint8Array) {
  const document = SessionDocument.open(journalStorage(env, put(bytes)), env.now)
  if (!document.ok) throw new Error(document.error.message)
  return document.value
}

describe('an archived session', () => {
  it('reads as the journal that was packed', () => {
    const document = read(PACKED)
    expect([document.index.count, document.damage, document.damaged, document.pending]).toEqual([
      ENTRIES,
      null,
      [],
      null,
    ])
    expect(document.entry(ENTRIES - 1)).toMatchObject({ ok: true, value: { id: `e${ENTRIES - 1}` } })
    expect(document.header?.id).toBe(HEADER.id)
  })

  it('says of the file how large it is on the disk', () => {
    const storage = journalStorage(env, put(PACKED))
    expect(storage.stat()).toMatchObject({ value: { size: PACKED.length, readOnly: true } })
    expect(storage.open()).toMatchObject({
      value: { stat: { size: PACKED.length }, source: { size: Buffer.byteLength(TEXT) } },
    })
  })

  it('may have been packed in several pieces', () => {
    const half = Math.floor(TEXT.length / 2)
    const pieces = [gzipSync(TEXT.slice(0, half)), gzipSync(TEXT.slice(half))]
    const document = read(Buffer.concat(pieces))
    expect([document.index.count, document.damage]).toEqual([ENTRIES, null])
  })

  it('that is cut off shows what comes before, and that it is cut', () => {
    const document = read(PACKED.subarray(0, Math.floor(PACKED.length / 2)))
    expect(document.index.count).toBeGreaterThan(20)
    expect(document.index.count).toBeLessThan(ENTRIES)
    expect(document.damage).toMatch(/cut off/)
    // Nobody writes it to its end any more: its last line is damaged, not pending.
    expect([document.pending, document.damaged.length]).toEqual([null, 1])
    expect(document.entry(3)).toMatchObject({ ok: true, value: { id: 'e3' } })
  })

  it('never shows less of a longer beginning, wherever it is cut', () => {
    let before = 0
    for (let length = 0; length <= PACKED.length; length += 97) {
      const inflated = inflate(PACKED.subarray(0, length), 1 << 20)
      const text = Buffer.from(inflated?.bytes ?? []).toString('latin1')
      expect(TEXT.startsWith(text)).toBe(true)
      expect(text.length).toBeGreaterThanOrEqual(before)
      before = text.length
      expect(inflated?.damage).toEqual(length === 0 ? null : expect.any(String))
    }
    expect(inflate(PACKED, 1 << 20)).toMatchObject({ damage: null })
  })

  it('with bytes that are wrong shows what stands before them', () => {
    const wrong = Buffer.from(PACKED)
    wrong.fill(0xff, Math.floor(wrong.length / 2), Math.floor(wrong.length / 2) + 64)
    const document = read(wrong)
    expect(document.index.count).toBeGreaterThan(20)
    expect(document.damage).toMatch(/damaged/)
  })

  it('whose check sum is wrong shows everything, and says so', () => {
    const wrong = Buffer.from(PACKED)
    const at = wrong.length - 8
    wrong[at] = (wrong[at] ?? 0) ^ 0xff
    const document = read(wrong)
    expect([document.index.count, document.damage]).toEqual([ENTRIES, expect.stringMatching(/damaged/)])
  })

  it('that is no gzip file shows nothing but that', () => {
    const document = read(Buffer.from('{"type":"session"}\n'.repeat(40)))
    expect([document.index.count, document.damage]).toEqual([0, expect.stringMatching(/no gzip file/)])
    expect(read(Buffer.from([0x1f, 0x8b]))).toMatchObject({ damage: expect.stringMatching(/no gzip file/) })
  })

  it('may hold nothing', () => {
    expect(read(new Uint8Array())).toMatchObject({ bytes: 0, damage: null })
    expect(read(gzipSync(''))).toMatchObject({ damage: null, pending: null })
  })

  it('is not unpacked beyond the limit', () => {
    const bomb = gzipSync(Buffer.alloc(4 << 20))
    expect(inflate(bomb, 1 << 20)).toBeNull()
    expect(inflate(bomb.subarray(0, bomb.length - 9), 1 << 20)).toBeNull()
    expect(inflate(bomb, 4 << 20)?.bytes.length).toBe(4 << 20)
  })

  it('is read again when another file took its place, and not else', () => {
    const fileSystem = countingFileSystem(env.fs)
    const storage = new ArchivedSessionStorage(fileSystem, put(PACKED))
    const document = SessionDocument.open(storage, env.now)
    if (!document.ok) throw new Error(document.error.message)
    expect(document.value.refresh()).toEqual({ ok: true, value: 'same' })
    put(gzipSync(journal(HEADER, message('other', null))))
    expect(document.value.entry(0)).toMatchObject({ error: { code: 'changed-on-disk' } })
    expect(document.value.refresh()).toEqual({ ok: true, value: 'rewritten' })
    expect(document.value.entry(0)).toMatchObject({ value: { id: 'other' } })
    expect(fileSystem.work.writes).toEqual([])
    expect(fileSystem.work.open).toBe(0)
  })

  it('says what the system says of a file that is gone, or is none', () => {
    const gone = journalStorage(env, `${env.home}/gone.jsonl.gz`)
    expect(gone.open()).toMatchObject({ error: { code: 'not-found' } })
    fs.mkdirSync(`${env.home}/folder.jsonl.gz`)
    expect(journalStorage(env, `${env.home}/folder.jsonl.gz`).open()).toMatchObject({
      error: { code: 'damaged' },
    })
  })

  it('is never written', async () => {
    const file = put(PACKED)
    const storage = journalStorage(env, file)
    const stat = storage.stat()
    if (!stat.ok) throw new Error(stat.error.message)
    const refused = { error: { code: 'permission', message: expect.stringContaining('archived by omp') } }
    expect(storage.append(Buffer.from('{}\n'), stat.value, 'os')).toMatchObject(refused)
    expect(storage.create([])).toMatchObject(refused)
    expect(storage.replace([], stat.value)).toMatchObject(refused)
    expect(storage.writeSlot(new Uint8Array(256), stat.value, 'os')).toMatchObject(refused)
    expect(storage.remove(stat.value)).toMatchObject(refused)
    expect(await storage.locked(() => storage.stat())).toMatchObject(refused)
    expect(fs.readFileSync(file)).toEqual(PACKED)
    expect(fs.readdirSync(`${env.home}/archive/sessions/-w`)).toEqual(['one.jsonl.gz'])
  })

  it('is a source of bytes for who needs no more', () => {
    const source = openJournalSource(env.fs, put(PACKED))
    expect(Buffer.from(readRange(source, 0, source.size)).toString()).toBe(TEXT)
    const plain = openJournalSource(env.fs, env.put('sessions/-w/one.jsonl', TEXT))
    expect(Buffer.from(readRange(plain, 0, plain.size)).toString()).toBe(TEXT)
    plain.close()
  })
})
