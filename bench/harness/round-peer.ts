/** A process that does rounds of appends and takes their times: one for each program that is compared, so that none has the other's load. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createInterface, type Interface } from 'node:readline'
import type { Readable } from 'node:stream'

/** What a round is; `warm` messages come first and are not timed. */
export type PeerRound = { side?: string; messages: readonly unknown[]; warm: number; count: number }
/** Times of the calls in ms, and the file that the messages are in. */
export type PeerAnswer = { times: readonly number[]; file: string }

export type PeerCommand = { command: readonly [string, ...string[]]; env: NodeJS.ProcessEnv; cwd: string }

/** Where answers are written; stdout is left to what the program says of itself. */
const ANSWERS = 3

export class RoundPeer {
  private readonly child: ChildProcess
  private readonly answers: Interface
  private readonly lines: AsyncIterator<string>

  constructor({ command, env, cwd }: PeerCommand) {
    const [program, ...args] = command
    this.child = spawn(program, args, { cwd, env, stdio: ['pipe', 'ignore', 'inherit', 'pipe'] })
    // It was asked to be a pipe, which the child writes.
    const output = this.child.stdio[ANSWERS] as Readable
    this.answers = createInterface({ input: output })
    this.lines = this.answers[Symbol.asyncIterator]()
  }

  async append(round: PeerRound): Promise<PeerAnswer> {
    this.child.stdin?.write(`${JSON.stringify(round)}\n`)
    const line = await this.lines.next()
    if (line.done === true) throw new Error('A side ended before it answered; the reason is above.')
    // Written by `serveRounds`, or by omp-append.mjs of this checkout.
    return JSON.parse(line.value) as PeerAnswer
  }

  async stop(): Promise<void> {
    const ended = this.child.exitCode === null ? once(this.child, 'exit') : null
    this.child.stdin?.end()
    await ended
    this.answers.close()
  }
}

/** The other end: does the rounds that come, until there are no more. */
export async function serveRounds(append: (round: PeerRound) => Promise<PeerAnswer>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    // Written by `RoundPeer`.
    const answer = await append(JSON.parse(line) as PeerRound)
    fs.writeFileSync(ANSWERS, `${JSON.stringify(answer)}\n`)
  }
}
