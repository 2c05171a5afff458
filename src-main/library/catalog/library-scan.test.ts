/** The work of a scan: what is opened, read and told, never how long it takes. */
import fs from 'node:fs'
import path from 'node:path'
import { limits } from '@shared/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Environment, silentWork } from '../../engine/environment'
import { type CountingFileSystem, countingFileSystem } from '../../engine/storage/counting-file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { type LibraryRoot, libraryRoots } from '../roots'
import { conversationText, headerText, messageText, slotText } from './journal-text.test-support'
import { LibraryScan } from './library-scan'
import { type FoundRow, foundRow } from './packed-summary'
import { summarizeSession } from './session-summary'

let home: TestEnvironment
let counted: CountingFileSystem
let env: Environment
let roots: LibraryRoot[]
/** Looks at places, and the most files that were open at once. */
let stats: { looks: number; failed: number; mostOpen: number }
beforeEach(() => {
  home = testEnvironment()
  stats = { looks: 0, failed: 0, mostOpen: 0 }
  counted = countingFileSystem({
    ...nodeFileSystem,
    stat: place => looked(() => nodeFileSystem.stat(place)),
    lstat: place => looked(() => nodeFileSystem.lstat(place)),
    open: (...of) => {
      stats.mostOpen = Math.max(stats.mostOpen, counted.work.open + 1)
      return nodeFileSystem.open(...of)
    },
  })
  // As if the tests' directories were made long ago, so that the times in them are settled.
  env = { ...home, fs: counted, now: () => Date.now() + 3_600_000 }
  roots = libraryRoots(env, [], path.join(home.home, 'agent'))
})
afterEach(() => home.remove())

function looked<T>(look: () => T): T {
  stats.looks++
  try {
    return look()
  } catch (thrown) {
    stats.failed++
    throw thrown
  }
}

function forgetWork(): void {
  counted.reset()
  Object.assign(stats, { looks: 0, failed: 0, mostOpen: 0 })
}

const sessions = 'agent/sessions/-p'
const put = (name: string, text: string) => home.put(`${sessions}/${name}.jsonl`, text)
const text = (turns: number, chars?: number) =>
  slotText('Title') + headerText() + conversationText(turns, chars)
/** Larger than what is read whole at once. */
const LARGE_TURNS = 40
const large = () => text(LARGE_TURNS, 500)

async function lookAt(scan: LibraryScan, name: string | null) {
  return scan.look(roots, name, silentWork)
}

async function fetch(scan: LibraryScan, name: string, counting: boolean): Promise<FoundRow[]> {
  const rows: FoundRow[] = []
  for (;;) {
    const got = await scan.rows(name, counting, silentWork)
    if (!got.ok) throw new Error(got.error.message)
    rows.push(...got.value.rows.map(foundRow))
    if (!got.value.more && (!counting || got.value.uncounted === 0)) return rows
  }
}

/** A start: what the cache knows, what is there, and what must be told at once. */
async function start() {
  const scan = new LibraryScan(env)
  const name = scan.recall(roots)
  const recalled = await fetch(scan, name, false)
  const look = await lookAt(scan, name)
  const rows = await fetch(scan, name, false)
  return { scan, name, recalled, look, rows }
}

/** A start, all that there is to count, and its end. */
async function firstStart() {
  const started = await start()
  const all = await fetch(started.scan, started.name, true)
  started.scan.save()
  forgetWork()
  return { ...started, all }
}

const byFile = (rows: readonly FoundRow[]) =>
  rows.map(({ summary }) => summary).sort((a, b) => (a.file < b.file ? -1 : 1))
const files = (rows: readonly FoundRow[]) => rows.map(({ summary }) => path.basename(summary.file, '.jsonl'))
const journalsOpened = () => [...counted.work.opened.keys()].filter(file => file.endsWith('.jsonl'))

