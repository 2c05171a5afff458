/** Sessions of every kind, as calls of Grove's engine. */
import {
  append,
  assistant,
  image,
  PICTURES,
  text,
  toolCall,
  toolResult,
  turn,
  user,
} from '../../messages.mjs'

export const entry = (value, as, options) => ({
  call: 'append',
  args: options === undefined ? [value] : [value, options],
  as,
})

const usage = assistant('').usage

/** One entry of every kind, with every optional key; `$question` is an entry to refer to. */
export const ENTRIES = {
  message: { type: 'message', message: user('Said.') },
  'model_change, plain': { type: 'model_change', model: 'anthropic/mock' },
  'model_change, whole': {
    type: 'model_change',
    model: 'openai/other',
    role: 'smol',
    resolvedModelIsFallback: true,
  },
  thinking_level_change: { type: 'thinking_level_change', thinkingLevel: 'high', configured: 'auto' },
  'thinking_level_change, off': { type: 'thinking_level_change', thinkingLevel: null, configured: null },
  service_tier_change: {
    type: 'service_tier_change',
    serviceTier: { anthropic: 'priority', openai: 'flex' },
  },
  'service_tier_change, none': { type: 'service_tier_change', serviceTier: null },
  'mode_change, plain': { type: 'mode_change', mode: 'none' },
  'mode_change, whole': { type: 'mode_change', mode: 'plan', data: { file: 'plan.md', nested: [1, null] } },
  'compaction, plain': {
    type: 'compaction',
    summary: 'It was about the sky.',
    shortSummary: 'Sky',
    firstKeptEntryId: '$question',
    tokensBefore: 1000,
  },
  'compaction, whole': {
    type: 'compaction',
    summary: 'It was about the sky again.',
    shortSummary: 'Sky',
    firstKeptEntryId: '$question',
    tokensBefore: 1000,
    tokensAfter: 100,
    method: 'remote',
    providerReplayThroughEntryId: '$question',
    details: { readFiles: ['a.ts'], modifiedFiles: [] },
    fromExtension: true,
    preserveData: {
      openaiRemoteCompaction: { provider: 'openai', replacementHistory: [{ type: 'message' }] },
    },
  },
  'branch_summary, plain': { type: 'branch_summary', fromId: '$question', summary: 'The other way.' },
  'branch_summary, whole': {
    type: 'branch_summary',
    fromId: 'root',
    summary: '',
    details: { kind: 'discarded-entry-branch' },
    fromExtension: false,
  },
  label: { type: 'label', targetId: '$question', label: 'start' },
  'label, cleared': { type: 'label', targetId: '$question' },
  title_change: {
    type: 'title_change',
    title: 'What it was called',
    previousTitle: 'Before',
    source: 'auto',
    trigger: 'replan',
  },
  'custom, plain': { type: 'custom', customType: 'todo' },
  'custom, whole': { type: 'custom', customType: 'todo', data: { items: [{ done: false }], none: null } },
  'custom_message, text': {
    type: 'custom_message',
    customType: 'skill',
    content: 'Use the brush.',
    display: true,
    details: { a: 1 },
    attribution: 'agent',
  },
  'custom_message, blocks': {
    type: 'custom_message',
    customType: 'skill',
    content: [text('Use this.'), image(PICTURES.rings)],
    display: false,
    details: {},
    attribution: 'user',
  },
  ttsr_injection: { type: 'ttsr_injection', injectedRules: ['no-any', 'no-any', 'short'] },
  credential_pin: { type: 'credential_pin', provider: 'anthropic', hash: 'ab'.repeat(32) },
  session_init: {
    type: 'session_init',
    systemPrompt: 'You paint.',
    task: 'Paint the sky.',
    tools: ['read', 'bash'],
    agent: 'painter',
    modelRole: 'smol',
    resolvedModel: 'anthropic/mock',
    readOnly: true,
    outputSchema: { type: 'object' },
    outputSchemaMode: 'strict',
    restrictToolNames: true,
    spawns: '*',
    readSummarize: false,
    advisor: 'critic',
    isolated: true,
  },
  model_usage: {
    type: 'model_usage',
    purpose: 'title',
    role: 'smol',
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'mock',
    usage,
    stopReason: 'stop',
    errorMessage: 'none',
  },
  reset_boundary: { type: 'reset_boundary' },
}

