/**
 * Entries that a fork inherits without what they cost: cost and other counters of money are set to nothing, tokens stay,
 * since what a session's context holds is told by them. Rule: docs/format.md, Fork.
 *
 * Works on the lines of a journal, whatever is in them: a line that holds no such entry is handed on as it is, and of one
 * that does, every other byte. Pure.
 */

import { limits } from '@shared/limits'
import { type JsonObject, objectOf } from '@shared/session/json'
import { splitLine } from '../storage/record-splitter'
import { type Edit, recordOf, spliceWithin } from './json-splice'

/** The chunks of a journal whose entries cost nothing. The memory of the longest line. */
export function* withoutCosts(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let waiting: Uint8Array[] = []
  for (const chunk of chunks) {
    let start = 0
    const done: Uint8Array[] = []
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const line = Buffer.concat([...waiting, chunk.subarray(start, end + 1)])
      waiting = []
      done.push(lineWithoutCosts(line))
      start = end + 1
    }
    if (done.length > 0) yield Buffer.concat(done)
    // A copy: the next chunk may overwrite this one.
    if (start < chunk.length) waiting.push(Buffer.from(chunk.subarray(start)))
  }
  if (waiting.length > 0) yield lineWithoutCosts(Buffer.concat(waiting))
}

const LF = 0x0a
const USAGE = Buffer.from('"usage"')

function lineWithoutCosts(line: Buffer): Uint8Array {
  if (!line.includes(USAGE) || line.length > limits.lineBytes) return line
  const record = recordOf(line)
  if (record !== null) return recordWithoutCosts(line, record)
  // A record with something else on its line is an entry as well.
  const parts: Uint8Array[] = []
  let at = 0
  for (const { start, end, record: part } of splitLine(line).records) {
    parts.push(line.subarray(at, start), recordWithoutCosts(line.subarray(start, end), part))
    at = end
  }
  return Buffer.concat([...parts, line.subarray(at)])
}

const NO_COST: readonly Edit[] = [
  { key: 'cost', value: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } },
  { key: 'credits', value: undefined },
  { key: 'premiumRequests', value: undefined },
]

function recordWithoutCosts(line: Uint8Array, record: JsonObject): Uint8Array {
  const place = usagePlace(record)
  return place === null ? line : (spliceWithin(line, place, NO_COST) ?? line)
}

/** Where an entry that counts says what it used; as `usagesOf` of src-shared/session/usage.ts reads it. */
function usagePlace(record: JsonObject): string[] | null {
  if (record.type === 'model_usage') return ['usage']
  if (record.type !== 'message') return null
  const message = objectOf(record.message)
  if (message.role === 'assistant') return ['message', 'usage']
  return message.role === 'toolResult' && message.toolName === 'task' ? ['message', 'details', 'usage'] : null
}
