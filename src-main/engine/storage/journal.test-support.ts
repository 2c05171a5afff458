/** For tests: journals as text, and what a scan makes of them. */
import type { JsonObject } from '@shared/session/json'
import { memoryByteSource } from './byte-source'
import { JournalScan } from './journal-scan'

export const HEADER = {
  type: 'session',
  version: 3,
  id: 'sid',
  timestamp: '2026-01-02T03:04:05.006Z',
  cwd: '/w/app',
}

export function message(id: string, parentId: string | null, text = id, role = 'user'): JsonObject {
  return {
    type: 'message',
    id,
    parentId,
    timestamp: '2026-01-02T03:04:06.000Z',
    message: { role, content: [{ type: 'text', text }] },
  }
}

/** One line per record, each ended by a line feed. Text is taken as it is. */
export function journal(...records: (object | string)[]): string {
  return records.map(record => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join('')
}

export type Scanned = { scan: JournalScan; records: JsonObject[] }

export function scanOf(bytes: string | Uint8Array): Scanned {
  const records: JsonObject[] = []
  const scan = new JournalScan({ seed: 'stem', onEntry: ({ record }) => records.push(record) })
  scan.advance(memoryByteSource(typeof bytes === 'string' ? Buffer.from(bytes) : bytes))
  return { scan, records }
}
