import { describe, expect, it } from 'vitest'
import { FIRST_TIME, pathOf, said } from './context.test-support'
import { beginsTurn, entryMessage, isUserRequest, modelMessage } from './context-messages'
import type { JsonObject } from './json'

const messageOfEntry = (entry: JsonObject) => entryMessage(pathOf(entry)[0] ?? {})
const failed = (content: unknown) => modelMessage(said('assistant', { stopReason: 'error', content }))
const custom = (more: JsonObject): JsonObject => ({ type: 'custom_message', content: 'x', ...more })

describe('entryMessage', () => {
  it('is none for an entry that is no part of the conversation', () => {
    for (const type of [
      'label',
      'custom',
      'compaction',
      'model_change',
      'reset_boundary',
      'hologram',
      7,
      null,
    ])
      expect(messageOfEntry({ type, message: { role: 'user' }, summary: 'x', content: 'x' })).toBeNull()
  })

  it('is none for a message without a role', () => {
    for (const message of [undefined, null, 'x', [], {}, { role: 7 }])
      expect(messageOfEntry({ type: 'message', message })).toBeNull()
  })

  it('of a custom message has what the entry says, and defaults for the rest', () => {
    const details = { startedAt: 7 }
    const full = custom({ customType: 'rewind-report', display: true, details, attribution: 'user' })
    expect(messageOfEntry(full)).toEqual({
      role: 'custom',
      customType: 'rewind-report',
      content: 'x',
      display: true,
      details,
      attribution: 'user',
      timestamp: FIRST_TIME,
    })
    expect(
      messageOfEntry(custom({ customType: '', display: 'yes', content: [], timestamp: 'soon' })),
    ).toEqual({
      role: 'custom',
      customType: 'custom-message',
      content: [],
      display: false,
    })
    expect(messageOfEntry(custom({ attribution: 'somebody' }))).toMatchObject({ attribution: 'agent' })
    for (const content of [undefined, null, 7, {}]) expect(messageOfEntry(custom({ content }))).toBeNull()
  })

  it('of a branch summary is there when it has a text', () => {
    const summary = { type: 'branch_summary', fromId: 'root', summary: 'x' }
    expect(messageOfEntry(summary)).toEqual({
      role: 'branchSummary',
      fromId: 'root',
      summary: 'x',
      timestamp: FIRST_TIME,
    })
    for (const text of ['', undefined, 7]) expect(messageOfEntry({ ...summary, summary: text })).toBeNull()
  })
})

describe('modelMessage', () => {
  it('leaves out a failure before any output', () => {
    const nothing = [
      { type: 'text', text: ' \n' },
      { type: 'thinking', thinking: '', thinkingSignature: '' },
      { type: 'redactedThinking', data: '' },
      { type: 'fallback' },
    ]
    for (const content of [nothing, [], '', ' ', undefined, {}]) expect(failed(content)).toBeNull()
  })

  it('keeps a failure with any output, also of a kind that is not known', () => {
    const some = [
      { type: 'text', text: 'x' },
      { type: 'thinking', thinking: '', thinkingSignature: 's' },
      { type: 'redactedThinking', data: 'x' },
      { type: 'toolCall' },
      { type: 'hologram' },
      'x',
    ]
    for (const block of some) expect(failed([block])).not.toBeNull()
    expect(failed('x')).not.toBeNull()
  })

  it('keeps empty answers that did not fail', () => {
    expect(modelMessage(said('assistant', { stopReason: 'stop', content: [] }))).not.toBeNull()
    expect(modelMessage(said('user', { stopReason: 'error', content: [] }))).not.toBeNull()
  })
})

describe('turns', () => {
  it('begin with what a user asked, also by a skill', () => {
    const byUser = { customType: 'skill-prompt', attribution: 'user' }
    for (const entry of [said('user'), said('custom', byUser), custom(byUser)])
      expect(isUserRequest(entry)).toBe(true)
    for (const entry of [
      said('developer'),
      said('custom'),
      custom({ ...byUser, content: 7 }),
      { type: 'user' },
    ])
      expect(isUserRequest(entry)).toBe(false)
  })

  it('begin on the screen with prompts, commands of the user, summaries and notes', () => {
    for (const entry of [said('user'), said('bashExecution'), custom({}), { type: 'branch_summary' }])
      expect(beginsTurn(entry)).toBe(true)
    for (const entry of [said('assistant'), said('custom'), said('pythonExecution'), { type: 'compaction' }])
      expect(beginsTurn(entry)).toBe(false)
  })
})
