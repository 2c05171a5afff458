/** What a model gets of a session, and a reader, is the same by Grove and by omp. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspectAll } from '../grove.mjs'
import { append, assistant, text, toolCall, toolResult, turn, user } from '../messages.mjs'
import { sessionFiles } from '../world.mjs'
import { randomConversation } from './random-conversation.mjs'

const ofRoles = roles => ({ length: roles.length, roles })

function assertSameContext(inspection, omp, name) {
  const { context, transcript } = inspection
  assert.deepEqual(context, { ...ofRoles(omp.context), ...omp.settings }, `context: ${name}`)
  assert.deepEqual(transcript, ofRoles(omp.transcript), `transcript: ${name}`)
}

/** A journal out of entries; each hangs under the one before, and has the id `e0`, `e1`, ..., where it says nothing else. */
function writeJournal(world, name, entries) {
  const cwd = world.folder('code/context')
  const folder = join(world.sessionsDir, '-code-context')
  mkdirSync(folder, { recursive: true })
  const timestamp = at => new Date(Date.UTC(2026, 0, 2, 3, 4) + at * 1_000).toISOString()
  const records = entries.map((entry, at) => ({
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: timestamp(at),
    ...entry,
  }))
  const header = { type: 'session', version: 3, id: `context-${name}`, timestamp: timestamp(0), cwd }
  const file = join(folder, `2026-01-02T03-04-00-000Z_context-${name}.jsonl`)
  writeFileSync(file, [header, ...records].map(record => `${JSON.stringify(record)}\n`).join(''))
  return file
}

const said = message => ({ type: 'message', message })
const asks = (question = 'How?') => said(user(question))
const says = (answer = 'So.', more) => said(assistant(answer, more))
const calls = (...ids) =>
  says([text('Let me see.'), ...ids.map(id => toolCall(id, 'bash', {}))], { stopReason: 'toolUse' })
const answers = id => said(toolResult(id, 'bash', 'ok'))
const bash = more =>
  said({ role: 'bashExecution', command: 'ls', output: '', cancelled: false, truncated: false, ...more })
const noted = (customType, content = 'Note.', more) => ({
  type: 'custom_message',
  customType,
  content,
  display: false,
  ...more,
})
const notes = (data, more) => ({ type: 'custom', customType: 'experimental_context_notes', data, ...more })
const compaction = (firstKeptEntryId, more) => ({
  type: 'compaction',
  summary: 'It was about the sky.',
  firstKeptEntryId,
  tokensBefore: 1_000,
  ...more,
})
const RESET = { type: 'reset_boundary' }
const FOUR = [asks(), says(), asks(), says()]

const openai = { openaiRemoteCompaction: { provider: 'openai', replacementHistory: [{ type: 'message' }] } }
const anthropic = { anthropicCompaction: { provider: 'anthropic', content: 'The sky.' } }
const archive = { snapcompact: { frames: [], textHead: 'The sky was blue.', totalChars: 17 } }
const rollover = { details: { kind: 'experimental-context-rollover' } }
const ofUser = { attribution: 'user' }

const changesModel = (model, role) => ({ type: 'model_change', model, ...(role ? { role } : {}) })
const ofModel = (provider, model) => said({ ...assistant('Yes.'), provider, model })

