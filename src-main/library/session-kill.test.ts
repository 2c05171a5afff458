/**
 * A process that appends to a session, renames it, moves it, drops it and restores it is killed at any moment, alone or
 * with another one that adds to it: after the recovery of the next start the session is whole, in one place, with every
 * entry that either was told is there.
 */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Result } from '@shared/ipc/result'
import { parseObject } from '@shared/session/json'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Environment, silentWork } from '../engine/environment'
import { picker } from '../engine/session/session-kill.test-support'
import { SessionManager } from '../engine/session/session-manager'
import { HEADER, journal as journalOf, message } from '../engine/storage/journal.test-support'
import { changeHandlers } from './changes/all-handlers'
import type { ChangeContext } from './changes/change-handlers'
import { recoverOperations } from './changes/recovery'
import {
  JOURNAL,
  layoutIn,
  placesIn,
  quietContext,
  type Told,
  userEnvironment,
} from './session-kill.test-support'
import { restoreFromTrash } from './trash/restore'
import { scratchDirectory } from './trash/test-library.test-support'
import { listTrash } from './trash/trash-list'
import { workingSettings } from './working-session'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../..')
const seed = Number(process.env.GROVE_SEED ?? 20_261_130)
const LANES = 2

/**
 * How often each is killed: alone; beside one that adds, which is told apart as another program; and where only locks keep
 * the two apart. `until`: whether the other one goes on while the next start recovers.
 */
const PLAN = [
  { how: 'alone', until: null, kills: 30 },
  { how: 'asking', until: 'the kill', kills: 6 },
  { how: 'unasking', until: 'the kill', kills: 12 },
  { how: 'unasking', until: 'the recovery', kills: 12 },
] as const

type Kill = (typeof PLAN)[number] & { number: number }

/**
 * Calls of the file system, before one of which every other process kills itself; milliseconds for the rest, and for those
 * that are refused nearly everything and make few calls.
 */
const CALLS = 1500
const DELAY_MS = 300

let scratch: string
/** The programs, bundled so that plain Node runs them. */
let program: string

beforeAll(async () => {
  scratch = fs.realpathSync(scratchDirectory())
  const out = path.join(scratch, 'out')
  const config = path.join(scratch, 'vite.config.mjs')
  const entry = path.join(import.meta.dirname, 'session-kill.test-support.ts')
  const build = { ssr: entry, outDir: out, minify: false }
  const alias = { '@shared': path.join(ROOT, 'src-shared') }
  fs.writeFileSync(
    config,
    `export default ${JSON.stringify({ root: ROOT, logLevel: 'error', build, ssr: { noExternal: true }, resolve: { alias } })}`,
  )
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js')
  await run(process.execPath, [vite, 'build', '--config', config], { cwd: ROOT })
  program = path.join(scratch, 'program.mjs')
  fs.copyFileSync(path.join(out, fs.readdirSync(out).find(name => /js$/.test(name)) ?? ''), program)
}, 120_000)
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

