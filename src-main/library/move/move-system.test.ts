/** What only a real system can show of forks and moves: processes killed at any moment, or writing all the time. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Result } from '@shared/ipc/result'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processIsAlive } from '../../engine/in-use/process-liveness'
import { changeHandlers } from '../changes/all-handlers'
import { readChanges } from '../changes/recent-changes'
import { recoverOperations } from '../changes/recovery'
import { undoChange } from '../changes/undo'
import { sessionOperations } from '../session-operations'
import {
  removeLibrary,
  type TestLibrary,
  testContext,
  testLibrary,
  testProcesses,
  work,
} from '../trash/test-library.test-support'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../../..')
const PICTURE = 'a picture'
const HASH = createHash('sha256').update(PICTURE).digest('hex')

let scratch: string
/** The child's program, bundled so that plain Node runs it. */
let scenario: string

beforeAll(async () => {
  scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-system-'))
  const entry = path.join(import.meta.dirname, 'kill-scenario.test-support.ts')
  const config = path.join(scratch, 'vite.config.mjs')
  const build = { ssr: entry, outDir: path.join(scratch, 'out'), minify: false }
  const alias = { '@shared': path.join(ROOT, 'src-shared') }
  fs.writeFileSync(
    config,
    `export default ${JSON.stringify({ root: ROOT, build, resolve: { alias }, ssr: { noExternal: true }, logLevel: 'error' })}`,
  )
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js')
  await run(process.execPath, [vite, 'build', '--config', config], { cwd: ROOT })
  const made = fs.readdirSync(path.join(scratch, 'out')).find(name => /^kill-scenario.*js$/.test(name))
  scenario = path.join(scratch, 'scenario.mjs')
  fs.copyFileSync(path.join(scratch, 'out', made ?? ''), scenario)
}, 120_000)
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

type Scene = { library: TestLibrary; journal: string; far: string; folder: string }

/** A session with everything that belongs to one, and another root on another device, where there is one. */
function scene(): Scene {
  const library = testLibrary()
  const journal = library.addSession('one')
  fs.appendFileSync(journal, `{"type":"custom","id":"p","parentId":"a","data":"blob:sha256:${HASH}"}\n`)
  fs.utimesSync(journal, 1, 1)
  const blobs = path.join(library.home, 'agent', 'blobs')
  fs.mkdirSync(blobs)
  fs.writeFileSync(path.join(blobs, HASH), PICTURE)
  const folder = path.join(library.home, 'w', 'new')
  fs.mkdirSync(folder, { recursive: true })
  const far = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-far-')), 'agent')
  return { library, journal, far, folder }
}

function remove({ library, far }: Scene): void {
  removeLibrary(library)
  fs.rmSync(path.dirname(far), { recursive: true })
}

const child = (what: string, { library, journal, far, folder }: Scene, at: number) =>
  spawnSync(
    process.execPath,
    [scenario, library.home, what, journal, path.join(far, 'sessions'), folder, String(at)],
    { encoding: 'utf8' },
  )

/** As the next process to start: it really asks whether the first one lives. */
function nextProcess(library: TestLibrary) {
  const processes = { ...testProcesses(), isAlive: processIsAlive }
  return testContext(library, { pid: process.pid, processes, ahead: 120_000 })
}

/** Everything of a session but its header line and its name. */
function sessionAt(library: TestLibrary, journal: string): [string, string][] {
  const [first, ...lines] = fs.readFileSync(journal, 'utf8').split('\n')
  const entries = first?.includes('"type":"title"') === true ? lines.slice(1) : lines
  const artifacts = library.contents(journal.slice(0, -'.jsonl'.length))
  artifacts.delete('.draft-only-session')
  return [['', entries.join('\n')], ...artifacts]
}

function journalsBelow(directory: string): string[] {
  if (!fs.existsSync(directory)) return []
  return fs
    .readdirSync(directory)
    .flatMap(name => fs.readdirSync(path.join(directory, name)).map(file => path.join(directory, name, file)))
    .filter(file => file.endsWith('.jsonl'))
}