/** Every kind of path, with the roles that the model must get of it: the kinds are what they say. */
const KINDS = {
  plain: [FOUR, 'user assistant user assistant'],
  'a branch': [[...FOUR, { ...asks('Or else?'), parentId: 'e1' }, says()], 'user assistant user assistant'],
  'another root': [[...FOUR, { ...asks(), parentId: null }], 'user'],
  'a label last': [
    [...FOUR, { type: 'label', targetId: 'e0', label: 'start' }],
    'user assistant user assistant',
  ],
  'a summary of a branch': [
    [...FOUR, { type: 'branch_summary', fromId: 'e3', summary: 'Night.', parentId: 'e1' }, asks()],
    'user assistant branchSummary user',
  ],
  'a mark without a summary': [
    [...FOUR, { type: 'branch_summary', fromId: 'root', summary: '', parentId: 'e1' }, asks()],
    'user assistant user',
  ],
  'an unknown entry': [[asks(), { type: 'hologram', summary: 'x' }, says()], 'user assistant'],
  compaction: [
    [...FOUR, compaction('e2'), asks(), says()],
    'compactionSummary user assistant user assistant',
  ],
  'compaction that kept nothing': [[...FOUR, compaction('gone'), asks()], 'compactionSummary user'],
  'compaction that kept itself': [[...FOUR, compaction('e4'), asks()], 'compactionSummary user'],
  'compaction that keeps half a turn': [
    [asks(), calls('a'), answers('a'), says(), compaction('e1'), asks()],
    'compactionSummary assistant toolResult assistant user',
  ],
  'two compactions': [
    [...FOUR, compaction('e2'), asks(), says(), compaction('e3'), asks()],
    'compactionSummary assistant user assistant user',
  ],
  'a compaction made again': [
    [
      ...FOUR,
      compaction('e2', { method: 'snapcompact' }),
      compaction('e2', { method: 'snapcompact', preserveData: archive }),
    ],
    'compactionSummary user assistant',
  ],
  'compaction by OpenAI': [
    [...FOUR, compaction('e2', { preserveData: openai }), asks()],
    'compactionSummary user',
  ],
  'compaction by OpenAI, with later entries': [
    [...FOUR, compaction('e0', { preserveData: openai, providerReplayThroughEntryId: 'e2' }), asks()],
    'compactionSummary assistant user',
  ],
  'compaction by Anthropic': [
    [...FOUR, compaction('e2', { preserveData: anthropic }), asks()],
    'compactionSummary user assistant user',
  ],
  'a rollover': [
    [...FOUR, calls('a'), answers('a'), compaction('e5', rollover)],
    'compactionSummary user toolResult',
  ],
  'a rollover after a skill': [
    [...FOUR, noted('skill-prompt', 'Paint.', ofUser), says(), compaction('e5', rollover)],
    'compactionSummary custom assistant',
  ],
  'a rollover after a reset': [
    [asks(), RESET, calls('a'), answers('a'), compaction('e3', rollover)],
    'compactionSummary toolResult',
  ],
  'a reset': [[...FOUR, RESET, asks(), says()], 'user assistant'],
  'a reset last': [[...FOUR, RESET], ''],
  'a reset after compaction': [[...FOUR, compaction('e2'), asks(), RESET, asks()], 'user'],
  'compaction after a reset': [
    [asks(), RESET, asks(), says(), compaction('e0'), asks()],
    'compactionSummary user user assistant user',
  ],
  'calls and results': [
    [asks(), calls('a', 'b'), answers('a'), answers('b')],
    'user assistant toolResult toolResult',
  ],
  'a call that waits': [[asks(), calls('a')], 'user assistant'],
  'nothing but a call that waits': [[asks(), says([toolCall('a', 'bash', {})])], 'user'],
  'one of two calls answered': [
    [asks(), calls('a', 'b'), answers('b'), asks()],
    'user assistant toolResult user',
  ],
  'a result on another branch': [
    [asks(), says([toolCall('a', 'bash', {})]), answers('a'), { ...asks(), parentId: 'e1' }],
    'user user',
  ],
  'thinking beside a call that waits': [
    [
      asks(),
      says([
        { type: 'redactedThinking', data: 'x' },
        { type: 'thinking', thinking: 'Hm.', thinkingSignature: 's' },
        toolCall('a', 'bash', {}),
      ]),
      says([{ type: 'redactedThinking', data: 'x' }, toolCall('b', 'bash', {})]),
    ],
    'user assistant',
  ],
  'an aborted turn': [[asks(), says('I', { stopReason: 'aborted' }), asks()], 'user user'],
  'an aborted turn with a result': [
    [asks(), said({ ...calls('a').message, stopReason: 'aborted' }), answers('a'), asks()],
    'user user',
  ],
  'an interrupted turn': [
    [asks(), says('I', { stopReason: 'aborted' }), noted('interrupted-thinking'), asks()],
    'user assistant custom user',
  ],
  'a failed turn': [[asks(), says('I', { stopReason: 'error' })], 'user'],
  'a failed turn without output': [
    [asks(), says([], { stopReason: 'error' }), noted('interrupted-thinking')],
    'user custom',
  ],
  'a turn cut by length': [[asks(), says('I', { stopReason: 'length' })], 'user assistant'],
  'a failure that was got over': [
    [asks(), said({ ...assistant('I'), retryRecovery: { attempt: 1 } }), says()],
    'user assistant',
  ],
  'custom messages': [
    [
      noted('skill-prompt', [text('Paint.')], ofUser),
      noted('prewalk-plan'),
      noted('vibe-mode-context'),
      noted('', 'unnamed'),
      noted('no-content', 7),
      said({ role: 'custom', customType: 'plan', content: 'x', display: true }),
      { type: 'custom', customType: 'todo', data: {} },
    ],
    'custom custom custom',
  ],
  'other roles': [
    [
      bash({ excludeFromContext: true }),
      said({ role: 'developer', content: 'x' }),
      said({ role: 'fileMention', files: [] }),
    ],
    'bashExecution developer fileMention',
  ],
  notes: [
    [...FOUR, notes({ version: 1, text: 'Sky.' }), compaction('e3')],
    'custom compactionSummary assistant',
  ],
  'notes of another form': [
    [asks(), notes({ version: 1, text: 'Sky.' }), notes({ version: 2, text: 'Sky.' })],
    'custom user',
  ],
  'notes that were emptied': [
    [asks(), notes({ version: 1, text: 'Sky.' }), notes({ version: 1, text: '' })],
    'user',
  ],
  'notes before a reset': [[notes({ version: 1, text: 'Sky.' }), RESET, asks()], 'user'],
  settings: [
    [
      ofModel('openai', 'early'),
      changesModel('anthropic/chosen'),
      changesModel('anthropic/small', 'smol'),
      ofModel('openai', 'fallback'),
      { type: 'thinking_level_change', thinkingLevel: 'high', configured: 'auto' },
      { type: 'mode_change', mode: 'plan', data: { file: 'plan.md' } },
      { type: 'service_tier_change', serviceTier: 'priority' },
    ],
    'assistant assistant',
  ],
  'settings taken back': [
    [
      { type: 'thinking_level_change', thinkingLevel: 'high' },
      { type: 'thinking_level_change', thinkingLevel: null },
      { type: 'mode_change', mode: 'plan' },
      { type: 'mode_change', mode: 'none' },
      changesModel('anthropic/fallback', 'fallback'),
      ofModel('openai', 'early'),
      ofModel('openai', 'late'),
    ],
    'assistant assistant',
  ],
  'nothing but a header': [[], ''],
}