describe('kill -9', () => {
  it('of a process that carries a session about, 60 times', { timeout: 300_000 }, async () => {
    const kills: Kill[] = PLAN.flatMap((plan, at) =>
      Array.from({ length: plan.kills }, (_, number) => ({ ...plan, number: at * 1000 + number })),
    )
    expect(kills).toHaveLength(60)
    expect(kills.filter(kill => kill.how !== 'alone')).toHaveLength(30)
    const done: Record<Kill['how'], Done> = { alone: nothing(), asking: nothing(), unasking: nothing() }
    const lane = async (): Promise<void> => {
      for (let kill = kills.shift(); kill !== undefined; kill = kills.shift())
        count(done[kill.how], await killOnce(kill))
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    // Work was done between the kills, so that there was something to lose.
    expect(done.alone.entries).toBeGreaterThan(20)
    expect(done.alone.moves).toBeGreaterThan(10)
    expect(done.alone.drops).toBeGreaterThan(5)
    expect(done.alone.restores).toBeGreaterThan(3)
    // Nobody else was there, so nothing was refused.
    expect(done.alone.refused).toBe(0)
    expect(done.asking.companions).toBeGreaterThan(10)
    expect(done.unasking.companions).toBeGreaterThan(50)
    // Some got in between two lines of the other.
    expect(done.unasking.moves + done.unasking.drops).toBeGreaterThan(0)
  })
})

type Done = {
  entries: number
  companions: number
  moves: number
  drops: number
  restores: number
  refused: number
}
type Heard = { victim: Told[]; companion: Told[] }

const nothing = (): Done => ({ entries: 0, companions: 0, moves: 0, drops: 0, restores: 0, refused: 0 })

function count(done: Done, { victim, companion }: Heard): void {
  const times = (what: Told['did']) => victim.filter(({ did }) => did === what).length
  done.entries += victim.filter(({ id }) => id !== undefined).length
  done.companions += companion.filter(({ id }) => id !== undefined).length
  done.moves += times('move')
  done.drops += times('drop')
  done.restores += times('restore')
  done.refused += victim.filter(({ refused }) => refused !== undefined).length
}

/** One process, one kill; answers what was told. */
async function killOnce(kill: Kill): Promise<Heard> {
  const pick = picker(seed + kill.number)
  const home = fs.mkdtempSync(path.join(scratch, 'run-'))
  makeSession(userEnvironment(home))
  const at = kill.how !== 'asking' && kill.number % 2 === 0 ? pick(CALLS) : -1
  const delay = pick(DELAY_MS)
  const where = `GROVE_SEED=${seed}, kill ${kill.number}: ${kill.how} until ${kill.until}, call ${at}, ${delay} ms`
  const started = (...args: string[]) => new Listener(spawn(process.execPath, [program, ...args]))
  const companion = kill.until === null ? null : started('add', home, String(seed + kill.number))
  await companion?.next()
  const victim = started('carry', home, kill.how, String(seed + kill.number), String(at))
  await victim.next()
  if (at === -1) {
    await setTimeout(delay)
    victim.child.kill('SIGKILL')
  }
  await victim.ended
  expect(victim.child.signalCode, `${where}: ${victim.errors}`).toBe('SIGKILL')
  // It adds, or finds the session nowhere, in what the kill left.
  await companion?.next()
  if (kill.until === 'the kill') await companion?.end()
  // Later: the lock of the dead process is old by now.
  const env = { ...userEnvironment(home), now: () => Date.now() + 120_000 }
  const context = quietContext(env)
  const recovered = value(await recoverOperations(context, changeHandlers, silentWork))
  expect(recovered, where).toMatchObject({ failed: [], broken: [], running: 0 })
  await companion?.end()
  expect(companion?.errors ?? '', where).toBe('')
  const heard = { victim: victim.told, companion: companion?.told ?? [] }
  await holds(context, await theOnlyPlace(context, where), heard, where)
  fs.rmSync(home, { recursive: true })
  return heard
}

const LOG = 'output of a tool'

function makeSession(env: Environment): void {
  const places = placesIn(env)
  for (const { folder } of places) fs.mkdirSync(folder, { recursive: true })
  const [{ folder, directory, journal } = { folder: '', directory: '', journal: '' }] = places
  fs.mkdirSync(path.join(directory, 's'), { recursive: true })
  fs.writeFileSync(path.join(directory, 's', '0.bash.log'), LOG)
  fs.writeFileSync(journal, journalOf({ ...HEADER, cwd: folder }, message('a', null), message('b', 'a')))
  fs.utimesSync(journal, 1, 1)
}

/** The one place where the session is after the recovery; out of the trash, when it is there. */
async function theOnlyPlace(context: ChangeContext, where: string): Promise<string> {
  const { env, data } = context
  const { sessionsDir } = layoutIn(env)
  expect(fs.existsSync(data.operations) ? fs.readdirSync(data.operations) : [], where).toEqual([])
  const trash = value(await listTrash(context, [{ sessionsDir }], silentWork)).items
  const out = journalsBelow(env.home).filter(file => !trash.some(({ location }) => file.startsWith(location)))
  expect(
    [...out, ...trash.map(({ location }) => location)],
    `${where}: the session is in one place`,
  ).toHaveLength(1)
  const [item] = trash
  if (item !== undefined) {
    expect(item.problem, where).toBeNull()
    const back = value(await restoreFromTrash(context, [item], {}, silentWork))
    expect(back.report.staying, where).toEqual([])
  }
  const now = journalsBelow(env.home)
  expect(now, where).toHaveLength(1)
  const [file = ''] = now
  expect(placesIn(env).map(({ journal }) => journal)).toContain(file)
  return file
}

function journalsBelow(directory: string): string[] {
  return namesBelow(directory)
    .filter(name => path.basename(name) === JOURNAL)
    .map(name => path.join(directory, name))
}

function namesBelow(directory: string): string[] {
  return fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })
}

