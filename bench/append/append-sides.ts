/** What one side does in a round: Grove, and the floor under all. omp's is scripts/bench/omp-append.mjs. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { plainLayout } from '../../src-main/engine/layout/agent-directories'
import { nodeEnvironment } from '../../src-main/engine/node-environment'
import { SessionManager } from '../../src-main/engine/session/session-manager'
import type { PeerAnswer, PeerRound } from '../harness/round-peer'

export type Sync = 'os' | 'disk'

/**
 * Where the sessions are. The sides share it: what a file costs depends on its directory, on the length of its path, and on where on
 * the disk the directory lies.
 */
export type Place = { home: string; cwd: string }

/** A new session of Grove's, in omp's own agent directory. */
export function groveSession({ home, cwd }: Place, sync: Sync): SessionManager {
  const settings = { layout: plainLayout(path.join(home, '.omp/agent')), sync }
  const made = SessionManager.create({ ...nodeEnvironment(), home }, settings, { cwd })
  if (!made.ok) throw new Error(made.error.message)
  return made.value
}

/** The message for one call: an object of its own, as a conversation would bring it. */
export function messageAt(messages: readonly unknown[], at: number): { role: string } {
  const message = messages[at % messages.length]
  if (message === undefined) throw new Error('There are no messages to append.')
  // Each is one of `conversation`.
  return structuredClone(message) as { role: string }
}

/** A round of Grove's. */
export async function appendByGrove(place: Place, sync: Sync, round: PeerRound): Promise<PeerAnswer> {
  const manager = groveSession(place, sync)
  const times = await timed(round, async message => {
    const start = performance.now()
    const appended = await manager.appendMessage(message)
    const end = performance.now()
    if (!appended.ok) throw new Error(appended.error.message)
    return end - start
  })
  await manager.close()
  return { times, file: manager.file }
}

/** A round of the floor: a descriptor that stays open, one write for each line. */
export async function appendByFloor(place: Place, sync: Sync, round: PeerRound): Promise<PeerAnswer> {
  const file = path.join(path.dirname(groveSession(place, sync).file), `${randomUUID()}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const fd = fs.openSync(file, 'a')
  const times = await timed(round, async message => {
    const record = { type: 'message', id: 'abcdef01', parentId: 'abcdef02', timestamp: '', message }
    const start = performance.now()
    fs.writeSync(fd, `${JSON.stringify(record)}\n`)
    if (sync === 'disk') fs.fdatasyncSync(fd)
    return performance.now() - start
  })
  fs.closeSync(fd)
  return { times, file }
}

/** Does a step for every message; the times that the last `count` answer, in ms. */
async function timed(
  { messages, warm, count }: PeerRound,
  step: (message: { role: string }) => Promise<number>,
): Promise<number[]> {
  const times = new Array<number>(count)
  for (let at = 0; at < warm + count; at++) {
    const time = await step(messageAt(messages, at))
    if (at >= warm) times[at - warm] = time
  }
  return times
}