async function everyKind({ world, omp }) {
  const kinds = Object.entries(KINDS)
  const files = kinds.map(([, [entries]], at) => writeJournal(world, at, entries))
  const opened = omp.run(
    world,
    files.map(file => ({ do: 'open', file })),
  )
  const inspections = await inspectAll(world, files)
  for (const [at, [kind, [, roles]]] of kinds.entries()) {
    assert.equal(opened[at].context.join(' '), roles, `omp: ${kind}`)
    assertSameContext(inspections[at], opened[at], kind)
  }
}

/** Conversations made of everything at random, always the same: what nobody thought of. */
async function atRandom({ world, omp }) {
  const files = Array.from({ length: 60 }, (_, seed) =>
    writeJournal(world, `random-${seed}`, randomConversation(seed)),
  )
  const opened = omp.run(
    world,
    files.map(file => ({ do: 'open', file })),
  )
  const inspections = await inspectAll(world, files)
  for (const [at, file] of files.entries()) assertSameContext(inspections[at], opened[at], file)
  const roles = new Set(opened.flatMap(({ context }) => context))
  assert.ok(roles.size >= 7, 'messages of most kinds are left')
}

const CONVERSATION = [
  { call: 'appendModelChange', args: ['anthropic/mock'] },
  { call: 'appendThinkingLevelChange', args: ['high', 'auto'] },
  append(user('Why is the sky blue?'), 'question'),
  append(assistant([toolCall('call-1', 'read', {})], { stopReason: 'toolUse' })),
  append(toolResult('call-1', 'read', 'air'), 'result'),
  append(assistant('Because of the air.'), 'answer'),
  { call: 'branchWithSummary', args: ['$question', 'The other way led to the air.'] },
  { call: 'appendModeChange', args: ['plan', { file: 'plan.md' }] },
  { call: 'appendCustomMessageEntry', args: ['skill', 'Use the brush.', true, {}] },
  append(assistant([text('Hm.'), toolCall('call-2', 'read', {})], { stopReason: 'aborted' })),
  append(toolResult('call-2', 'read', 'aborted')),
]

