/**
 * A process that changes a session is killed at any moment, alone or with another one that adds to the same file: what
 * either was told is there is there, and the next program goes on at once.
 */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parseObject } from '@shared/session/json'
import { encodeTitleSlot } from '@shared/session/title-slot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeEnvironment } from '../node-environment'
import { HEADER, journal, message } from '../storage/journal.test-support'
import { picker, type Told } from './session-kill.test-support'
import { SessionManager } from './session-manager'
import { settingsFor, value } from './session-world.test-support'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../../..')
const seed = Number(process.env.GROVE_SEED ?? 20_261_130)
const LANES = 2

const TIME = '2026-01-02T03:04:05.006Z'
const SLOT = encodeTitleSlot({ title: 'at first', source: 'user', updatedAt: TIME })
const BODY = [message('a', null), '{"damaged":', message('b', 'a'), message('c', 'b')]
const V3 = `${SLOT}${journal(HEADER, ...BODY)}`
const V2 = journal({ ...HEADER, version: 2, title: 'at first', titleSource: 'user' }, ...BODY)

/**
 * How often each is killed. `calls`: of the file system, before one of which a victim kills itself. A program that asks for
 * no lock can lose a line to a rewrite (atomic-replace.ts), so it adds only where nothing is written anew.
 */
const PLAN = [
  { what: 'append', content: V3, with: null, kills: 24, calls: 400 },
  { what: 'append', content: V3, with: 'join', kills: 20, calls: 400 },
  { what: 'append', content: V3, with: 'raw', kills: 20, calls: 400 },
  { what: 'rename', content: V3, with: null, kills: 20, calls: 400 },
  { what: 'rename', content: V3, with: 'join', kills: 16, calls: 400 },
  { what: 'rename', content: V3, with: 'raw', kills: 12, calls: 400 },
  { what: 'continue', content: V3, with: null, kills: 20, calls: 600 },
  { what: 'continue', content: V3, with: 'join', kills: 16, calls: 600 },
  { what: 'append', content: V2, with: null, kills: 16, calls: 70 },
  { what: 'append', content: V2, with: 'join', kills: 16, calls: 70 },
  { what: 'create', content: V3, with: null, kills: 20, calls: 300 },
] as const

type Kill = (typeof PLAN)[number] & { number: number }

let scratch: string
/** The programs, bundled so that plain Node runs them. */
let program: string

