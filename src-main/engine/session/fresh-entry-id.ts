/** Ids of new entries. Rule: docs/format.md, Entries. */
import type { Environment } from '../environment'

/** Draws that may meet a taken id before another kind is made, as in omp. */
const TRIES = 100
/** Milliseconds of 2015-01-01, from which omp's longer ids count. */
const EPOCH = 1_420_070_400_000

/** 8 hex digits that no entry has yet; after 100 draws 16 digits, which begin with the time. */
export function freshEntryId(
  env: Pick<Environment, 'uuid' | 'now'>,
  isTaken: (id: string) => boolean,
): string {
  for (let tries = 0; tries < TRIES; tries++) {
    const id = env.uuid().slice(-8)
    if (!isTaken(id)) return id
  }
  const time = BigInt(Math.max(0, env.now() - EPOCH))
  for (let sequence = 0n; ; sequence++) {
    const id = ((time << 22n) | sequence).toString(16).padStart(16, '0')
    if (!isTaken(id)) return id
  }
}