/** The same conversation as omp's own manager keeps it while it goes on, at each of several ends. */
async function whatOmpAppends({ world, omp }) {
  const cwd = world.folder('code/sky')
  const ends = [
    [],
    turn('And at night?', 'Black.'),
    [
      { call: 'appendCompaction', args: ['All about the sky.', 'Sky', '$question', 1000, {}] },
      ...turn('And?', 'So.'),
    ],
    [{ call: 'appendResetBoundary' }, ...turn('After the reset.', 'Indeed.')],
    [{ call: 'branchWithSummary', args: [null, 'From the start.'] }],
    [{ call: 'branch', args: ['$result'] }, append(user('Go on here.'))],
  ]
  const made = omp.run(
    world,
    ends.map(end => ({ do: 'create', cwd, calls: [...CONVERSATION, ...end] })),
  )
  const inspections = await inspectAll(
    world,
    made.map(({ file }) => file),
  )
  for (const [at, session] of made.entries()) assertSameContext(inspections[at], session, `end ${at}`)
  assert.equal(new Set(made.map(({ context }) => context.join())).size, ends.length)
}

/** Samples that omp cannot open, or of which it reads less, by its words: docs/interop.md, Where omp reads less. */
const KNOWN_REASONS = [/usage\.cost\.total/, /null is not an object/, /header is missing or malformed/]

async function samples({ world, omp }) {
  const files = sessionFiles(world.sessionsDir)
  const opened = omp.try(
    world,
    files.map(file => ({ do: 'open', file })),
  )
  const inspections = await inspectAll(world, files)
  let compared = 0
  for (const [at, file] of files.entries()) {
    const { ok, error } = opened[at]
    const inspection = inspections[at]
    if (ok === undefined) {
      assert.ok(
        KNOWN_REASONS.some(reason => reason.test(error)),
        `${world.short(file)}: ${error}`,
      )
    } else if (ok.entryIds.length === inspection.entryCount) {
      assertSameContext(inspection, ok, world.short(file))
      compared++
    } else {
      assert.ok(ok.entryIds.length < inspection.entryCount, `omp reads less of ${world.short(file)}`)
    }
  }
  assert.ok(files.length - compared <= 8 && compared >= 40, `${compared} of ${files.length} compared`)
}

export const contextTests = [
  { name: 'context: every kind of path', run: everyKind },
  { name: 'context: sixty random conversations', run: atRandom },
  { name: "context: what omp's own manager keeps", run: whatOmpAppends },
  { name: 'context: all samples that omp opens', samples: true, run: samples },
]
