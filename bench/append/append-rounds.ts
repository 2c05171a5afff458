/** Sides that append by turns, and what their times come to. */
import fs from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Message } from '../harness/conversation'
import { type Quantiles, quantilesOf } from '../harness/quantiles'
import type { PeerAnswer, PeerRound } from '../harness/round-peer'

export type Side = {
  name: string
  sync: 'os' | 'disk'
  /** Appends `warm + count` messages to a new file; the times of the last `count` in ms, and the file. */
  append(round: PeerRound): Promise<PeerAnswer>
}

/** Of all timed appends of all rounds. Times in µs. */
export type SideFigures = Quantiles & {
  name: string
  sync: 'os' | 'disk'
  rounds: number
  appends: number
  appendsPerSecond: number
  /** Mean bytes of a line. */
  lineBytes: number
  /** p50 of each round. */
  p50s: number[]
}

export type RoundPlan = {
  messages: readonly Message[]
  rounds: number
  /** Timed appends of each side, over all rounds. */
  entries: number
}

/** Appends that are not timed, at the start of the first round and of each other one: code is compiled, caches are filled by then. */
const FIRST_WARM = 2_000
const WARM = 50
/** Before each round, in ms: the other side's process compiles and collects in the background for a while after its own. */
const REST_MS = 20

/** Every side once a round, in one order and then in the other. */
export async function appendRounds(sides: readonly Side[], plan: RoundPlan): Promise<SideFigures[]> {
  const { messages, rounds } = plan
  const count = Math.max(1, Math.round(plan.entries / rounds))
  const taken = sides.map((side): Taken => ({ side, rounds: [] }))
  for (let round = 0; round < rounds; round++) {
    const warm = Math.min(round === 0 ? FIRST_WARM : WARM, plan.entries)
    for (const { side, rounds: done } of round % 2 === 0 ? taken : taken.toReversed()) {
      await setTimeout(REST_MS)
      const { times, file } = await side.append({ messages, warm, count })
      done.push({ times, lineBytes: lineBytesOf(file, warm + count) })
      fs.rmSync(file)
    }
  }
  return taken.map(figuresOf)
}

type Taken = { side: Side; rounds: { times: readonly number[]; lineBytes: number }[] }

function figuresOf({ side: { name, sync }, rounds }: Taken): SideFigures {
  const inMicroseconds = (ms: readonly number[]) => ms.map(time => time * 1000)
  const times = inMicroseconds(rounds.flatMap(round => round.times))
  const total = times.reduce((sum, time) => sum + time, 0)
  return {
    name,
    sync,
    rounds: rounds.length,
    appends: times.length,
    ...quantilesOf(times),
    appendsPerSecond: (times.length / total) * 1e6,
    lineBytes: rounds.reduce((sum, { lineBytes }) => sum + lineBytes, 0) / rounds.length,
    p50s: rounds.map(round => quantilesOf(inMicroseconds(round.times)).p50),
  }
}

/** Mean bytes of the entries' lines. What was acknowledged must be in the file, or the figures mean nothing. */
function lineBytesOf(file: string, appended: number): number {
  const text = fs.readFileSync(file, 'utf8')
  const entries = text.split('\n').filter(line => line !== '' && !/^\{"type":"(session|title)"/.test(line))
  if (entries.length !== appended)
    throw new Error(`${file} holds ${entries.length} entries instead of ${appended}.`)
  return entries.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) / entries.length
}
