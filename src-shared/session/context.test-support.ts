/** For tests: paths as they should be, as nobody expected them, and as an enemy would write them. */
import fc from 'fast-check'
import type { JsonObject } from './json'

/** A path out of entries that say what they are; ids `e0`, `e1`, ..., one second apart. */
export function pathOf(...entries: JsonObject[]): JsonObject[] {
  return entries.map((entry, at) => ({
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: new Date(FIRST_TIME + at * 1_000).toISOString(),
    ...entry,
  }))
}

/** Unix ms of the first entry of a path. */
export const FIRST_TIME = Date.UTC(2026, 0, 2, 3, 4)

export const said = (role: string, more: JsonObject = {}): JsonObject => ({
  type: 'message',
  message: { role, content: [{ type: 'text', text: 'x' }], ...more },
})
export const call = (id: unknown): JsonObject => ({ type: 'toolCall', id, name: 'bash', arguments: {} })
export const result = (toolCallId: unknown): JsonObject => said('toolResult', { toolCallId })
export const calls = (...ids: string[]): JsonObject =>
  said('assistant', { content: [{ type: 'text', text: 'x' }, ...ids.map(call)] })
export const compaction = (firstKeptEntryId: unknown, more: JsonObject = {}): JsonObject => ({
  type: 'compaction',
  summary: 'summary',
  tokensBefore: 10,
  firstKeptEntryId,
  ...more,
})
export const RESET: JsonObject = { type: 'reset_boundary' }
export const ROLLOVER: JsonObject = { details: { kind: 'experimental-context-rollover' } }
export const OPENAI: JsonObject = {
  openaiRemoteCompaction: { provider: 'openai', replacementHistory: [{ type: 'message' }] },
}
export const ANTHROPIC: JsonObject = { anthropicCompaction: { provider: 'anthropic', content: 'summary' } }

export const rolesOf = (messages: readonly { role: string }[]) => messages.map(({ role }) => role).join(' ')

const anyId = fc.constantFrom('e0', 'e1', 'e2', 'e3', 'e5', 'e8', 'gone', '')
const callId = fc.constantFrom<unknown>('a', 'b', 'c', undefined)
const stop = fc.constantFrom('stop', 'stop', 'toolUse', 'aborted', 'error')
const block = fc.oneof(
  callId.map(call),
  callId.map(call),
  fc.constantFrom<JsonObject>(
    { type: 'text', text: '' },
    { type: 'text', text: 'x' },
    { type: 'thinking', thinking: 'x', thinkingSignature: 's' },
    { type: 'redactedThinking', data: 'x' },
    { type: 'fallback' },
  ),
)

/** Any list of messages as they lie in records, with calls, results and failures that fit or do not. */
export const soundMessage: fc.Arbitrary<JsonObject & { role: string }> = fc.oneof(
  fc.constant({ role: 'user', content: 'x' }),
  fc.record({ role: fc.constant('assistant'), content: fc.array(block, { maxLength: 4 }), stopReason: stop }),
  fc.record({ role: fc.constant('assistant'), content: fc.array(block, { maxLength: 4 }), stopReason: stop }),
  callId.map(toolCallId => ({ role: 'toolResult', toolCallId })),
  callId.map(toolCallId => ({ role: 'toolResult', toolCallId })),
  fc.constantFrom('interrupted-thinking', 'x').map(customType => ({ role: 'custom', customType })),
)

/** Entries that mean something for the settings. */
export const settingEntry: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    type: fc.constant('thinking_level_change'),
    thinkingLevel: fc.constantFrom<unknown>('high', 'low', null, undefined, 7),
    configured: fc.constantFrom<unknown>('auto', null, undefined, {}),
  }),
  fc.record({
    type: fc.constant('model_change'),
    model: fc.constantFrom<unknown>('x/one', 'x/two', '', null, 7),
    role: fc.constantFrom<unknown>(undefined, 'default', 'smol', '__proto__', null),
  }),
  fc.constantFrom('one', 'two').map(model => said('assistant', { provider: 'y', model })),
  fc.record({
    type: fc.constant('mode_change'),
    mode: fc.constantFrom('plan', 'none'),
    data: fc.constantFrom<unknown>(undefined, { file: 'x' }, 7, []),
  }),
  fc.record({
    type: fc.constant('ttsr_injection'),
    injectedRules: fc.array(fc.constantFrom<unknown>('a', 'b', 'c', 7)),
  }),
  fc.record({
    type: fc.constant('service_tier_change'),
    serviceTier: fc.constantFrom<unknown>('flex', null),
  }),
)

const shaped: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 6, arbitrary: soundMessage.map(message => ({ type: 'message', message })) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('compaction'),
      summary: fc.constantFrom('', 'summary'),
      firstKeptEntryId: anyId,
      providerReplayThroughEntryId: anyId,
      method: fc.constantFrom('snapcompact', 'soft'),
      preserveData: fc.constantFrom<unknown>(undefined, OPENAI, ANTHROPIC),
      details: fc.constantFrom<unknown>(undefined, ROLLOVER.details),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('custom_message'),
      customType: fc.constantFrom('skill-prompt', 'interrupted-thinking', 'prewalk-plan', ''),
      content: fc.constantFrom<unknown>('x', [], 7),
      attribution: fc.constantFrom<unknown>('user', undefined),
    }),
  },
  fc.constant(RESET),
  fc
    .constantFrom<unknown>({ version: 1, text: 'x' }, { version: 1, text: '' }, null)
    .map(data => ({ type: 'custom', customType: 'experimental_context_notes', data })),
  fc.constantFrom('', 'x').map(summary => ({ type: 'branch_summary', fromId: 'root', summary })),
  settingEntry,
)

/** Paths as omp could have written them. */
export const soundPath = fc.array(shaped, { maxLength: 25 }).map(entries => pathOf(...entries))

const KEYS = [
  ...['id', 'parentId', 'timestamp', 'message', 'summary', 'firstKeptEntryId', 'tokensBefore', 'details'],
  ...[
    'preserveData',
    'providerReplayThroughEntryId',
    'method',
    'customType',
    'content',
    'data',
    'model',
    'role',
  ],
  ...['serviceTier', 'injectedRules', 'mode', 'thinkingLevel', 'configured', 'fromId', 'attribution'],
]

/** Any value in the place of any key: of entries, of their messages, and of what compactions preserve. */
function spoiled(record: JsonObject, key: string, value: unknown): JsonObject {
  const { message, preserveData } = record
  return {
    ...record,
    ...(message === undefined ? {} : { message: { ...Object(message), [key]: value } }),
    ...(preserveData === undefined
      ? {}
      : { preserveData: { openaiRemoteCompaction: value, anthropicCompaction: value, snapcompact: value } }),
    ...(key === 'message' || message === undefined ? { [key]: value } : {}),
  }
}

const hostileRecord: fc.Arbitrary<JsonObject> = fc.oneof(
  shaped,
  fc
    .tuple(
      shaped,
      fc.constantFrom(...KEYS, 'stopReason', 'toolCallId', 'provider', 'retryRecovery'),
      fc.jsonValue(),
    )
    .map(([record, key, value]) => spoiled(record, key, value)),
  fc.dictionary(fc.constantFrom('type', ...KEYS), fc.jsonValue()),
)

/** Paths with wrong types everywhere. */
export const hostilePath = fc.array(hostileRecord, { maxLength: 20 }).map(entries => pathOf(...entries))
