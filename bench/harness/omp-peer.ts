/** omp's own session manager in a process of its own, to be measured beside ours (scripts/bench/omp-append.mjs). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Readable } from 'node:stream'

export type OmpRound = { messages: readonly unknown[]; warm: number; count: number }
export type OmpAnswer = { times: number[]; file: string }

/** What omp-command.mjs of this checkout prints. */
type OmpCommand = {
  command: [string, ...string[]]
  env: Record<string, string>
  version: string
  home: string
  cwd: string
}

export class OmpPeer {
  readonly version: string
  readonly home: string
  /** The folder that it appends sessions of. */
  readonly cwd: string
  private readonly child: ChildProcess
  private readonly answers: Interface
  private readonly lines: AsyncIterator<string>

  private constructor({ version, home, cwd }: OmpCommand, child: ChildProcess, answers: Interface) {
    this.version = version
    this.home = home
    this.cwd = cwd
    this.child = child
    this.answers = answers
    this.lines = answers[Symbol.asyncIterator]()
  }

  /** Starts omp with a home folder below `directory`; a text says why it cannot be had. */
  static start(directory: string): OmpPeer | string {
    const script = path.join(process.env.GROVE_BENCH_ROOT ?? '.', 'scripts/bench/omp-command.mjs')
    const asked = spawnSync(process.execPath, [script], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: directory },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (asked.status !== 0) throw new Error('omp could not be prepared; the reason is above.')
    // Written by omp-command.mjs of this checkout.
    const told = JSON.parse(asked.stdout) as { unavailable: string } | OmpCommand
    if ('unavailable' in told) return told.unavailable
    const [program, ...args] = told.command
    const stdio = ['pipe', 'ignore', 'inherit', 'pipe'] as const
    const child = spawn(program, args, { cwd: told.cwd, env: told.env, stdio: [...stdio] })
    // Descriptor 3 was asked to be a pipe, which the child writes.
    const output = child.stdio[3] as Readable
    return new OmpPeer(told, child, createInterface({ input: output }))
  }

  /** Appends messages to a new session; the times of the calls in ms, and the session's file. */
  async append(round: OmpRound): Promise<OmpAnswer> {
    this.child.stdin?.write(`${JSON.stringify(round)}\n`)
    const line = await this.lines.next()
    if (line.done === true) throw new Error('omp ended before it answered; the reason is above.')
    // Written by omp-append.mjs of this checkout.
    return JSON.parse(line.value) as OmpAnswer
  }

  async stop(): Promise<void> {
    const ended = this.child.exitCode === null ? once(this.child, 'exit') : null
    this.child.stdin?.end()
    await ended
    this.answers.close()
  }
}
