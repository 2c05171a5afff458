/** Conversations of everything that matters to the context, drawn at random: what nobody thought of. */

import { createRandom } from '../../samples/prng.mjs'
import { assistant, toolResult, user } from '../messages.mjs'

const CALLS = ['a', 'b', 'c']
const STOPS = ['stop', 'stop', 'toolUse', 'error', 'aborted']
const METHODS = [undefined, 'soft', 'snapcompact', 'snapcompact']
const PRESERVED = [
  undefined,
  undefined,
  { openaiRemoteCompaction: { provider: 'openai', replacementHistory: [{ type: 'message' }] } },
  { openaiRemoteCompaction: { provider: '', replacementHistory: [] } },
  { anthropicCompaction: { provider: 'anthropic', content: 'Summary.' } },
]
const CUSTOM_TYPES = [
  'interrupted-thinking',
  'skill-prompt',
  'collab-prompt',
  'prewalk-plan',
  'vibe-mode-context',
]
const NOTES = [
  { version: 1, text: 'Note.' },
  { version: 1, text: '' },
  { version: 2, text: 'Note.' },
]

function block({ pick }) {
  return pick([
    { type: 'text', text: pick(['', 'Yes.']) },
    { type: 'thinking', thinking: pick(['', 'Hm.']), thinkingSignature: pick(['', 's']) },
    { type: 'redactedThinking', data: 'x' },
    { type: 'toolCall', id: pick(CALLS), name: 'bash', arguments: {} },
    { type: 'toolCall', id: pick(CALLS), name: 'bash', arguments: {} },
  ])
}

function answer(random) {
  const { int, pick } = random
  const message = assistant(
    Array.from({ length: int(4) }, () => block(random)),
    { stopReason: pick(STOPS) },
  )
  return {
    ...message,
    provider: pick(['one', 'other']),
    ...(int(10) === 0 ? { retryRecovery: { attempt: 1 } } : {}),
  }
}

const said = message => ({ type: 'message', message })

/** Makers of one entry each; what is there several times comes more often. `anyId` is an entry's id, or none. */
const MAKERS = [
  () => said(user('How?')),
  random => said(answer(random)),
  random => said(answer(random)),
  random => said(answer(random)),
  ({ pick }) => said(toolResult(pick(CALLS), 'bash', 'ok')),
  ({ pick }) => said(toolResult(pick(CALLS), 'bash', 'ok')),
  () => said({ role: 'bashExecution', command: 'ls', output: '', cancelled: false, truncated: false }),
  ({ pick }) => ({
    type: 'custom_message',
    customType: pick(CUSTOM_TYPES),
    content: pick(['Text.', [], 7]),
    attribution: pick(['user', 'agent', undefined]),
  }),
  ({ pick }) => ({ type: 'branch_summary', fromId: 'root', summary: pick(['', 'Branch.']) }),
  ({ pick }, anyId) => ({
    type: 'compaction',
    summary: 'Summary.',
    firstKeptEntryId: anyId(),
    tokensBefore: 1_000,
    method: pick(METHODS),
    providerReplayThroughEntryId: pick([undefined, anyId()]),
    preserveData: pick(PRESERVED),
    details: pick([undefined, { kind: 'experimental-context-rollover' }]),
  }),
  () => ({ type: 'reset_boundary' }),
  ({ pick }) => ({ type: 'custom', customType: 'experimental_context_notes', data: pick(NOTES) }),
  ({ pick }) => ({
    type: 'model_change',
    model: pick(['', 'x/y']),
    role: pick([undefined, 'default', 'smol']),
  }),
  ({ pick }) => ({ type: 'thinking_level_change', thinkingLevel: pick([null, 'high']) }),
  ({ pick }) => ({ type: 'mode_change', mode: pick(['plan', 'none']) }),
]

/** Entries without id, parent and time; a few hang under an earlier entry than the one before. */
export function randomConversation(seed) {
  const random = createRandom(`conversation/${seed}`)
  const length = 5 + random.int(30)
  return Array.from({ length }, (_, at) => {
    const anyId = () => `e${random.int(length)}`
    const entry = random.pick(MAKERS)(random, anyId)
    return at > 0 && random.int(15) === 0 ? { ...entry, parentId: `e${random.int(at)}` } : entry
  })
}
