/** The jobs of building and of searching together, as main calls them; and a builder that is killed at any moment. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../engine/environment'
import { EngineError } from '../engine/storage/errors'
import { message } from '../engine/storage/journal.test-support'
import { indexPath } from '../library/search/index-file'
import { NO_FILTERS, type SearchTarget } from '../library/search/search-target'
import { type SearchWorld, searchWorld } from '../library/search/search-world.test-support'
import type { TextRequest } from '../library/search/text-search'
import { createIndexJobs } from './index-jobs'
import { createSearchJobs, notTold } from './search-jobs'

let world: SearchWorld
beforeEach(() => {
  world = searchWorld()
})
afterEach(() => world.dispose())

const request = (text: string, changes: Partial<TextRequest> = {}): TextRequest => ({
  text,
  mode: 'words',
  allText: false,
  thinking: false,
  filters: NO_FILTERS,
  order: 'relevance',
  sessions: 50,
  hitsEach: 5,
  ...changes,
})

function value<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const onlyThese = (targets: SearchTarget[]) => ({ fresh: true, put: targets, gone: [] })

function update(jobs: ReturnType<typeof createIndexJobs>, targets: SearchTarget[], anew = false) {
  value(jobs.changeTargets(onlyThese(targets)))
  return jobs.updateIndex({ anew }, silentWork)
}

async function found(jobs: ReturnType<typeof createSearchJobs>, asked: TextRequest): Promise<string[]> {
  value(jobs.changeTargets(onlyThese(world.targets())))
  const id = value(jobs.startSearch({ request: asked }, silentWork))
  const files: string[] = []
  for (;;) {
    const piece = value(await jobs.nextPiece({ id }, silentWork))
    files.push(...piece.sessions.map(({ file }) => file))
    if (piece.finished) return files.sort()
  }
}

describe('searching', () => {
  it('finds the same before there is an index, while it covers a part, and when it covers all', async () => {
    const search = createSearchJobs(world.env)
    const index = createIndexJobs(world.env)
    const first = world.session('one', message('a', null, 'a needle'))
    const files = [first]
    expect(await found(search, request('needle'))).toEqual(files)
    value(await update(index, world.targets(), false))
    expect(value(await search.coverage())).toEqual({ indexed: 1, all: 1, problem: null })
    files.push(world.session('two', message('a', null, 'needles')))
    expect(await found(search, request('needle'))).toEqual(files)
    expect(value(await search.coverage())).toMatchObject({ indexed: 1, all: 2 })
    value(await update(index, world.targets(), true))
    expect(await found(search, request('needle'))).toEqual(files)
    expect(value(await search.coverage())).toMatchObject({ indexed: 2, all: 2 })
  })

  it('opens of what the index covers only the files in which it finds something', async () => {
    const index = createIndexJobs(world.env)
    const search = createSearchJobs(world.env)
    for (let at = 0; at < 20; at++)
      world.session(`s${at}`, message('a', null, at === 7 ? 'the needle' : 'hay'))
    const targets = world.targets()
    value(await update(index, targets, false))
    value(search.changeTargets(onlyThese(targets)))
    world.counted.reset()
    const id = value(search.startSearch({ request: request('needle') }, silentWork))
    expect(value(await search.nextPiece({ id }, silentWork)).sessions).toHaveLength(1)
    expect([...world.counted.work.opened.keys()]).toEqual([world.fileOf('s7')])
  })

  it('tells what is found at once in a piece of its own, and each session of a search once', async () => {
    // Seventy words that begin so are too many to look up at once.
    for (let at = 0; at < 30; at++)
      world.session(
        `s${at}`,
        ...[0, 1, 2].map(line => message(`m${line}`, line === 0 ? null : `m${line - 1}`, `ba${at}x${line}`)),
      )
    const targets = world.targets()
    value(await update(createIndexJobs(world.env), targets))
    const search = createSearchJobs(world.env)
    value(search.changeTargets(onlyThese(targets)))
    const id = value(search.startSearch({ request: request('ba') }, silentWork))
    const told = new Set<string>()
    const first = value(await search.nextPiece({ id }, silentWork))
    expect([first.first.length, first.sessions.length, first.finished]).toEqual([20, 0, false])
    expect(notTold(first, told)).toEqual(first.first)
    const rest: string[] = []
    for (let finished = false; !finished; ) {
      const piece = value(await search.nextPiece({ id }, silentWork))
      rest.push(...notTold(piece, told).map(({ file }) => file))
      finished = piece.finished
    }
    expect(rest).toHaveLength(10)
    expect(told.size).toBe(30)
  })

  it('ends where it breathes when it is cancelled, and is forgotten', async () => {
    for (let at = 0; at < 5; at++) world.session(`s${at}`, message('a', null, 'text'))
    const jobs = createSearchJobs(world.env)
    value(jobs.changeTargets(onlyThese(world.targets())))
    const id = value(jobs.startSearch({ request: request('text') }, silentWork))
    const cancelled = {
      ...silentWork,
      breathe: () => Promise.reject(new EngineError('cancelled', 'Cancelled.')),
    }
    await expect(jobs.nextPiece({ id }, cancelled)).rejects.toMatchObject({ code: 'cancelled' })
    expect(await jobs.nextPiece({ id }, silentWork)).toMatchObject({
      ok: false,
      error: { code: 'cancelled' },
    })
  })

  it('tells an expression that is none before anything is read', () => {
    const jobs = createSearchJobs(world.env)
    expect(jobs.startSearch({ request: request('(', { mode: 'regex' }) }, silentWork)).toMatchObject({
      ok: false,
    })
  })

  it('keeps to its filters', async () => {
    const search = createSearchJobs(world.env)
    const edit = (path: string) => ({
      ...message('b', 'a'),
      message: {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c', name: 'edit', arguments: { path } }],
      },
    })
    const one = world.session('one', message('a', null, 'needle'), edit('src/app.ts'))
    const two = world.session('two', message('a', null, 'needle', 'assistant'), edit('src/other.ts'))
    const by = (filters: Partial<typeof NO_FILTERS>) =>
      found(search, request('needle', { filters: { ...NO_FILTERS, ...filters } }))
    for (const indexed of [false, true]) {
      if (indexed) await world.index()
      expect(await by({})).toEqual([one, two])
      expect(await by({ role: 'user' })).toEqual([one])
      expect(await by({ touchedFile: 'app.ts' })).toEqual([one])
      expect(await by({ touchedFile: '/w/app/src/other.ts' })).toEqual([two])
      expect(await by({ cwd: '/nowhere' })).toEqual([])
      expect(await by({ to: Date.parse('2026-01-01') })).toEqual([])
      expect(await by({ from: Date.parse('2026-01-01'), file: one })).toEqual([one])
    }
  })
})

describe('files', () => {
  it('are those of calls that worked, from the index and without it', async () => {
    const call = (id: string, parent: string, name: string, args: object) => ({
      ...message(id, parent),
      message: { role: 'assistant', content: [{ type: 'toolCall', id: `c${id}`, name, arguments: args }] },
    })
    const result = (id: string, parent: string, callId: string, isError: boolean) => ({
      ...message(id, parent),
      message: { role: 'toolResult', toolCallId: callId, isError, content: [] },
    })
    world.session(
      'one',
      message('a', null, 'go'),
      call('b', 'a', 'write', { path: 'src/a.ts', content: '' }),
      call('c', 'b', 'edit', { input: '[src/b.ts#1F3C]\n1:x' }),
      call('d', 'c', 'edit', { path: '/w/app/src/a.ts' }),
      call('e', 'd', 'read', { path: 'src/c.ts' }),
      call('f', 'e', 'write', { path: 'src/failed.ts' }),
      result('g', 'f', 'cf', true),
      call('h', 'g', 'apply_patch', { input: '*** Begin Patch\n*** Delete File: old.ts\n*** End Patch' }),
    )
    const jobs = createSearchJobs(world.env)
    const [target] = world.targets()
    if (target === undefined) throw new Error('no session')
    value(jobs.changeTargets(onlyThese([target])))
    for (const indexed of [false, true]) {
      if (indexed) await world.index()
      const files = value(await jobs.touchedFiles({ target }, silentWork))
      expect(files.map(({ path, count, ordinals, how }) => [path, count, ordinals, how])).toEqual([
        ['/w/app/src/a.ts', 2, [1, 3], 'edit'],
        ['/w/app/old.ts', 1, [7], 'delete'],
        ['/w/app/src/b.ts', 1, [2], 'edit'],
      ])
      expect(value(await jobs.touchedBy({ path: 'src/a.ts' }, silentWork))).toMatchObject([
        { count: 2, ordinal: 3 },
      ])
      expect(value(await jobs.touchedBy({ path: 'failed.ts' }, silentWork))).toEqual([])
    }
  })
})

describe('an index that is damaged while it is written', () => {
  it('is begun anew within the same job', async () => {
    const index = createIndexJobs(world.env)
    for (let at = 0; at < 40; at++)
      world.session(`s${at}`, message('a', null, `needle ${'hay '.repeat(200)}`))
    value(await update(index, world.targets(), false))
    const again = createIndexJobs(world.env)
    for (const suffix of ['-wal', '-shm']) fs.rmSync(indexPath(world.env) + suffix, { force: true })
    const bytes = fs.readFileSync(indexPath(world.env))
    for (let at = 8192; at < bytes.length; at++) bytes[at] = 0x5a
    fs.writeFileSync(indexPath(world.env), bytes)
    world.append('s3', message('b', 'a', 'another needle'))
    expect(value(await update(again, world.targets(), false))).toMatchObject({ indexed: 40 })
    expect(await found(createSearchJobs(world.env), request('another'))).toEqual([world.fileOf('s3')])
  })
})

describe('a writer that is killed', () => {
  it('leaves an index that is whole, and is gone on with', async () => {
    world.session('one', message('a', null, 'needle'))
    await world.index()
    for (const wait of [1, 5, 20]) {
      const child = writerThatNeverEnds(indexPath(world.env))
      await new Promise<void>(resolve => {
        let lines = 0
        child.stdout.on('data', (data: Buffer) => {
          lines += data.toString().split('\n').length - 1
          if (lines >= wait) resolve()
        })
      })
      child.kill('SIGKILL')
      await new Promise(resolve => child.once('close', resolve))
      expect(await world.search('needle')).toHaveLength(1)
      world.append('one', message(`m${wait}`, null, `more${wait} needle`))
      expect(await world.index()).toMatchObject({ indexed: 1 })
      expect(await world.search(`more${wait}`)).toHaveLength(1)
    }
  })
})

/** A process that writes rows of no file, each transaction twice as the update does, until it is killed. */
function writerThatNeverEnds(file: string) {
  const script = `
    const { DatabaseSync } = require('@photostructure/sqlite')
    const db = new DatabaseSync(process.argv[1])
    db.exec('PRAGMA busy_timeout = 5000')
    const words = db.prepare('INSERT OR REPLACE INTO words (rowid, text) VALUES (?, ?)')
    words.setReadBigInts(true)
    for (let n = 1; ; n++) {
      db.exec('BEGIN IMMEDIATE')
      for (let at = 0; at < 200; at++) words.run(900 * 4194304 + n * 400 + at, 'w' + n + ' w' + at)
      process.stdout.write(n + '\\n')
      db.exec('COMMIT')
    }`
  return spawn(process.execPath, ['-e', script, file], {
    cwd: process.cwd(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
