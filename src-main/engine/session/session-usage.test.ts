/** Usage of several sessions, with copies counted once. */
import { expect, it } from 'vitest'
import { HEADER, journal } from '../storage/journal.test-support'
import { MemorySessionStorage } from '../storage/memory-session-storage'
import { SessionDocument } from './session-document'
import { usageOfSessions } from './session-usage'

function answer(id: string, parentId: string | null, cost: number, timestamp = '2026-01-02T03:04:06.000Z') {
  const usage = { input: 10, output: 5, totalTokens: 15, cost: { total: cost } }
  const message = { role: 'assistant', content: [], provider: 'p', model: 'm', usage }
  return { type: 'message', id, parentId, timestamp, message }
}

function session(path: string, created: string, ...entries: object[]): SessionDocument {
  const text = journal({ ...HEADER, timestamp: created }, ...entries)
  const document = SessionDocument.open(new MemorySessionStorage(path, Buffer.from(text)), () => 0)
  if (!document.ok) throw new Error(document.error.message)
  return document.value
}

it('counts what a fork copied once, whichever is named first, also when the fork says that it cost nothing', () => {
  const source = session('/a.jsonl', '2026-01-01', answer('1', null, 1), answer('2', '1', 2))
  const fork = session(
    '/b.jsonl',
    '2026-01-03',
    answer('1', null, 0),
    answer('2', '1', 0),
    answer('3', '2', 4),
  )
  for (const order of [
    [source, fork],
    [fork, source],
  ]) {
    const usage = usageOfSessions(order)
    expect(usage).toMatchObject({ ok: true, value: { total: { cost: 7, totalTokens: 45, messages: 3 } } })
    if (!usage.ok) continue
    expect(usage.value.sessions.map(({ file }) => file)).toEqual(order.map(({ path }) => path))
    expect(usage.value.sessions.find(({ file }) => file === '/b.jsonl')?.copiedEntries).toBe(2)
  }
})

it('counts equal ids of unrelated sessions each, and repeated ids of one session each, as omp does', () => {
  const one = session('/a.jsonl', '2026-01-01', answer('1', null, 1), answer('1', null, 2))
  const other = session('/b.jsonl', '2026-01-01', answer('1', null, 4, '2026-05-05T00:00:00.000Z'))
  expect(usageOfSessions([one, other])).toMatchObject({ value: { total: { cost: 7, messages: 3 } } })
})
