import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blobHashesIn, blobHashOf } from './blob-refs'
import type { JsonObject } from './json'
import { splitPrompt } from './prompt'
import { saneTime } from './sane-time'
import { SessionFacts } from './session-facts'
import { cutText, listText, oneLine, visiblePath, visibleText } from './text'

const NOW = Date.parse('2026-02-01T00:00:00.000Z')
const HASH = 'ab'.repeat(32)

function factsOf(...records: JsonObject[]): SessionFacts {
  const facts = new SessionFacts(NOW)
  for (const [at, record] of records.entries()) facts.add(record, at, 10)
  return facts
}
const says = (role: string, more: object = {}): JsonObject => ({
  type: 'message',
  message: { role, ...more },
})
const prompt = (text: string) => says('user', { content: [{ type: 'text', text }] })

describe('usage', () => {
  it('sums assistant messages, results of task and model_usage, over all entries', () => {
    const usage = (output: number, cost?: number) => ({
      input: 1,
      output,
      totalTokens: output + 1,
      ...(cost === undefined ? {} : { cost: { total: cost } }),
    })
    const facts = factsOf(
      says('assistant', { provider: 'p', model: 'm', usage: usage(2, 0.5) }),
      says('toolResult', { toolName: 'task', details: { usage: usage(3, 0.25) } }),
      says('toolResult', { toolName: 'bash', details: { usage: usage(100, 9) } }),
      { type: 'model_usage', provider: 'p', model: 'm', usage: usage(5) },
      says('assistant', { usage: 'none' }),
    )
    expect(facts.usage).toMatchObject({
      input: 3,
      output: 10,
      totalTokens: 13,
      cost: 0.75,
      withoutCost: 1,
      messages: 3,
    })
    expect([...facts.usageByModel.keys()]).toEqual(['p/m', 'subagents'])
    expect(factsOf(prompt('x')).usage.cost).toBeNull()
  })
})

describe('labels and status', () => {
  it('replays labels in file order; an empty one clears', () => {
    const label = (targetId: unknown, text?: unknown): JsonObject => ({
      type: 'label',
      targetId,
      label: text,
    })
    const facts = factsOf(
      label('a', 'one'),
      label('b', 'two'),
      label('a', 'three'),
      label('b', ''),
      label(7, 'x'),
    )
    expect([...facts.labels]).toEqual([['a', 'three']])
  })

  it.each([
    ['complete', says('assistant', { content: [], stopReason: 'stop' })],
    ['interrupted', says('assistant', { content: [{ type: 'toolCall' }], stopReason: 'toolUse' })],
    ['interrupted', says('assistant', { stopReason: 'length' })],
    ['interrupted', says('toolResult')],
    ['error', says('assistant', { stopReason: 'error' })],
    ['aborted', says('assistant', { stopReason: 'aborted' })],
    ['pending', says('user')],
    ['unknown', says('bashExecution')],
  ])('is %s after %j, whatever follows that is no message', (status, record) => {
    expect(factsOf(record, { type: 'custom', customType: 'session_exit' }).status).toBe(status)
  })

  it('is unknown without messages', () => expect(factsOf({ type: 'custom' }).status).toBe('unknown'))
})

describe('prompts', () => {
  it('skips injected blocks and keeps real markup', () => {
    expect(splitPrompt('<system-reminder>x</system-reminder>\n\nFix it')).toMatchObject({ text: 'Fix it' })
    expect(splitPrompt('<div>why?</div>')).toEqual({ injected: '', text: '<div>why?</div>' })
    expect(splitPrompt('<environment_details a="1">x</environment_details><env>y</env> go').text).toBe('go')
    expect(splitPrompt('<system-reminder>never closed').text).toBe('<system-reminder>never closed')
    const facts = factsOf(
      prompt('<env>x</env>'),
      says('user', { content: 'made', synthetic: true }),
      prompt('real'),
      prompt('last'),
    )
    expect(facts).toMatchObject({ firstPrompt: 'real', lastPrompt: 'last', promptCount: 2 })
  })
})

describe('times', () => {
  it('are sane between 2000 and tomorrow, seconds and numeric text understood', () => {
    const then = Date.parse('2026-01-01T00:00:00.000Z')
    for (const value of [then, then / 1000, String(then), '2026-01-01T00:00:00.000Z'])
      expect(saneTime(value, NOW)).toBe(then)
    for (const value of [
      0,
      '1970-01-01T00:00:00Z',
      '2099-01-01',
      'not a date',
      '5',
      '12',
      '',
      null,
      {},
      Number.NaN,
      -1,
    ])
      expect(saneTime(value, NOW)).toBeNull()
  })

  it('take the last sane one of the file, and keep the raw one when it is not', () => {
    const at = (timestamp: unknown): JsonObject => ({ type: 'custom', timestamp })
    const facts = factsOf(at('2026-01-03T00:00:00Z'), at('2026-01-01T00:00:00Z'), at('2099-01-01'))
    expect(facts).toMatchObject({ lastTime: Date.parse('2026-01-01T00:00:00Z'), lastRawTime: '2099-01-01' })
  })
})

describe('text', () => {
  it('is cut at whole characters as people count them', () => {
    const unit = fc.constantFrom('a', ' ', '\n', 'é', 'e\u0301', '败', '👩‍👧‍👦', '🇩🇪', '🏽')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), fc.integer({ min: 1, max: 20 }), (units, max) => {
        const text = units.join('')
        const segments = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
        const cut = cutText(text, max)
        if (segments.length <= max) expect(cut).toBe(text)
        else expect(cut).toBe(`${segments.slice(0, max).join('').trimEnd()}…`)
      }),
    )
  })

  it('shows what acts in secret', () => {
    expect(visibleText('a\u001b]8;;x\u0007b\u202ec\u061cd\ud800e')).toBe('a␛]8;;x␇b[U+202E]c[U+061C]d\ufffde')
    expect(visiblePath('/a\nb/c\td\u202e')).toBe('/a␊b/c␉d[U+202E]')
    expect(oneLine(' a\n\tb\u2028c ')).toBe('a b c')
    expect(listText(`${'x'.repeat(400)}`, 300)).toBe(`${'x'.repeat(300)}…`)
  })
})

describe('blob references', () => {
  it('are exactly 64 lowercase hex digits, at any depth', () => {
    expect(blobHashOf(`blob:sha256:${HASH}`)).toBe(HASH)
    for (const wrong of [
      `blob:sha256:${HASH.toUpperCase()}`,
      `blob:sha256:${HASH}x`,
      `blob:sha256:../${HASH.slice(3)}`,
      `${HASH}`,
      7,
    ])
      expect(blobHashOf(wrong)).toBeNull()
    let deep: unknown = `blob:sha256:${HASH}`
    for (let at = 0; at < 50_000; at++) deep = [deep]
    expect(blobHashesIn({ a: deep, b: { data: `blob:sha256:${HASH}` } })).toEqual([HASH, HASH])
  })
})