/** Everything that was told is there, and the next program goes on at once. */
async function holds(context: ChangeContext, file: string, heard: Heard, where: string): Promise<void> {
  const { env } = context
  const layout = layoutIn(env)
  const { settings } = workingSettings(context, layout, layout.agentDir, { gate: 'open' })
  const manager = value(SessionManager.open(env, settings, file))
  const times = new Map<unknown, number>()
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const record = parseObject(line)
    if (record?.type === 'session') expect(manager.cwd, where).toBe(record.cwd)
    else times.set(record?.id, (times.get(record?.id) ?? 0) + 1)
  }
  const ids = [...heard.victim, ...heard.companion].flatMap(({ id }) => id ?? [])
  const wrong = ['a', 'b', ...ids].filter(id => times.get(id) !== 1)
  expect(wrong, `${where}: entries that are not in ${file} exactly once`).toEqual([])
  const { damaged, pending, index } = manager.document
  expect(
    ids.filter(id => index.ordinalOf(id) === undefined),
    where,
  ).toEqual([])
  // At most the line that the kill itself tore.
  expect(damaged.length + (pending === null ? 0 : 1), where).toBeLessThanOrEqual(1)
  expect(possibleTitles(heard.victim), where).toContain(manager.title.title)
  // It belongs to the project where it lies, and has its artifacts with it.
  expect(placesIn(env).find(({ journal }) => journal === file)?.folder, where).toBe(manager.cwd)
  const logs = namesBelow(env.home).filter(name => name.endsWith('0.bash.log'))
  expect(logs, where).toEqual([path.relative(env.home, path.join(path.dirname(file), 's', '0.bash.log'))])
  expect(fs.readFileSync(path.join(env.home, logs[0] ?? ''), 'utf8'), where).toBe(LOG)

  const added = value(await manager.appendMessage({ role: 'assistant', content: [], timestamp: 1 }))
  expect(value(SessionManager.open(env, settings, file)).leafId, where).toBe(added)
  expect(
    namesBelow(env.home).filter(name => /\.(lock|moved|late)$/.test(name)),
    where,
  ).toEqual([])
}

function possibleTitles(told: readonly Told[]): unknown[] {
  const last = told.findLastIndex(({ title }) => title !== undefined)
  const later = told.slice(Math.max(last, 0)).map(({ title, trying }) => title ?? trying)
  return last === -1 ? [null, ...later] : later
}

/** A process, and what it tells. */
class Listener {
  readonly child: ChildProcessWithoutNullStreams
  readonly told: Told[] = []
  errors = ''
  /** It has ended, and all that it told was heard. */
  readonly ended: Promise<unknown>
  private rest = ''

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child
    this.ended = once(child, 'close')
    child.stdout.on('data', (chunk: Buffer) => this.take(chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString('utf8')
    })
  }

  /** Something more was told, or it ended. */
  next(): Promise<unknown> {
    return Promise.race([once(this.child.stdout, 'data'), this.ended])
  }

  async end(): Promise<void> {
    this.child.stdin.end()
    await this.ended
  }

  private take(text: string): void {
    const lines = `${this.rest}${text}`.split('\n')
    this.rest = lines.pop() ?? ''
    // Written by our own program, as the type says.
    for (const line of lines) this.told.push(JSON.parse(line) as Told)
  }
}
