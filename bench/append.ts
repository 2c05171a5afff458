/**
 * How fast an entry is written down: one `appendMessage` after the other, each waited for, under omp's lock.
 *
 *   npm run bench -- append [--entries N] [--disk-entries N] [--memory-entries N] [--rounds N] [--no-omp] [--no-memory]
 *
 * Three sides append the same messages to sessions of their own, by turns, so that what else the machine does meets all of them:
 * Grove's `SessionManager`; omp's own, in the same directory; and the floor, one write to a descriptor that stays open, without lock or look. Each figure
 * is the median of its rounds. Then one session grows by many entries, and memory is looked at on the way.
 */

import { appendMemory, memoryTable } from './append/append-memory'
import { appendRounds, type Side } from './append/append-rounds'
import { floorSide, groveSide, newPlace, ompSide } from './append/append-sides'
import { ratioOf, speedTable } from './append/speed-table'
import { conversation } from './harness/conversation'
import { OmpPeer } from './harness/omp-peer'
import { type BenchContext, type BenchReport, runBench } from './harness/run-bench'

const DEFAULTS = { entries: 20_000, 'disk-entries': 2_000, 'memory-entries': 100_000, rounds: 20 }

const NOTES = {
  os: '`os`: an acknowledged entry survives the end of the process. `disk`: a power loss as well (fdatasync for each).',
  omp: 'omp has no mode that reaches the disk.',
  floor: 'Floor: one write (and fdatasync) to an open descriptor of Node.js; no lock, no look at the file.',
}

async function measure(context: BenchContext): Promise<BenchReport> {
  const messages = conversation()
  const peer = context.has('no-omp') ? 'it was left out' : OmpPeer.start(context.directory)
  try {
    const omp: Side[] = typeof peer === 'string' ? [] : [ompSide(peer)]
    const place = typeof peer === 'string' ? newPlace(context.directory) : peer
    const grove = (sync: 'os' | 'disk') => groveSide(place, sync)
    const floor = (sync: 'os' | 'disk') => floorSide(place, sync)
    const rounds = context.number('rounds')
    context.progress(`${rounds} rounds, os ...`)
    const os = await appendRounds([grove('os'), ...omp, floor('os')], {
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
    const missing = typeof peer === 'string' ? [['omp', `not measured: ${peer}`]] : []
    const speed = speedTable([...os, ...disk], missing)
    const ratio = ratioOf(os)
    if (!context.has('no-memory')) context.progress('one long session ...')
    const memory = context.has('no-memory')
      ? null
      : await appendMemory(place, messages, context.number('memory-entries'))
    return {
      tables: [speed, ...(memory === null ? [] : [memoryTable(memory)])],
      notes: [...(ratio === null ? [] : [ratio.text]), NOTES.os, NOTES.omp, NOTES.floor],
      figures: { speed: [...os, ...disk], ratio: ratio?.p50 ?? null, omp: ompFacts(peer), memory },
    }
  } finally {
    if (typeof peer !== 'string') await peer.stop()
  }
}

function ompFacts(peer: OmpPeer | string) {
  return typeof peer === 'string' ? { unavailable: peer } : { version: peer.version }
}

await runBench('append', { numbers: DEFAULTS, switches: ['no-omp', 'no-memory'] }, measure)
