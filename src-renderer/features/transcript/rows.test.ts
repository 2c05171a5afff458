import type { ShownText, ToolRow } from '@shared/ipc/models/transcript-models'
import { describe, expect, test } from 'vitest'
import { canFold, firstLine, formatDuration, isUnfolded, noteStart, outlineAt, toolFacts } from './row-facts'

const shown = (text: string): ShownText => ({
  text,
  cut: false,
  chars: text.length,
  lines: text.split('\n').length,
  part: 'p',
})

function tool(change: Partial<ToolRow>): ToolRow {
  return {
    kind: 'tool',
    key: 'k',
    ordinal: 3,
    entryId: null,
    time: null,
    rawTime: null,
    labels: [],
    fork: null,
    head: false,
    model: null,
    name: 'bash',
    callId: 'c',
    summary: 'npm test',
    intent: null,
    state: 'ok',
    exitCode: null,
    durationMs: null,
    added: null,
    removed: null,
    args: shown('npm test'),
    output: shown('ok\ndone'),
    diff: null,
    images: [],
    extraResults: 0,
    resultOrdinal: 4,
    subagents: [],
    ...change,
  }
}

const folded = { folds: new Map<string, boolean>(), unfoldAll: { thinking: false, tool: false } }
const diff = (lines: number) => ({
  lines: Array.from({ length: lines }, (_, n) => ({ sign: '+' as const, number: n, text: `l${n}` })),
  cut: false,
})

describe('tool rows', () => {
  test('say what matters', () => {
    expect(toolFacts(tool({ exitCode: 1, durationMs: 48_000 })).map(fact => fact.text)).toEqual([
      'exit 1',
      '48 s',
      '2 lines',
    ])
    expect(toolFacts(tool({ added: 5, removed: 2, diff: diff(7) })).map(fact => fact.text)).toEqual([
      '+5',
      '\u22122',
    ])
    expect(toolFacts(tool({ state: 'none', output: null })).map(fact => fact.text)).toEqual(['no result'])
    expect(toolFacts(tool({ state: 'error', output: null })).map(fact => fact.text)).toEqual(['failed'])
  })

  test('are folded, but for small diffs, until one says otherwise', () => {
    expect(isUnfolded(tool({}), folded)).toBe(false)
    expect(isUnfolded(tool({ diff: diff(8) }), folded)).toBe(true)
    expect(isUnfolded(tool({ diff: diff(80) }), folded)).toBe(false)
    expect(isUnfolded(tool({}), { ...folded, unfoldAll: { thinking: false, tool: true } })).toBe(true)
    expect(isUnfolded(tool({ diff: diff(8) }), { ...folded, folds: new Map([['k', false]]) })).toBe(false)
    expect(canFold(tool({ args: null, output: null }))).toBe(false)
  })
})

test('durations are written in words of one or two parts', () => {
  expect([240, 4200, 48_000, 59_900, 200_000, 3_900_000].map(formatDuration)).toEqual([
    '240 ms',
    '4.2 s',
    '48 s',
    '1 min',
    '3 min 20 s',
    '1 h 5 min',
  ])
})

test('the first line that says something', () => {
  expect(firstLine('\n\n  ## **Plan** for `x`\nmore')).toBe('Plan for x')
  expect(firstLine('---\n')).toBe('')
})

test('an unknown record tells more in one line than its brace', () => {
  const record = '{\n  "type": "holodeck",\n  "scene": "forest"\n}'
  expect(noteStart('unknown', record)).toBe('{ "type": "holodeck", "scene": "forest" }')
  expect(noteStart('custom', '{\n  "a": 1\n}')).toBe('{')
})

test('the outline knows which prompt one is in', () => {
  const items = [{ row: 2 }, { row: 10 }, { row: 11 }]
  expect([0, 2, 9, 10, 500].map(row => outlineAt(items, row))).toEqual([-1, 0, 0, 1, 2])
})
