/** Who appends: Grove, omp, and the floor under both. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { plainLayout } from '../../src-main/engine/layout/agent-directories'
import { nodeEnvironment } from '../../src-main/engine/node-environment'
import { SessionManager } from '../../src-main/engine/session/session-manager'
import type { Message } from '../harness/conversation'
import type { OmpPeer } from '../harness/omp-peer'
import type { Round, Side } from './append-rounds'

type Sync = 'os' | 'disk'

/**
 * Where the sessions are. The sides share it: what a file costs depends on its directory, on the length of its path, and on where on
 * the disk the directory lies.
 */
export type Place = { home: string; cwd: string }

/** A place in an empty folder. */
export function newPlace(directory: string): Place {
  const home = path.join(directory, 'home')
  const cwd = path.join(home, 'project')
  fs.mkdirSync(cwd, { recursive: true })
  return { home, cwd }
}

/** A new session of Grove's, in omp's own agent directory. */
export function groveSession({ home, cwd }: Place, sync: Sync): SessionManager {
  const settings = { layout: plainLayout(path.join(home, '.omp/agent')), sync }
  const made = SessionManager.create({ ...nodeEnvironment(), home }, settings, { cwd })
  if (!made.ok) throw new Error(made.error.message)
  return made.value
}

/** The message for one call: an object of its own, as a conversation would bring it. */
export function messageAt(messages: readonly Message[], at: number): Message {
  const message = messages[at % messages.length]
  if (message === undefined) throw new Error('There are no messages to append.')
  return structuredClone(message)
}

export function groveSide(place: Place, sync: Sync): Side {
  const append = async ({ messages, warm, count }: Round) => {
    const manager = groveSession(place, sync)
    const times = await timed(warm, count, async at => {
      const message = messageAt(messages, at)
      const start = performance.now()
      const appended = await manager.appendMessage(message)
      const end = performance.now()
      if (!appended.ok) throw new Error(appended.error.message)
      return end - start
    })
    await manager.close()
    return { times, file: manager.file }
  }
  return { name: 'Grove, with the lock', sync, append }
}

export function ompSide(peer: OmpPeer): Side {
  return {
    name: `omp ${peer.version}, with its locks`,
    sync: 'os',
    append: round => peer.append(round),
  }
}

export function floorSide(place: Place, sync: Sync): Side {
  const append = async ({ messages, warm, count }: Round) => {
    const file = path.join(path.dirname(groveSession(place, sync).file), `${randomUUID()}.jsonl`)
    const fd = fs.openSync(file, 'a')
    const times = await timed(warm, count, async at => {
      const message = messageAt(messages, at)
      const record = { type: 'message', id: 'abcdef01', parentId: 'abcdef02', timestamp: '', message }
      const start = performance.now()
      fs.writeSync(fd, `${JSON.stringify(record)}\n`)
      if (sync === 'disk') fs.fdatasyncSync(fd)
      return performance.now() - start
    })
    fs.closeSync(fd)
    return { times, file }
  }
  return { name: 'floor, without a lock', sync, append }
}

/** Does a step again and again; the times that the last `count` answer, in ms. */
async function timed(warm: number, count: number, step: (at: number) => Promise<number>): Promise<number[]> {
  const times = new Array<number>(count)
  for (let at = 0; at < warm + count; at++) {
    const time = await step(at)
    if (at >= warm) times[at - warm] = time
  }
  return times
}
