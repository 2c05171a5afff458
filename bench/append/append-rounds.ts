/** Sides that append by turns, and what their times come to. */
import fs from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Message } from '../harness/conversation'
import { medianOf, type Quantiles, quantilesOf } from '../harness/quantiles'

export type Round = { messages: readonly Message[]; warm: number; count: number }

export type Side = {
  name: string
  sync: 'os' | 'disk'
  /** Appends `warm + count` messages to a new file; the times of the last `count` in ms, and the file. */
  append(round: Round): Promise<{ times: readonly number[]; file: string }>
}

/** Times in µs; each figure is the median of what the rounds had. */
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

/** Appends that are not timed at the start of each round: code is compiled and caches are filled by then. */
const WARM = 500
/** Before each round, in ms: the other side's process compiles and collects in the background for a while after its own. */
const REST_MS = 100

/** Every side once a round, in one order and then in the other. */
export async function appendRounds(sides: readonly Side[], plan: RoundPlan): Promise<SideFigures[]> {
  const { messages, rounds } = plan
  const count = Math.max(1, Math.round(plan.entries / rounds))
  const warm = Math.min(WARM, count)
  const taken = sides.map((side): Taken => ({ side, rounds: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const { side, rounds: done } of round % 2 === 0 ? taken : taken.toReversed()) {
      globalThis.gc?.()
      await setTimeout(REST_MS)
      const { times, file } = await side.append({ messages, warm, count })
      done.push(roundFigures(times, linesOf(file, warm + count)))
      fs.rmSync(file)
    }
  }
  return taken.map(({ side, rounds: done }) => ({
    name: side.name,
    sync: side.sync,
    rounds,
    appends: count * rounds,
    p50: medianOf(done.map(({ p50 }) => p50)),
    p95: medianOf(done.map(({ p95 }) => p95)),
    p99: medianOf(done.map(({ p99 }) => p99)),
    appendsPerSecond: medianOf(done.map(({ appendsPerSecond }) => appendsPerSecond)),
    lineBytes: medianOf(done.map(({ lineBytes }) => lineBytes)),
    p50s: done.map(({ p50 }) => p50),
  }))
}

type Taken = { side: Side; rounds: RoundFigures[] }

type RoundFigures = Quantiles & { appendsPerSecond: number; lineBytes: number }

function roundFigures(times: readonly number[], lineBytes: number): RoundFigures {
  const { p50, p95, p99 } = quantilesOf(times)
  const total = times.reduce((sum, time) => sum + time, 0)
  return {
    p50: p50 * 1000,
    p95: p95 * 1000,
    p99: p99 * 1000,
    appendsPerSecond: (times.length / total) * 1000,
    lineBytes,
  }
}

/** Mean bytes of the entries' lines. What was acknowledged must be in the file, or the figures mean nothing. */
function linesOf(file: string, appended: number): number {
  const text = fs.readFileSync(file, 'utf8')
  const entries = text.split('\n').filter(line => line !== '' && !/^\{"type":"(session|title)"/.test(line))
  if (entries.length !== appended)
    throw new Error(`${file} holds ${entries.length} entries instead of ${appended}.`)
  return entries.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) / entries.length
}
