/** For tests of commands that write: a home with sessions an hour old, real processes that use them, and all of it as it stands. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { encodeTitleSlot } from '@shared/session/title-slot'
import { HEADER, journal, message } from '../engine/storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../engine/test-environment.test-support'
import type { Command } from './command'
import { type CommandRun, runCommand, runWithInput } from './command-run.test-support'

const HOUR_AGO_S = 3600

export class WorkWorld {
  /** The real time: what was written a moment ago counts. */
  readonly env: TestEnvironment = testEnvironment({ now: () => Date.now(), tempDir: '/nowhere/tmp' })
  private readonly children: ChildProcess[] = []

  async remove(): Promise<void> {
    for (const child of this.children) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    this.env.remove()
  }

  get agentDir(): string {
    return path.join(this.env.home, '.omp', 'agent')
  }

  at(...parts: string[]): string {
    return path.join(this.env.home, ...parts)
  }

  folder(...parts: string[]): string {
    fs.mkdirSync(this.at(...parts), { recursive: true })
    return this.at(...parts)
  }

  /** A session of these records in the folder `proj`; without any: two messages, `a` and under it `b`. */
  session(name: string, records: (object | string)[] = []): string {
    const cwd = this.folder('proj')
    const given = records.length > 0 ? records : [...this.head(name), message('a', null), message('b', 'a')]
    const file = path.join(this.agentDir, 'sessions', '-proj', `${name}.jsonl`)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, journal(...given).replaceAll('CWD', cwd))
    this.makeOld(file)
    return file
  }

  /** Slot and header as omp writes them. */
  head(id: string, title = ''): (object | string)[] {
    const slot = encodeTitleSlot({ title, source: title === '' ? null : 'user', updatedAt: HEADER.timestamp })
    return [slot.slice(0, -1), { ...HEADER, id, cwd: 'CWD' }]
  }

  makeOld(file: string): void {
    const then = Math.floor(Date.now() / 1000) - HOUR_AGO_S
    fs.utimesSync(file, then, then)
  }

  run(command: Command, ...argv: string[]): Promise<CommandRun> {
    return runCommand(command, this.env, ...argv)
  }

  runWith(command: Command, input: readonly (string | Uint8Array)[], ...argv: string[]): Promise<CommandRun> {
    return runWithInput(command, this.env, input, ...argv)
  }

  /** A process of another program that has the file open, until the test ends. */
  async hold(file: string): Promise<number> {
    const script = `require('fs').openSync(${JSON.stringify(file)}, 'r'); console.log('open'); setInterval(() => 0, 1e6)`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.children.push(child)
    if (child.stdout === null) throw new Error('no pipe')
    await once(child.stdout, 'data')
    return child.pid ?? 0
  }

  /** Everything below the home: names, kinds, modes, sizes, exact times, and what is in it. */
  everything(): string[] {
    return fs
      .readdirSync(this.env.home, { recursive: true, encoding: 'utf8' })
      .sort()
      .map(name => {
        const full = this.at(name)
        const stat = fs.lstatSync(full, { bigint: true })
        return [name, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs, stat.ino, contentOf(full, stat)].join(
          ' ',
        )
      })
  }
}

function contentOf(full: string, stat: fs.BigIntStats): string {
  if (stat.isSymbolicLink()) return fs.readlinkSync(full)
  return stat.isFile() ? createHash('sha256').update(fs.readFileSync(full)).digest('hex') : ''
}

/** The records of a journal after its header. */
export function entriesIn(file: string): Record<string, unknown>[] {
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
  // A test's own file: each line is an object.
  const records = lines.map(line => JSON.parse(line) as Record<string, unknown>)
  return records.slice(records.findIndex(({ type }) => type === 'session') + 1)
}

/** The header record of a journal. */
export function headerIn(file: string): Record<string, unknown> {
  const line = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .find(text => text.includes('"type":"session"'))
  // As above.
  return JSON.parse(line ?? '{}') as Record<string, unknown>
}