describe('the first start', () => {
  it('tells many sessions by their ends, the newest first, and counts them behind', async () => {
    const count = limits.countedAtOnce + 6
    for (let at = 0; at < count; at++)
      fs.utimesSync(put(`s${at}`, large()), 1_700_000_000, 1_700_000_000 + at)
    forgetWork()
    const { scan, name, recalled, rows } = await start()
    expect(recalled).toEqual([])
    expect(files(rows)).toEqual(Array.from({ length: count }, (_, at) => `s${count - 1 - at}`))
    expect(rows.every(({ summary }) => !summary.counted && summary.title === 'Title')).toBe(true)
    expect(counted.work.bytesRead).toBe(count * (limits.quickHeadBytes + limits.quickTailBytes))
    expect(journalsOpened()).toHaveLength(count)
    const all = await fetch(scan, name, true)
    expect(files(all)).toEqual(files(rows))
    for (const { summary } of all) expect(summary).toEqual(summarizeSession(env, summary.file))
    expect(await fetch(scan, name, true)).toEqual([])
    expect(counted.work.open).toBe(0)
    expect(stats.mostOpen).toBe(1)
  })

  it('counts few sessions, and small ones, at once', async () => {
    put('one', large())
    put('two', text(1))
    const { rows } = await start()
    expect(rows.map(({ summary }) => summary.messageCount).sort()).toEqual([2 * LARGE_TURNS, 2].sort())
    for (let at = 0; at < 60; at++) put(`small${at}`, text(1))
    const many = await start()
    expect(many.rows.filter(({ summary }) => summary.counted)).toHaveLength(60)
  })

  it('lets a row wait whose ends do not tell, and stops where it is cancelled', async () => {
    for (let at = 0; at < 30; at++) put(`s${at}`, large())
    put('odd', conversationText(LARGE_TURNS, 500))
    const { scan, name, rows } = await start()
    expect(rows).toHaveLength(30)
    const stop = { ...silentWork, breathe: () => Promise.reject(new Error('stop')) }
    await expect(scan.rows(name, true, stop)).rejects.toThrow('stop')
    expect(files(await fetch(scan, name, true))).toContain('odd')
  })
})

describe('the second start', () => {
  it('of 2,000 sessions with artifacts opens no session, and one cache', async () => {
    for (let at = 0; at < 2_000; at++) {
      put(`s${at}`, headerText({ id: `id${at}` }) + messageText('a', null, 'user', `Prompt ${at}`))
      home.put(`${sessions}/s${at}/0.bash.log`, 'x')
    }
    const first = await firstStart()
    const { recalled, look, rows } = await start()
    expect(recalled).toHaveLength(2_000)
    expect(byFile(recalled)).toEqual(byFile(first.rows))
    expect([rows, look.gone, look.present]).toEqual([[], [], null])
    const opened = [...counted.work.opened]
    expect(opened).toHaveLength(1)
    // The points where reading may go on, which nobody asks for, are the better half of it.
    expect(counted.work.bytesRead).toBeLessThan(fs.statSync(opened[0]?.[0] ?? '').size / 2)
    expect(stats.mostOpen).toBe(1)
    // Each journal and each artifact directory once.
    expect(stats.looks).toBe(4_000)
    expect(stats.failed).toBe(0)
  }, 120_000)

  it('reads what was appended meanwhile, and only that', async () => {
    put('other', large())
    const file = put('grown', large())
    await firstStart()
    const added = messageText('new', `e${2 * LARGE_TURNS}`, 'user', 'More')
    fs.appendFileSync(file, added)
    const { recalled, rows } = await start()
    expect(recalled).toHaveLength(2)
    expect(rows.map(({ summary }) => summary)).toEqual([summarizeSession(home, file)])
    expect(counted.work.opened.get(file)).toBe(1)
    expect(journalsOpened()).toEqual([file])
    const cache = [...counted.work.opened.keys()].find(name => name.endsWith('.cache')) ?? ''
    expect(counted.work.bytesRead).toBeLessThanOrEqual(fs.statSync(cache).size + added.length + 2 * 4_352)
  })

  it('shows no session that was gone when Grove ran last', async () => {
    const file = put('gone', text(1))
    put('there', text(1))
    const { scan, name } = await firstStart()
    fs.rmSync(file)
    expect((await lookAt(scan, name)).gone).toEqual([file])
    scan.save()
    expect(files((await start()).recalled)).toEqual(['there'])
  })

  it('does not keep what the system refused, nor what a time lies ahead of', async () => {
    put('ahead', headerText() + messageText('a', null, 'user', 'x').replace('2026-01-30', '2099-01-30'))
    put('there', text(1))
    fs.mkdirSync(path.join(home.home, sessions, 'folder.jsonl'))
    const { rows } = await firstStart()
    expect(files(rows).sort()).toEqual(['ahead', 'folder', 'there'])
    const again = await start()
    expect(files(again.recalled)).toEqual(['there'])
    expect(files(again.rows).sort()).toEqual(['ahead', 'folder'])
  })
})