/** Names that no session has: what an interrupted change left. */
function strays(directory: string): string[] {
  if (!fs.existsSync(directory)) return []
  const names = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })
  return names.filter(name => /\.(tmp|moved|late|lock)$/.test(name))
}

type Killed = {
  at: Scene
  context: ReturnType<typeof nextProcess>
  /** The session as it was before. */
  original: [string, string][]
}

/** The scene after a kill at that call, and the next start. */
async function killed(what: string, call: number): Promise<Killed> {
  const at = scene()
  const original = sessionAt(at.library, at.journal)
  const dead = child(what, at, call)
  expect(dead.signal, dead.stderr).toBe('SIGKILL')
  const context = nextProcess(at.library)
  expect(value(await recoverOperations(context, changeHandlers, work)).failed, `${what} ${call}`).toEqual([])
  const { operations } = context.data
  expect(fs.existsSync(operations) ? fs.readdirSync(operations) : [], `${what} ${call}`).toEqual([])
  expect([...strays(at.library.sessionsDir), ...strays(at.far)], `${what} ${call}`).toEqual([])
  return { at, context, original }
}

function callsOf(what: string): number {
  const whole = scene()
  const finished = child(what, whole, -1)
  expect(finished.stderr).toBe('')
  remove(whole)
  expect(Number(finished.stdout)).toBeGreaterThan(100)
  return Number(finished.stdout)
}

const KILLS = 12

describe('kill -9', () => {
  it('in the middle of a fork: the whole fork or nothing', { timeout: 120_000 }, async () => {
    const calls = callsOf('fork')
    const outcomes = new Set<number>()
    for (let step = 1; step < KILLS; step++) {
      const { at, context, original } = await killed('fork', Math.floor((calls * step) / KILLS))
      const forks = journalsBelow(path.join(at.far, 'sessions'))
      outcomes.add(forks.length)
      expect(sessionAt(at.library, at.journal)).toEqual(original)
      for (const fork of forks) expect(sessionAt(at.library, fork)).toEqual(original)
      if (forks.length === 0) expect(fs.existsSync(path.join(at.far, 'sessions'))).toBe(false)
      else expect(fs.readFileSync(path.join(at.far, 'blobs', HASH), 'utf8')).toBe(PICTURE)
      expect(value(readChanges(context.env, context.data))).toHaveLength(forks.length)
      remove(at)
    }
    expect([...outcomes].sort()).toEqual([0, 1])
  })

  it('in the middle of a fork of a path: the whole fork or nothing', { timeout: 120_000 }, async () => {
    const calls = callsOf('fork-path')
    const outcomes = new Set<number>()
    for (let step = 1; step < KILLS; step++) {
      const { at, context, original } = await killed('fork-path', Math.floor((calls * step) / KILLS))
      const forks = journalsBelow(path.join(at.far, 'sessions'))
      outcomes.add(forks.length)
      expect(sessionAt(at.library, at.journal)).toEqual(original)
      const [[, entries = ''] = [], ...artifacts] = original
      const [first = ''] = entries.split('\n')
      for (const fork of forks)
        expect(sessionAt(at.library, fork)).toEqual([
          ['', `${first}\n`],
          ...artifacts.filter(([name]) => name !== 'draft.txt'),
        ])
      expect(value(readChanges(context.env, context.data))).toHaveLength(forks.length)
      remove(at)
    }
    expect([...outcomes].sort()).toEqual([0, 1])
  })

  it.each(['move', 're-root'])(
    'in the middle of a %s: whole in one place',
    { timeout: 120_000 },
    async what => {
      const calls = callsOf(what)
      const outcomes = new Set<string>()
      for (let step = 1; step < KILLS; step++) {
        const { at, context, original } = await killed(what, Math.floor((calls * step) / KILLS))
        const places = [at.library.sessionsDir, path.join(at.far, 'sessions')].flatMap(journalsBelow)
        expect(places).toHaveLength(1)
        const [place = ''] = places
        expect(sessionAt(at.library, place)).toEqual(original)
        expect(fs.existsSync(`${place}.1.bak`)).toBe(true)
        const isHere = place === at.journal
        outcomes.add(isHere ? 'here' : 'there')
        const [change] = value(readChanges(context.env, context.data))
        expect(change !== undefined).toBe(!isHere)
        if (change !== undefined) {
          expect(value(await undoChange(context, changeHandlers, change.id, work)).staying).toEqual([])
          expect(sessionAt(at.library, at.journal)).toEqual(original)
        }
        remove(at)
      }
      expect([...outcomes].sort()).toEqual(['here', 'there'])
    },
  )
})

