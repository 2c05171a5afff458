/** Memory while one session grows: what an entry costs that is in the index but not in memory. */
import fs from 'node:fs'
import type { Message } from '../harness/conversation'
import { type MemoryUse, memoryUse } from '../harness/memory'
import { numberText, type Table } from '../harness/table'
import { groveSession, messageAt, type Place } from './append-sides'

export type MemoryStep = MemoryUse & { entries: number; fileBytes: number }

const STEPS = 5

/** Appends `entries` messages to one session; memory at the start and after each fifth of them. */
export async function appendMemory(
  place: Place,
  messages: readonly Message[],
  entries: number,
): Promise<MemoryStep[]> {
  const manager = groveSession(place, 'os')
  const steps: MemoryStep[] = []
  const look = (at: number) =>
    steps.push({ ...memoryUse(), entries: at, fileBytes: at === 0 ? 0 : fs.statSync(manager.file).size })
  look(0)
  const each = Math.max(1, Math.round(entries / STEPS))
  for (let at = 0; at < each * STEPS; at++) {
    const appended = await manager.appendMessage(messageAt(messages, at))
    if (!appended.ok) throw new Error(appended.error.message)
    if ((at + 1) % each === 0) look(at + 1)
  }
  await manager.close()
  return steps
}

/** Bytes of memory that each further entry costs, from the first step with entries to the last. */
export function bytesPerEntry(steps: readonly MemoryStep[]): number {
  const [first, last] = [steps[1], steps[steps.length - 1]]
  if (first === undefined || last === undefined || first === last) return Number.NaN
  return (last.heap + last.buffers - first.heap - first.buffers) / (last.entries - first.entries)
}

export function memoryTable(steps: readonly MemoryStep[]): Table {
  const mb = (bytes: number) => numberText(bytes / 1e6, 1)
  return {
    title: `Memory of one session (${numberText(bytesPerEntry(steps))} bytes for each further entry)`,
    columns: ['entries', 'journal MB', 'heap MB', 'buffers MB', 'resident MB'],
    rows: steps.map(({ entries, fileBytes, heap, buffers, resident }) => [
      numberText(entries),
      mb(fileBytes),
      mb(heap),
      mb(buffers),
      mb(resident),
    ]),
  }
}
