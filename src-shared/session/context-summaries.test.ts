import { describe, expect, it } from 'vitest'
import { ANTHROPIC, compaction, FIRST_TIME, OPENAI, pathOf, RESET, said } from './context.test-support'
import { compactionSummary, notesMessage, supersededSummary } from './context-summaries'
import type { JsonObject } from './json'

const BARE = { payload: false, archive: false }
const WHOLE = { payload: true, archive: true }
const summaryOf = (more: JsonObject, parts = WHOLE) => {
  const [retained, record = {}] = pathOf(said('user'), compaction('e0', more))
  return compactionSummary(record, retained, parts)
}
const notes = (data: unknown) => ({ type: 'custom', customType: 'experimental_context_notes', data })
const contentOf = (...entries: JsonObject[]) => notesMessage(pathOf(...entries))?.content ?? null

describe('compactionSummary', () => {
  it('has what the entry says, and no key for what it does not', () => {
    const more = { shortSummary: 'short', tokensAfter: 3, method: 'soft', warning: 'little was won' }
    expect(summaryOf(more)).toEqual({
      role: 'compactionSummary',
      summary: 'summary',
      tokensBefore: 10,
      timestamp: FIRST_TIME + 1_000,
      ...more,
    })
    expect(compactionSummary({ summary: 7, tokensBefore: 'many' }, undefined, WHOLE)).toEqual({
      role: 'compactionSummary',
      summary: '',
    })
  })

  it("carries OpenAI's history", () => {
    const providerPayload = {
      type: 'openaiResponsesHistory',
      provider: 'openai',
      items: [{ type: 'message' }],
    }
    expect(summaryOf({ preserveData: { ...OPENAI, ...ANTHROPIC } })).toMatchObject({ providerPayload })
    expect(summaryOf({ preserveData: OPENAI }, BARE)).not.toHaveProperty('providerPayload')
  })

  it("carries Anthropic's summary, dated before what was kept", () => {
    const preserveData = {
      anthropicCompaction: {
        provider: 'anthropic',
        content: 'x',
        encryptedContent: 'e',
        filesText: '',
        model: 'm',
      },
    }
    expect(summaryOf({ preserveData })).toMatchObject({
      providerPayload: {
        type: 'anthropicCompaction',
        provider: 'anthropic',
        content: 'x',
        encryptedContent: 'e',
      },
      timestamp: FIRST_TIME - 1,
    })
    const empty = { anthropicCompaction: { provider: 'anthropic', content: '' } }
    expect(summaryOf({ preserveData: empty })).not.toHaveProperty('providerPayload')
  })

  it('carries the archive, oldest first, its pictures as references', () => {
    const frame = { data: `blob:sha256:${'0'.repeat(64)}`, mimeType: 'image/png', cols: 1, rows: 1, chars: 1 }
    const spoiled = [null, { ...frame, data: '' }, { ...frame, cols: 'many' }]
    const snapcompact = { frames: [frame, ...spoiled], textHead: 'oldest', textTail: 'newest' }
    expect(summaryOf({ preserveData: { snapcompact } })).toMatchObject({
      blocks: [
        { type: 'text', text: 'oldest' },
        { type: 'image', data: frame.data, mimeType: 'image/png' },
        { type: 'text', text: 'newest' },
      ],
    })
    expect(summaryOf({ preserveData: { snapcompact } }, BARE)).not.toHaveProperty('blocks')
    expect(summaryOf({ preserveData: { snapcompact: { frames: spoiled } } })).not.toHaveProperty('blocks')
  })
})

describe('supersededSummary', () => {
  it('tells when and how much, and not what', () => {
    const [record = {}] = pathOf(compaction('e0', { summary: 'secret', preserveData: OPENAI }))
    const message = supersededSummary(record)
    expect(message).toMatchObject({ role: 'compactionSummary', tokensBefore: 10, timestamp: FIRST_TIME })
    expect(JSON.stringify(message)).not.toMatch(/secret|providerPayload/)
  })
})

describe('notesMessage', () => {
  it('is the newest notes', () => {
    const path = pathOf(notes({ version: 1, text: 'old' }), notes({ version: 1, text: 'new' }), said('user'))
    expect(notesMessage(path)).toEqual({
      role: 'custom',
      customType: 'experimental_context_notes',
      content: 'new',
      display: false,
      timestamp: FIRST_TIME + 1_000,
    })
  })

  it('is none after a reset, after notes were emptied, and without any', () => {
    const some = notes({ version: 1, text: 'x' })
    expect(contentOf(some, RESET, said('user'))).toBeNull()
    expect(contentOf(some, notes({ version: 1, text: '' }))).toBeNull()
    expect(contentOf(said('user'))).toBeNull()
  })

  it('passes over what has another form', () => {
    const most = 'é'.repeat(8_192)
    for (const data of [
      null,
      'x',
      { version: 2, text: 'y' },
      { version: 1, text: 'y', more: 1 },
      { version: 1 },
    ])
      expect(contentOf(notes({ version: 1, text: 'x' }), notes(data))).toBe('x')
    expect(contentOf(notes({ version: 1, text: 'x' }), notes({ version: 1, text: `${most}.` }))).toBe('x')
    expect(contentOf(notes({ version: 1, text: most }))).toBe(most)
  })
})