/** Enough for several tries of a change to fall into the writing, and few enough to be read again at each. */
const LINES = 5_000

/** A process that appends to the journal until it is told to stop; answers how many lines it wrote. */
async function whileAppending(journal: string, meanwhile: () => Promise<void>): Promise<number> {
  const script = `
    const fs = require('node:fs')
    let count = 0
    const step = () => {
      if (count < ${LINES}) fs.appendFileSync(process.argv[1], 'line ' + count++ + '\\n')
      if (count === 1) process.stdout.write('ready')
      if (fs.existsSync(process.argv[1] + '.stop')) process.stdout.write(' ' + count); else setImmediate(step)
    }
    step()`
  const writer = spawn(process.execPath, ['-e', script, journal])
  let told = ''
  writer.stdout.on('data', (text: Buffer) => {
    told += text.toString()
  })
  await once(writer.stdout, 'data')
  await meanwhile()
  const ended = once(writer, 'close')
  fs.writeFileSync(`${journal}.stop`, '')
  await ended
  return Number(told.split(' ')[1])
}

const linesOf = (text: string) => text.split('\n').filter(line => line.startsWith('line '))

/** As if nothing told that it is in use: only the checks around the change are left. */
function blind({ library }: Scene) {
  const context = testContext(library)
  const inUse = async () => ({ taken: Date.now(), check: () => ({ state: 'free' as const }) })
  return { ...context, deps: { ...context.deps, inUse } }
}

describe('another process that appends all the time', () => {
  it('has every line in the source of forks, and each fork holds the lines of one moment', {
    timeout: 120_000,
  }, async () => {
    const at = scene()
    const directory = path.join(at.library.sessionsDir, 'forks')
    const codes = new Set<string>()
    const written = await whileAppending(at.journal, async () => {
      for (let tries = 0; tries < 12; tries++) {
        const request = { source: at.journal, cwd: at.folder, directory, withArtifacts: true }
        const forked = await sessionOperations(blind(at)).fork(request)
        codes.add(forked.ok ? 'made' : forked.error.code)
      }
    })
    const lines = linesOf(fs.readFileSync(at.journal, 'utf8'))
    expect(lines).toHaveLength(written)
    for (const code of codes) expect(['made', 'changed-on-disk']).toContain(code)
    for (const fork of fs.existsSync(directory) ? journalsBelow(at.library.sessionsDir) : []) {
      const held = linesOf(fs.readFileSync(fork, 'utf8'))
      expect(held).toEqual(lines.slice(0, held.length))
    }
    expect(strays(at.library.sessionsDir)).toEqual([])
    remove(at)
  })

  it('loses no line to a move into another root', { timeout: 120_000 }, async () => {
    const at = scene()
    // With another session beside it, so that the writer's folder stays.
    at.library.addSession('neighbour')
    const written = await whileAppending(at.journal, async () => {
      const request = { journal: at.journal, newCwd: at.folder, sessionsDir: path.join(at.far, 'sessions') }
      for (let tries = 0; tries < 20; tries++)
        if ((await sessionOperations(blind(at)).move(request)).ok) break
    })
    value(await recoverOperations(nextProcess(at.library), changeHandlers, work))
    const found = new Set<string>()
    for (const directory of [at.library.sessionsDir, path.join(at.far, 'sessions')])
      for (const file of journalsBelow(directory))
        for (const line of linesOf(fs.readFileSync(file, 'utf8'))) found.add(line)
    expect(written).toBeGreaterThan(0)
    expect(found.size).toBe(written)
    remove(at)
  })
})
