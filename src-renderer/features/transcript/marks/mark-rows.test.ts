import type { AgentRow, ShownText, ToolRow, TranscriptRow } from '@shared/ipc/models/transcript-models'
import { expect, test } from 'vitest'
import type { Mark } from '../../../stores/find-store'
import { needsWhole, nthOf, rowOfMark } from './mark-rows'

const shown = (text: string, part: string, cut = false): ShownText => ({
  ...{ text, part, cut, lines: 1 },
  chars: text.length,
})
const base = { key: '', entryId: null, time: null, rawTime: null, labels: [], fork: null }
const agent = (ordinal: number, part: string): AgentRow => ({
  ...base,
  ...{
    kind: 'agent',
    ordinal,
    head: true,
    model: null,
    images: [],
    stop: null,
    errorText: null,
    tokens: null,
  },
  text: shown('text', part),
})
const tool = (ordinal: number, result: number): ToolRow => ({
  ...base,
  ...{
    kind: 'tool',
    ordinal,
    head: false,
    model: null,
    name: 'bash',
    callId: '1',
    summary: '',
    intent: null,
  },
  ...{ state: 'ok', exitCode: 0, durationMs: null, added: null, removed: null, diff: null, images: [] },
  ...{ extraResults: 0, subagents: [] },
  args: shown('ls', 'content.1.arguments'),
  output: shown('src', 'content'),
  resultOrdinal: result,
})
const mark = (ordinal: number, part: string, place: Mark['place'] = { nth: 0 }): Mark => ({
  ...{ session: 's', ordinal, part, row: null, place, focus: true, nonce: 1 },
  wanted: { texts: ['a'], exact: false },
})
const rows = new Map<number, TranscriptRow>([
  [5, agent(3, 'content.0')],
  [6, tool(3, 4)],
  [7, agent(5, 'content.0')],
])

test('a text is found on its row: an answer, a call, and the output that belongs to it', () => {
  expect(rowOfMark(rows, mark(3, 'content.0'))).toBe(5)
  expect(rowOfMark(rows, mark(3, 'content.1.arguments'))).toBe(6)
  expect(rowOfMark(rows, mark(4, 'content'))).toBe(6)
})

test('a text that no row shows is on the first row of its entry', () => {
  expect(rowOfMark(rows, mark(3, 'unknown'))).toBe(5)
})

test('a row that is not there yet is waited for', () => {
  expect(rowOfMark(rows, mark(9, 'content.0'))).toBeNull()
  expect(
    rowOfMark(
      new Map([
        [5, agent(3, 'content.0')],
        [7, agent(5, 'x')],
      ]),
      mark(3, 'content.1'),
    ),
  ).toBe(5)
})

test('the occurrence of a search is counted up to its place', () => {
  expect(nthOf(mark(3, 'p', { at: 4 }), 'a b a b a')).toBe(1)
  expect(nthOf(mark(3, 'p', { nth: 7 }), 'a')).toBe(7)
})

test('the whole text is fetched only for an occurrence beyond what is shown', () => {
  expect(needsWhole(mark(3, 'p', { at: 1 }), shown('a a a a', 'p', true))).toBe(false)
  expect(needsWhole(mark(3, 'p', { at: 90 }), shown('a a a a', 'p', true))).toBe(true)
  expect(needsWhole(mark(3, 'p', { nth: 3 }), shown('a a a a', 'p', true))).toBe(false)
  expect(needsWhole(mark(3, 'p', { nth: 4 }), shown('a a a a', 'p', true))).toBe(true)
  expect(needsWhole(mark(3, 'p', { at: 90 }), shown('a', 'p'))).toBe(false)
})
