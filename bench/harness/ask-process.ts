/** A measurement in a process of its own: nothing is warm, and its memory is nobody else's. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import type { PeerCommand } from './round-peer'

/** Where the answer is written; stdout is left to what the program says of itself. */
const ANSWERS = 3
const MOST_ANSWER_BYTES = 64 * 1024 * 1024

/** Gives a process `request` on stdin, as JSON, and answers what it writes to descriptor 3. `T` is what that program answers. */
export function askProcess<T>({ command, env, cwd }: PeerCommand, request: unknown): T {
  const [program, ...args] = command
  const ran = spawnSync(program, args, {
    cwd,
    env,
    input: JSON.stringify(request),
    encoding: 'utf8',
    maxBuffer: MOST_ANSWER_BYTES,
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  })
  const answer = ran.output?.[ANSWERS] ?? ''
  if (ran.error !== undefined || ran.status !== 0 || answer === '')
    throw new Error(`A measurement ended without an answer (${ran.error?.message ?? `exit ${ran.status}`}).`)
  // Written by `answerOnce`, or by a script of scripts/bench of this checkout.
  return JSON.parse(answer) as T
}

/** The other end, in a process of Grove's. */
export async function answerOnce<Q>(measure: (request: Q) => unknown): Promise<void> {
  // Written by `askProcess`.
  const request = JSON.parse(fs.readFileSync(0, 'utf8')) as Q
  fs.writeFileSync(ANSWERS, JSON.stringify(await measure(request)))
}

/** Bytes of memory that this process had at most. */
export function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024
}