describe('another look', () => {
  it('at an unchanged library opens nothing, looks at each place once, and tells nothing', async () => {
    for (let at = 0; at < 50; at++) put(`s${at}`, text(1))
    home.put(`${sessions}/s0/0.bash.log`, 'x')
    home.put(`${sessions}/s1/draft.txt`, 'typed')
    const { scan, name } = await firstStart()
    const look = await lookAt(scan, name)
    expect(look).toMatchObject({ gone: [], present: null, strayDrafts: 0 })
    expect(await fetch(scan, name, true)).toEqual([])
    expect(counted.work.opened.size).toBe(0)
    // The journals, two artifact directories, one draft.
    expect(stats).toMatchObject({ looks: 53, failed: 0 })
  })

  it('tells only what is new, changed and gone, and reads only what was appended', async () => {
    for (let at = 0; at < 20; at++) put(`s${at}`, large())
    const { scan, name } = await firstStart()
    const grown = path.join(home.home, `${sessions}/s3.jsonl`)
    const added = messageText('new', `e${2 * LARGE_TURNS}`, 'user', 'More')
    fs.appendFileSync(grown, added)
    fs.rmSync(path.join(home.home, `${sessions}/s4.jsonl`))
    const look = await lookAt(scan, name)
    expect(look.gone.map(file => path.basename(file))).toEqual(['s4.jsonl'])
    const rows = await fetch(scan, name, false)
    expect(rows.map(({ summary }) => summary)).toEqual([summarizeSession(home, grown)])
    expect(journalsOpened()).toEqual([grown])
    // And its point, which lies in the cache.
    const ofJournal = added.length + 2 * 4_352
    expect(counted.work.bytesRead).toBeGreaterThan(ofJournal)
    expect(counted.work.bytesRead).toBeLessThan(ofJournal + 2_000)
    put('brand-new', large())
    await lookAt(scan, name)
    expect(await fetch(scan, name, false)).toMatchObject([{ summary: { counted: true } }])
  })

  it('sees a draft that comes, changes and goes', async () => {
    const file = put('s', text(1))
    home.put(`${sessions}/s/0.bash.log`, 'x')
    const { scan, name } = await firstStart()
    const hasDraft = async () => {
      await lookAt(scan, name)
      return (await fetch(scan, name, false)).map(({ summary }) => summary.hasDraft)
    }
    expect(await hasDraft()).toEqual([])
    const draft = home.put(`${sessions}/s/draft.txt`, 'typed')
    expect(await hasDraft()).toEqual([true])
    fs.appendFileSync(draft, ' more')
    expect(await hasDraft()).toEqual([true])
    fs.rmSync(draft)
    expect(await hasDraft()).toEqual([false])
    fs.renameSync(file, `${file}.away`)
    home.put(`${sessions}/s/draft.txt`, 'left behind')
    expect((await lookAt(scan, name)).strayDrafts).toBe(1)
  })

  it('comes between two files that are counted, and what changed comes first', async () => {
    for (let at = 0; at < 40; at++) put(`s${at}`, large())
    const { scan, name } = await start()
    let between: FoundRow[] | null = null
    const breathe = async () => {
      if (between !== null) return
      between = []
      fs.appendFileSync(path.join(home.home, `${sessions}/s0.jsonl`), messageText('n', null, 'user', 'x'))
      await lookAt(scan, name)
      between = await fetch(scan, name, false)
    }
    await scan.rows(name, true, { ...silentWork, breathe })
    expect(between).toMatchObject([{ summary: { counted: true, tips: 2 } }])
  })

  it('lets rows that are on their way not undo what it found since', async () => {
    for (let at = 0; at < 40; at++) put(`s${at}`, large())
    const { scan, name } = await start()
    const place = (at: number) => path.join(home.home, `${sessions}/s${at}.jsonl`)
    let breaths = 0
    const breathe = async () => {
      // The counting has some of them in its hands.
      if (++breaths !== 38) return
      for (let at = 0; at < 40; at++) {
        if (at % 2 === 0) fs.rmSync(place(at))
        else fs.appendFileSync(place(at), messageText('n', null, 'user', 'x'))
      }
      await lookAt(scan, name)
      await fetch(scan, name, false)
    }
    const late = await scan.rows(name, true, { ...silentWork, breathe })
    const told = late.ok ? late.value.rows.map(foundRow) : []
    for (const { summary } of told) expect(summary).toEqual(summarizeSession(home, summary.file))
    expect(told.length).toBeLessThan(5)
  })

  it('after main lost what it was told tells all anew, and what there is, without reading again', async () => {
    for (let at = 0; at < 5; at++) put(`s${at}`, text(1))
    const { scan, name } = await firstStart()
    expect(await scan.rows('another', false, silentWork)).toMatchObject({ ok: false })
    const look = await lookAt(scan, 'another')
    expect(look.present).toHaveLength(5)
    expect(await fetch(scan, name, false)).toHaveLength(5)
    expect(journalsOpened()).toEqual([])
  })

  it('keeps what it knows of a root that is away, and reads nothing when it is back', async () => {
    for (let at = 0; at < 5; at++) put(`s${at}`, text(1))
    const { scan, name } = await firstStart()
    const there = path.join(home.home, 'agent')
    const away = path.join(home.home, 'away')
    fs.renameSync(there, away)
    const gone = await lookAt(scan, name)
    expect([gone.roots[0]?.state, gone.gone.length]).toEqual(['absent', 5])
    scan.save()
    fs.renameSync(away, there)
    expect((await lookAt(scan, name)).roots[0]?.state).toBe('ok')
    expect(await fetch(scan, name, false)).toHaveLength(5)
    expect(journalsOpened()).toEqual([])
  })
})
