/** Entries as JSON: every type that can be added, and every way to get one wrong. */
import { describe, expect, it } from 'vitest'
import { entryOf } from './entry-input'

const model = { api: 'a', provider: 'p', model: 'm' }
const defaults = { now: 1234, model: () => model }
const of = (value: unknown) => entryOf(JSON.stringify(value), defaults)

const VALID = [
  { type: 'message', message: { role: 'user', content: 'hi', timestamp: 1 } },
  { type: 'message', message: { role: 'developer', content: [{ type: 'text', text: 'x' }], timestamp: 1 } },
  {
    type: 'message',
    message: {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'bash',
      content: [],
      isError: false,
      timestamp: 1,
    },
  },
  {
    type: 'message',
    message: {
      role: 'bashExecution',
      command: 'ls',
      output: '',
      cancelled: false,
      truncated: false,
      timestamp: 1,
    },
  },
  {
    type: 'message',
    message: {
      role: 'pythonExecution',
      code: '1',
      output: '',
      cancelled: false,
      truncated: false,
      timestamp: 1,
    },
  },
  { type: 'message', message: { role: 'custom', customType: 'x', content: '', display: true, timestamp: 1 } },
  { type: 'message', message: { role: 'fileMention', files: [{ path: 'a', content: '' }], timestamp: 1 } },
  { type: 'model_change', model: 'p/m/n', role: 'smol' },
  { type: 'thinking_level_change', thinkingLevel: 'high', configured: 'auto' },
  { type: 'service_tier_change', serviceTier: null },
  { type: 'service_tier_change', serviceTier: { openai: 'priority' } },
  { type: 'mode_change', mode: 'plan', data: { any: [1] } },
  { type: 'compaction', summary: 's', firstKeptEntryId: 'a', tokensBefore: 0, preserveData: {} },
  { type: 'branch_summary', fromId: 'root', summary: '', details: { kind: 'x' } },
  { type: 'reset_boundary' },
  { type: 'label', targetId: 'a', label: 'name' },
  { type: 'label', targetId: 'a' },
  { type: 'title_change', title: 't', source: 'auto' },
  { type: 'custom', customType: 'x', data: { ü: '\u2028' }, unknownKey: 1 },
  { type: 'custom_message', customType: 'x', content: [{ type: 'text', text: '' }], display: false },
  { type: 'ttsr_injection', injectedRules: ['a'] },
  { type: 'credential_pin', provider: 'p', hash: 'ab'.repeat(32) },
  { type: 'session_init', systemPrompt: '', task: 't', tools: [], spawns: '*' },
]

it.each(VALID)('takes %j as it is', entry => {
  expect(of(entry)).toEqual({ ok: true, value: entry })
})

describe('completes what omp reads without looking', () => {
  const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

  it('of a message its time; of an answer who gave it, how it ended, what it took', () => {
    const message = { role: 'assistant', content: [], usage: { output: 7 }, model: 'own' }
    expect(of({ type: 'message', message })).toEqual({
      ok: true,
      value: {
        type: 'message',
        message: {
          role: 'assistant',
          content: [],
          api: 'a',
          provider: 'p',
          model: 'own',
          stopReason: 'stop',
          timestamp: 1234,
          usage: { ...zero, output: 7, totalTokens: 0, cost: { ...zero, total: 0 } },
        },
      },
    })
    expect(of({ type: 'message', message: { role: 'user', content: '' } })).toMatchObject({
      value: { message: { timestamp: 1234 } },
    })
  })

  it('of the result of a subagent what it took', () => {
    const result = { role: 'toolResult', toolCallId: 'c', toolName: 'task', content: [], isError: false }
    const message = { ...result, details: { usage: { input: 5 }, more: 1 } }
    expect(of({ type: 'message', message })).toMatchObject({
      value: { message: { details: { usage: { ...zero, input: 5, cost: { total: 0 } }, more: 1 } } },
    })
  })

  it('of a change of the thinking level, and of usage', () => {
    expect(of({ type: 'thinking_level_change', thinkingLevel: null })).toMatchObject({
      value: { thinkingLevel: null, configured: null },
    })
    const usage = {
      type: 'model_usage',
      purpose: 'x',
      api: 'a',
      provider: 'p',
      model: 'm',
      stopReason: 'stop',
    }
    expect(of({ ...usage, usage: { cost: { total: 1 } } })).toMatchObject({
      value: { usage: { input: 0, cost: { total: 1, input: 0 } } },
    })
  })
})

const WRONG: [what: string, json: string, said: string][] = [
  ['no JSON', '{', 'no JSON'],
  ['a list', '[]', 'must be a JSON object'],
  ['no type', '{}', 'needs a type'],
  ['a type of no entry', '{"type":"session"}', 'needs a type'],
  ['a name every object has', '{"type":"toString"}', 'needs a type'],
  ['an id', '{"type":"reset_boundary","id":"a"}', 'id is given'],
  ['a parent', '{"type":"reset_boundary","parentId":null}', 'parentId is given'],
  ['a time', '{"type":"reset_boundary","timestamp":""}', 'timestamp is given'],
  ['no message', '{"type":"message"}', 'message needs message'],
  ['a message of text', '{"type":"message","message":"x"}', 'message of message must be an object'],
  ['no role', '{"type":"message","message":{"content":""}}', 'needs a role'],
  ['a role of contexts only', '{"type":"message","message":{"role":"branchSummary"}}', 'needs a role'],
  ['no content', '{"type":"message","message":{"role":"user"}}', 'a message of role user needs content'],
  [
    'an answer of text',
    '{"type":"message","message":{"role":"assistant","content":"x"}}',
    'content of a message of role assistant must be a list of blocks',
  ],
  [
    'a time of text',
    '{"type":"message","message":{"role":"user","content":"","timestamp":"now"}}',
    'timestamp of a message of role user must be a number',
  ],
  ['no custom type', '{"type":"custom"}', 'custom needs customType'],
  ['an empty custom type', '{"type":"custom","customType":""}', 'must be text that is not empty'],
  ['a model without provider', '{"type":"model_change","model":"m"}', 'provider/model'],
  [
    'tokens below zero',
    '{"type":"compaction","summary":"","firstKeptEntryId":"a","tokensBefore":-1}',
    'tokensBefore',
  ],
  ['a label for nothing', '{"type":"label","label":"x"}', 'label needs targetId'],
  ['a source nobody knows', '{"type":"title_change","title":"","source":"me"}', 'one of user, auto'],
  ['a tier nobody knows', '{"type":"service_tier_change","serviceTier":{"openai":"best"}}', 'serviceTier'],
  ['rules that are no texts', '{"type":"ttsr_injection","injectedRules":[1]}', 'a list of texts'],
  ['half a hash', '{"type":"credential_pin","provider":"p","hash":"ab"}', '64 hexadecimal digits'],
]

it.each(WRONG)('refuses %s, and says what is wrong', (_, json, said) => {
  const refused = entryOf(json, defaults)
  expect(refused).toMatchObject({ ok: false, error: { code: 'invalid-argument' } })
  if (!refused.ok) expect(refused.error.message).toContain(said)
})
