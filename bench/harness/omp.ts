/** omp itself, where it can be had, as a side of a benchmark (scripts/bench/omp-command.mjs). */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { PeerCommand } from './round-peer'

/** How its process is started, and where it works: `cwd` is the folder whose sessions it makes. */
export type Omp = PeerCommand & { version: string; home: string }

/** A script of scripts/bench with omp's modules and a home folder below `directory`; a text says why omp cannot be had. */
export function findOmp(directory: string, program = 'omp-append.mjs'): Omp | string {
  const script = path.join(process.env.GROVE_BENCH_ROOT ?? '.', 'scripts/bench/omp-command.mjs')
  const asked = spawnSync(process.execPath, [script, program], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (asked.status !== 0) throw new Error('omp could not be prepared; the reason is above.')
  // Written by omp-command.mjs of this checkout.
  const told = JSON.parse(asked.stdout) as { unavailable: string } | Omp
  return 'unavailable' in told ? told.unavailable : told
}