const signed = { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'c2ln' }

/** A message of every role and with every kind of block. */
export const MESSAGES = [
  user('Text alone, with \u2028, \u0000, \ud800, 😀 and "quotes"\\'),
  user([text('Blocks.'), image(PICTURES.sunset)]),
  { ...user('Steered.'), steering: true, synthetic: true, attribution: 'user' },
  { role: 'developer', content: 'Be brief.', timestamp: 1, userInitiated: true },
  assistant([
    signed,
    { type: 'redactedThinking', data: 'x'.repeat(2000) },
    text('So.'),
    toolCall('call-1', 'bash', { command: 'ls', nested: { deep: [1, 2.5, -0, null, true] } }),
    toolCall('call-2', 'task', { prompt: 'look' }),
  ]),
  toolResult('call-1', 'bash', [text('out'), image(PICTURES.chart)], { details: { exitCode: 0 } }),
  toolResult('call-2', 'task', 'done', { details: { usage }, isError: true }),
  assistant('cut', { stopReason: 'length' }),
  assistant([], { stopReason: 'error' }),
  { ...assistant('Failed.', { stopReason: 'aborted' }), errorMessage: 'aborted', duration: 12.5, ttft: 3 },
  {
    role: 'bashExecution',
    command: 'ls',
    output: 'a\r\nb',
    exitCode: 0,
    cancelled: false,
    truncated: false,
    timestamp: 2,
    images: [image(PICTURES.rings)],
    excludeFromContext: true,
  },
  { role: 'pythonExecution', code: '1', output: '1', cancelled: false, truncated: false, timestamp: 3 },
  { role: 'custom', customType: 'note', content: [text('Noted.')], display: true, timestamp: 4 },
  {
    role: 'fileMention',
    files: [{ path: 'a.png', content: 'one\ntwo', lineCount: 2, image: image(PICTURES.sunset) }],
    timestamp: 5,
  },
  assistant('At the end.'),
]

/** Bytes that end up as a picture of a certain length in base64; what they show is of no matter. */
const bytesOf = (length, seed) => Buffer.from(Array.from({ length }, (_, at) => (at * 7 + seed) % 256))
const picture = (bytes, mimeType) => ({ type: 'image', data: bytes.toString('base64'), mimeType })

/** 1,024 characters of base64, 1,020 characters, and types with extensions of their own. */
export const PICTURE_MESSAGES = [
  user([
    picture(bytesOf(768, 1), 'image/png'),
    picture(bytesOf(765, 2), 'image/png'),
    picture(bytesOf(3000, 3), 'image/jpeg'),
    picture(bytesOf(3000, 4), 'image/webp'),
    picture(bytesOf(3000, 5), 'image/svg+xml'),
    { ...picture(bytesOf(3000, 3), 'image/jpg'), detail: 'high' },
  ]),
  toolResult('call-1', 'read', [text('the same'), picture(bytesOf(3000, 3), 'image/jpeg')], {
    details: {
      images: [picture(bytesOf(2000, 6), 'image/gif')],
      other: { mimeType: 'image/png', data: 'short' },
    },
  }),
  {
    ...assistant('Seen.'),
    providerPayload: {
      type: 'openaiResponsesHistory',
      items: [
        { type: 'image_generation_call', id: 'i', result: bytesOf(4000, 7).toString('base64') },
        { type: 'message', content: [{ type: 'input_image', image_url: 'data:image/png;base64,aGk=' }] },
      ],
    },
  },
]

export const FRAMES = {
  type: 'compaction',
  summary: 'In pictures.',
  firstKeptEntryId: '$question',
  tokensBefore: 10,
  method: 'snapcompact',
  preserveData: {
    snapcompact: {
      frames: [{ data: bytesOf(2000, 8).toString('base64'), mimeType: 'image/png', font: 'f', variant: 'v' }],
      textHead: 'It was blue.',
      totalChars: 12,
      truncatedChars: 0,
    },
  },
}

const START = [append(user('Why is the sky blue?'), 'question'), append(assistant('Because.'), 'answer')]
const title = (text, source = 'user') => ({ call: 'setSessionName', args: [text, source], as: 'renamed' })

