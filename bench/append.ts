/**
 * How fast an entry is written down: one `appendMessage` after the other, each waited for, under omp's lock.
 *
 *   npm run bench -- append [--entries N] [--disk-entries N] [--memory-entries N] [--rounds N] [--no-omp] [--no-memory]
 *
 * Three sides append the same messages to sessions of their own in one directory, by turns, so that what else the machine does
 * meets all of them: Grove's `SessionManager`; omp's own; and the floor, one write to a descriptor that stays open, without lock or look.
 * Grove and omp each have a process that does nothing else. Rounds are short, since what a disk and a
 * busy machine do changes within a second. Then one session grows by many entries, and memory is looked at on the way.
 */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { appendMemory, memoryTable } from './append/append-memory'
import { appendRounds, type Side } from './append/append-rounds'
import { appendByFloor, appendByGrove, type Place, type Sync } from './append/append-sides'
import { ratioOf, speedTable } from './append/speed-table'
import { conversation } from './harness/conversation'
import { findOmp, type Omp } from './harness/omp'
import { RoundPeer, serveRounds } from './harness/round-peer'
import { type BenchContext, type BenchReport, runBench } from './harness/run-bench'

const DEFAULTS = { entries: 20_000, 'disk-entries': 2_000, 'memory-entries': 100_000, rounds: 100 }

const NOTES = {
  os: '`os`: an acknowledged entry survives the end of the process. `disk`: a power loss as well (fdatasync for each).',
  omp: 'omp has no mode that reaches the disk.',
  floor: 'Floor: one write (and fdatasync) to an open descriptor of Node.js; no lock, no look at the file.',
}

/** In a process of Grove's side: where it works, as JSON. */
const SIDE = 'GROVE_BENCH_SIDE'

/** A place in an empty folder. */
function newPlace(directory: string): Place {
  const home = path.join(directory, 'home')
  const cwd = path.join(home, 'project')
  fs.mkdirSync(cwd, { recursive: true })
  return { home, cwd }
}

function ompSide({ version }: Omp, peer: RoundPeer): Side {
  return { name: `omp ${version}, with its locks`, sync: 'os', append: round => peer.append(round) }
}

async function measure(context: BenchContext): Promise<BenchReport> {
  const omp = context.has('no-omp') ? 'it was left out' : findOmp(context.directory)
  const place = typeof omp === 'string' ? newPlace(context.directory) : { home: omp.home, cwd: omp.cwd }
  const env = { ...process.env, [SIDE]: JSON.stringify(place) }
  const own = new RoundPeer({
    command: [process.execPath, fileURLToPath(import.meta.url)],
    env,
    cwd: place.cwd,
  })
  const ompPeer = typeof omp === 'string' ? null : new RoundPeer(omp)
  try {
    const side = (name: string, kind: 'grove' | 'floor', sync: Sync): Side => ({
      name,
      sync,
      append: round => own.append({ ...round, side: `${kind} ${sync}` }),
    })
    const grove = (sync: Sync) => side('Grove, with the lock', 'grove', sync)
    const floor = (sync: Sync) => side('floor, without a lock', 'floor', sync)
    const ompSides = typeof omp === 'string' || ompPeer === null ? [] : [ompSide(omp, ompPeer)]
    const messages = conversation()
    const rounds = context.number('rounds')
    context.progress(`${rounds} rounds, os ...`)
    const os = await appendRounds([grove('os'), ...ompSides, floor('os')], {
      messages,
      rounds,
      entries: context.number('entries'),
    })
    context.progress(`${rounds} rounds, disk ...`)
    const disk = await appendRounds([grove('disk'), floor('disk')], {
      messages,
      rounds,
      entries: context.number('disk-entries'),
    })
    const speed = [...os, ...disk]
    const missing = typeof omp === 'string' ? [['omp', `not measured: ${omp}`]] : []
    const ratio = ratioOf(os)
    if (!context.has('no-memory')) context.progress('one long session ...')
    const memory = context.has('no-memory')
      ? null
      : await appendMemory(place, messages, context.number('memory-entries'))
    return {
      tables: [speedTable(speed, missing), ...(memory === null ? [] : [memoryTable(memory)])],
      notes: [...(ratio === null ? [] : [ratio.text]), NOTES.os, NOTES.omp, NOTES.floor],
      figures: {
        speed,
        ratio: ratio === null ? null : { p50: ratio.p50, byRound: ratio.byRound },
        omp: typeof omp === 'string' ? { unavailable: omp } : { version: omp.version },
        memory,
      },
    }
  } finally {
    await own.stop()
    await ompPeer?.stop()
  }
}

/** A process of Grove's side: rounds as they are asked for. */
function serve(place: Place): Promise<void> {
  return serveRounds(round => {
    const [side, sync] = round.side?.split(' ') ?? []
    const append = side === 'grove' ? appendByGrove : appendByFloor
    return append(place, sync === 'disk' ? 'disk' : 'os', round)
  })
}

const sidePlace = process.env[SIDE]
if (sidePlace === undefined)
  await runBench('append', { numbers: DEFAULTS, switches: ['no-omp', 'no-memory'] }, measure)
// Written by `measure`.
else await serve(JSON.parse(sidePlace) as Place)
