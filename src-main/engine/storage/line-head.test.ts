import { ENTRY_TYPES, entryHead } from '@shared/session/entry'
import { EntryColumns, headKind } from '@shared/session/entry-columns'
import { isJsonObject } from '@shared/session/json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineHead } from './line-head'

const NOW = Date.parse('2026-02-01T00:00:00.000Z')

/** What is read at the head of a line; null for doubt. */
function headOf(line: string) {
  // Between other lines, of which nothing must come in.
  const [before, after] = [`${line}\n`, `\n${line}`]
  const bytes = Buffer.from(before + line + after)
  const from = Buffer.byteLength(before)
  const head = new LineHead(NOW)
  if (!head.read(bytes, from, from + Buffer.byteLength(line))) return null
  const { idStart, idEnd, parentStart, parentEnd, kind, shape, time } = head
  return {
    id: bytes.toString('latin1', idStart, idEnd),
    parentId: parentStart === -1 ? null : bytes.toString('latin1', parentStart, parentEnd),
    kind,
    shape,
    time,
  }
}

/** The same, from the parsed line. */
function parsedHead(line: string) {
  const record: unknown = JSON.parse(line)
  if (!isJsonObject(record)) throw new Error('no record')
  const { id, parentId } = entryHead(record)
  const columns = new EntryColumns(NOW)
  columns.add(record)
  const message = isJsonObject(record.message) ? record.message : {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const kind = headKind(text(record.type), text(message.role), text(record.customType))
  return { id, parentId, ...kind, time: columns.time(0) }
}

const TIME = '2026-01-02T03:04:05.006Z'
const id = fc.oneof(
  fc.string({ minLength: 8, maxLength: 8, unit: fc.constantFrom(...'0123456789abcdef') }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom('a"b', 'a\\b', 'ä', '', 'null', '\u2028', ','),
)
const time = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .date({ min: new Date('2024-01-01'), max: new Date(NOW), noInvalidDate: true })
      .map(date => date.toISOString()),
  },
  fc.constantFrom(
    TIME,
    '2099-01-01T00:00:00.000Z',
    '2026-01-02T24:00:00.000Z',
    '2025-02-30T01:00:00.000Z',
    '1970-01-02T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    'never',
    5,
    null,
  ),
)
const record = fc.record({
  type: fc.constantFrom('message', 'message', 'message', ...ENTRY_TYPES, 'session', 'title', 'hologram'),
  id,
  parentId: fc.option(id),
  timestamp: time,
  role: fc.constantFrom('user', 'assistant', 'toolResult', 'custom', 'us\\er', '', 7),
  customType: fc.constantFrom('session_exit', 'tool_execution_start', 'tick', '', 'a"b', null),
  rest: fc.jsonValue({ maxDepth: 3 }),
  order: fc.constantFrom('first', 'last', 'mixed'),
})

type Fields = typeof record extends fc.Arbitrary<infer T> ? T : never

/** A record as JSON, with its fields in one of several orders. */
function lineOf({ type, id, parentId, timestamp, role, customType, rest, order }: Fields): string {
  const head = { id, parentId, timestamp }
  const body = type === 'message' ? { message: { role, content: rest } } : { customType, data: rest }
  if (order === 'first') return JSON.stringify({ type, ...head, ...body })
  if (order === 'last') return JSON.stringify({ type, ...body, ...head })
  return JSON.stringify({ ...body, timestamp, type, parentId, id })
}

describe('the head of a line', () => {
  it('equals what parsing the line finds, or is in doubt', () => {
    let read = 0
    fc.assert(
      fc.property(record, one => {
        const line = lineOf(one)
        const head = headOf(line)
        if (head === null) return
        read++
        expect(head).toEqual(parsedHead(line))
      }),
      { numRuns: 4_000 },
    )
    expect(read).toBeGreaterThan(400)
  })

  const message = (more: object = {}) =>
    JSON.stringify({
      type: 'message',
      id: 'a1',
      parentId: 'b2',
      timestamp: TIME,
      message: { role: 'user', content: 'x' },
      ...more,
    })

  it('is read of lines as omp writes them', () => {
    const custom = { customType: 'tool_execution_start', data: { toolCallId: 't' } }
    const head = { id: 'a1', parentId: 'b2', timestamp: TIME }
    const lines = [
      message(),
      message({ parentId: null }),
      JSON.stringify({ type: 'custom', ...custom, ...head }),
      JSON.stringify({ type: 'custom', customType: 'tick', ...head, parentId: null }),
      JSON.stringify({ type: 'custom', ...head, ...custom }),
      JSON.stringify({ type: 'custom_message', customType: 'note', content: 'x', display: true, ...head }),
      JSON.stringify({ type: 'compaction', ...head, summary: 'so far' }),
      JSON.stringify({ type: 'reset_boundary', ...head }),
      JSON.stringify({ type: 'model_change', ...head, model: 'm' }),
    ]
    for (const line of lines) expect(headOf(line)).toEqual(parsedHead(line))
  })

  it.each([
    [
      'a label and a rename, which are needed whole',
      JSON.stringify({ type: 'label', id: 'a', parentId: null, timestamp: TIME, targetId: 'b' }),
    ],
    [
      'another order',
      JSON.stringify({
        id: 'a1',
        type: 'message',
        parentId: null,
        timestamp: TIME,
        message: { role: 'user' },
      }),
    ],
    ['blanks between', message().replace('":"message"', '": "message"')],
    ['a blank at the end', `${message()} `],
    ['an escape in the id', message({ id: 'a\n1' })],
    ['no id', message({ id: '' })],
    ['an id that is not ASCII', message({ id: 'ä' })],
    ['a time that is none', message({ timestamp: 'soon' })],
    ['a time to come', message({ timestamp: '2099-01-01T00:00:00.000Z' })],
    ['no role first', message({ message: { content: 'x', role: 'user' } })],
    ['a type that is not known', message({ type: 'hologram' })],
    ['a header', JSON.stringify({ type: 'session', id: 'a', parentId: null, timestamp: TIME })],
    ['a record that is cut off', message().slice(0, -2)],
    ['nothing', ''],
  ])('is in doubt for %s', (_what, line) => {
    expect(headOf(line)).toBeNull()
  })
})