/** Every kind, made by Grove. */
export const KINDS = {
  'every entry': [...START, ...Object.values(ENTRIES).map(value => entry(value))],
  'every message': MESSAGES.map(message => append(message)),
  pictures: [...START, ...PICTURE_MESSAGES.map(message => append(message)), entry(FRAMES)],
  branches: [
    ...START,
    ...turn('And at night?', 'Black.'),
    { call: 'branch', args: ['$question'] },
    append(assistant('Another answer.'), 'other'),
    { call: 'resetLeaf' },
    ...turn('From the beginning?', 'Yes.'),
    entry({ type: 'message', message: user('Elsewhere.') }, 'elsewhere', { parentId: '$answer' }),
    append(user('Here.')),
  ],
  'an entry on another branch last': [
    ...START,
    ...turn('And at night?', 'Black.'),
    entry({ type: 'message', message: user('Elsewhere.') }, 'elsewhere', { parentId: '$answer' }),
  ],
  'branches with summaries': [
    ...START,
    ...turn('And at night?', 'Black.'),
    { call: 'branchWithSummary', args: ['$question', 'The night was black.', { kind: 'left' }] },
    append(assistant('By day.')),
    { call: 'branchWithSummary', args: [null, 'All of it.'] },
    append(user('Anew.')),
  ],
  'a branch continued': [
    ...START,
    ...turn('And at night?', 'Black.'),
    { call: 'continueBranch', args: ['$question'], as: 'marker' },
  ],
  'a branch continued, and gone on with': [
    ...START,
    ...turn('And at night?', 'Black.'),
    { call: 'continueBranch', args: ['$question'], as: 'marker' },
    append(assistant('Otherwise.')),
  ],
  'a branch continued and that undone': [
    ...START,
    ...turn('And at night?', 'Black.'),
    { call: 'continueBranch', args: ['$question'], as: 'marker' },
    { call: 'undoContinueBranch', args: ['$marker'] },
  ],
  labels: [
    ...START,
    { call: 'setLabel', args: ['$question', 'start'] },
    { call: 'setLabel', args: ['$answer', 'первый 空'] },
    ...turn('And at night?', 'Black.'),
    { call: 'setLabel', args: ['$question', 'beginning'] },
    { call: 'setLabel', args: ['$answer', null] },
    { call: 'branch', args: ['$question'] },
    append(assistant('Otherwise.'), 'other'),
    { call: 'setLabel', args: ['$other', 'other'] },
  ],
  'a title': [...START, title('The sky')],
  'a title before anything was said': [title('The sky'), ...START],
  'a title not in Latin, with what JSON escapes': [...START, title('  Цвет\tнеба "空" 😀 \\ \u0007end  ')],
  'a title that fills the slot': [...START, title('x'.repeat(158))],
  'titles, the last by the user': [...START, title('By itself', 'auto'), title('By hand')],
  'titles, the user’s kept': [...START, title('By hand'), title('By itself', 'auto')],
  'a title after a title': [...START, title('One', 'auto'), title('Two', 'auto'), ...turn('And?', 'So.')],
  compaction: [
    ...START,
    ...turn('And at night?', 'Black.'),
    entry(ENTRIES['compaction, plain']),
    ...turn('Go on.', 'Gladly.'),
    entry({ ...ENTRIES['compaction, whole'], firstKeptEntryId: '$answer' }),
    ...turn('Further.', 'Yes.'),
  ],
  'a reset': [...START, entry({ type: 'reset_boundary' }), ...turn('After it.', 'Indeed.')],
  'calls that wait': [
    append(user('Do it.')),
    append(assistant([toolCall('a', 'bash', {}), toolCall('b', 'bash', {})], { stopReason: 'toolUse' })),
    append(toolResult('a', 'bash', 'ok')),
  ],
  'settings before anything was said': [
    entry(ENTRIES['model_change, plain']),
    entry(ENTRIES.thinking_level_change),
    ...START,
  ],
  'nothing said, but put on disk': [append(user('Unanswered.')), { call: 'ensureOnDisk' }],
  'nothing at all, but put on disk': [{ call: 'ensureOnDisk' }],
  'a text of 490,000 characters': [...START, append(user('long '.repeat(98_000)))],
}