beforeAll(async () => {
  scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-kill-')))
  const out = path.join(scratch, 'out')
  const config = path.join(scratch, 'vite.config.mjs')
  const build = {
    ssr: path.join(import.meta.dirname, 'session-kill.test-support.ts'),
    outDir: out,
    minify: false,
  }
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

describe('kill -9', () => {
  it('at 200 moments loses nothing that was acknowledged', { timeout: 600_000 }, async () => {
    const kills: Kill[] = PLAN.flatMap((plan, at) =>
      Array.from({ length: plan.kills }, (_, number) => ({ ...plan, number: at * 1000 + number })),
    )
    expect(kills).toHaveLength(200)
    expect(kills.filter(kill => kill.with !== null)).toHaveLength(100)
    let acknowledged = 0
    const lane = async (): Promise<void> => {
      const companion = new Companion(spawn(process.execPath, [program, 'companion', scratch]))
      for (let kill = kills.shift(); kill !== undefined; kill = kills.shift())
        acknowledged += await killOnce(kill, companion)
      companion.end()
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    // Work was done between the kills, so that there was something to lose.
    expect(acknowledged).toBeGreaterThan(1000)
  })
})

/** One process, one kill; answers how many entries were acknowledged. */
async function killOnce(kill: Kill, companion: Companion): Promise<number> {
  const pick = picker(seed + kill.number)
  const home = fs.mkdtempSync(path.join(scratch, 'run-'))
  const file = path.join(home, 'agent/sessions/-/s.jsonl')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, kill.content)
  // Every other one kills itself between two calls; the rest are killed wherever they are.
  const at = kill.number % 2 === 0 ? pick(kill.calls) : -1
  const delay = pick(kill.content === V2 ? 20 : 60)
  const where = `GROVE_SEED=${seed}, kill ${kill.number}: ${kill.what} with ${kill.with}, call ${at}, ${delay} ms`
  if (kill.with !== null) companion.go(kill.with, file)
  const sharing = kill.with === null ? 'refuse' : 'join'
  const victim = spawn(process.execPath, [
    program,
    'victim',
    kill.what,
    home,
    file,
    sharing,
    String(seed + kill.number),
    String(at),
  ])
  const heard = new Heard(victim)
  // After its output: what it told last counts too.
  const ended = once(victim, 'close')
  await heard.first
  if (at === -1) {
    await setTimeout(delay)
    victim.kill('SIGKILL')
  }
  await ended
  expect(victim.signalCode, `${where}: ${heard.errors}`).toBe('SIGKILL')
  const told = [...heard.told, ...(kill.with === null ? [] : await companion.stop())]
  const files = new Set([file, ...told.map(one => one.file)])
  for (const one of files)
    await holds(
      one,
      home,
      told.filter(item => item.file === one),
      where,
    )
  fs.rmSync(home, { recursive: true })
  return told.filter(({ id }) => id !== undefined).length
}

async function holds(file: string, home: string, told: Told[], where: string): Promise<void> {
  // Later: the lock of the dead process is old by now.
  const env = { ...nodeEnvironment(), home, now: () => Date.now() + 120_000 }
  const settings = { ...settingsFor({ ...env, put: () => '', remove: () => undefined }, 'refuse', 'lazy') }
  const manager = value(SessionManager.open(env, settings, file))
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  const records = lines.map(line => parseObject(line)).filter(record => record?.type !== 'session')
  const times = new Map<unknown, number>()
  for (const record of records) times.set(record?.id, (times.get(record?.id) ?? 0) + 1)
  const undone = new Set(told.map(({ undoing }) => undoing))
  for (const { id, parentId } of told) {
    if (id === undefined || (undone.has(id) && !times.has(id))) continue
    expect(times.get(id), `${where}: ${id} of ${file}`).toBe(1)
    const ordinal = manager.document.index.ordinalOf(id) ?? -1
    expect(manager.document.index.parentId(ordinal), `${where}: parent of ${id}`).toBe(parentId)
  }
  // At most the line that the kill itself tore.
  const { damaged, pending } = manager.document
  const wasDamaged = path.basename(file) === 's.jsonl' ? 1 : 0
  expect(damaged.length + (pending === null ? 0 : 1), where).toBeLessThanOrEqual(wasDamaged + 1)
  expect(
    lines.filter(line => line === '{"damaged":'),
    where,
  ).toHaveLength(wasDamaged)
  const titles = told.flatMap(({ trying, title }) => trying ?? title ?? [])
  const last = told.findLastIndex(({ title }) => title !== undefined)
  const possible =
    last === -1 ? ['at first', null, ...titles] : told.slice(last).map(one => one.title ?? one.trying)
  expect(possible, where).toContain(manager.title.title)
  // The next program goes on at once.
  const added = await manager.appendMessage({ role: 'assistant', content: [], timestamp: 1 })
  expect(added, where).toMatchObject({ ok: true })
  const again = value(SessionManager.open(env, settings, file))
  expect(again.leafId, where).toBe(value(added))
  expect(fs.existsSync(path.join(path.dirname(file), `.${path.basename(file)}.lock`)), where).toBe(false)
}

/** What a process tells. */
class Heard {
  readonly told: Told[] = []
  errors = ''
  /** Something was told, or it ended. */
  readonly first: Promise<unknown>
  onStopped: () => void = () => undefined
  private rest = ''

  constructor(child: ChildProcessWithoutNullStreams) {
    this.first = Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    child.stdout.on('data', (chunk: Buffer) => this.take(chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString('utf8')
    })
  }

  private take(text: string): void {
    const lines = `${this.rest}${text}`.split('\n')
    this.rest = lines.pop() ?? ''
    for (const line of lines) {
      // Written by our own program, as the type says.
      const one = JSON.parse(line) as Told | { ready: true } | { stopped: true }
      if ('stopped' in one) this.onStopped()
      else if ('file' in one) this.told.push(one)
    }
  }
}

class Companion {
  private readonly child: ChildProcessWithoutNullStreams
  private readonly heard: Heard
  private readonly ended: Promise<unknown>

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child
    this.ended = once(child, 'close')
    this.heard = new Heard(child)
  }

  go(how: 'join' | 'raw', file: string): void {
    this.heard.told.length = 0
    this.child.stdin.write(`${how} ${file}\n`)
  }

  async stop(): Promise<Told[]> {
    const stopped = new Promise<void>(resolve => {
      this.heard.onStopped = resolve
    })
    this.child.stdin.write('stop\n')
    await Promise.race([stopped, this.ended])
    expect(this.heard.errors).toBe('')
    expect(this.child.exitCode).toBeNull()
    return [...this.heard.told]
  }

  end(): void {
    this.child.stdin.end()
  }
}
