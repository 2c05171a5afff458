/** Line by line, what Grove writes is what omp writes: keys, their order, slot and header; and what 18.2.3 has no words for. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertSameFacts, maskedLines } from '../../compare.mjs'
import { append, assistant, modelUsage, toolResult, user } from '../../messages.mjs'
import { groveEngine } from '../../peer.mjs'
import { age } from '../../world.mjs'
import { ENTRIES, entry, FRAMES, MESSAGES, PICTURE_MESSAGES } from './kinds.mjs'

const { usage, ...usageFacts } = ENTRIES.model_usage
const { type: _type, ...init } = ENTRIES.session_init
const compaction = ({ summary, shortSummary, firstKeptEntryId, tokensBefore, type: _, ...options }) => [
  summary,
  shortSummary,
  firstKeptEntryId,
  tokensBefore,
  options,
]
const compactionOf = value => ({ call: 'appendCompaction', args: compaction(value) })
const custom = ({ customType, content, display, details, attribution }) => [
  customType,
  content,
  display,
  details,
  attribution,
]

/** The call of omp's manager for the entry of that name. */
const BY_OMP = {
  'model_change, plain': ['appendModelChange', 'anthropic/mock'],
  'model_change, whole': ['appendModelChange', 'openai/other', 'smol', true],
  thinking_level_change: ['appendThinkingLevelChange', 'high', 'auto'],
  'thinking_level_change, off': ['appendThinkingLevelChange'],
  service_tier_change: ['appendServiceTierChange', ENTRIES.service_tier_change.serviceTier],
  'service_tier_change, none': ['appendServiceTierChange', null],
  'mode_change, plain': ['appendModeChange', 'none'],
  'mode_change, whole': ['appendModeChange', 'plan', ENTRIES['mode_change, whole'].data],
  'compaction, plain': ['appendCompaction', ...compaction(ENTRIES['compaction, plain'])],
  'compaction, whole': ['appendCompaction', ...compaction(ENTRIES['compaction, whole'])],
  label: ['appendLabelChange', '$question', 'start'],
  'label, cleared': ['appendLabelChange', '$question'],
  'custom, plain': ['appendCustomEntry', 'todo'],
  'custom, whole': ['appendCustomEntry', 'todo', ENTRIES['custom, whole'].data],
  'custom_message, text': ['appendCustomMessageEntry', ...custom(ENTRIES['custom_message, text'])],
  'custom_message, blocks': ['appendCustomMessageEntry', ...custom(ENTRIES['custom_message, blocks'])],
  ttsr_injection: ['appendTtsrInjection', ENTRIES.ttsr_injection.injectedRules],
  credential_pin: ['appendCredentialPin', 'anthropic', ENTRIES.credential_pin.hash],
  session_init: ['appendSessionInit', init],
  reset_boundary: ['appendResetBoundary'],
}

const START = [append(user('Why is the sky blue?'), 'question'), append(assistant('Because.'), 'answer')]
const END = [
  ...MESSAGES.map(message => append(message)),
  { call: 'branchWithSummary', args: ['$question', 'Left.', { kind: 'left' }] },
  { call: 'branchWithSummary', args: [null, 'All of it.'] },
  { call: 'branch', args: ['$answer'] },
  append(user('Go on here.')),
  { call: 'setSessionName', args: ['By itself', 'auto', 'replan'] },
  { call: 'setSessionName', args: ['By hand: небо "空"', 'user'] },
]
const OMP_USAGE = [
  { call: 'getSessionId', as: 'sessionId' },
  {
    call: 'appendModelUsage',
    args: [
      { ...modelUsage, role: 'smol', errorMessage: 'none', usage },
      { sessionId: '$sessionId', parentId: '$answer' },
    ],
  },
]

async function asOmpWrites({ world, both }) {
  const { theirs, ours } = await both()
  const cwds = ['code/by-omp', 'code/by-grove'].map(path => world.folder(path))
  const names = Object.keys(BY_OMP)
  const by = names.map(name => ({ call: BY_OMP[name][0], args: BY_OMP[name].slice(1) }))
  const usageEntry = { ...usageFacts, purpose: 'title', usage }
  const omp = await theirs.ask({ do: 'create', cwd: cwds[0], calls: [...START, ...by, ...END, ...OMP_USAGE] })
  const grove = await ours.ask({
    do: 'create',
    cwd: cwds[1],
    calls: [
      ...START,
      ...names.map(name => entry(ENTRIES[name])),
      ...END,
      entry(usageEntry, 'u', { parentId: '$answer' }),
    ],
  })
  const [theirLines, ourLines] = [omp, grove].map(({ file }, at) => maskedLines(file, { [cwds[at]]: 'CWD' }))
  for (const [at, line] of theirLines.entries()) {
    // omp tells keys of an appended usage in the order in which it is given them.
    if (line.includes('"model_usage"')) assert.deepEqual(JSON.parse(ourLines[at]), JSON.parse(line))
    else assert.equal(ourLines[at], line, `line ${at + 1}`)
  }
  assert.equal(ourLines.length, theirLines.length)
  assert.ok(ourLines.length > names.length + MESSAGES.length)
}

/** The same references at the same positions, and the same blobs under the same names, whoever puts them there first. */
async function samePictures({ world, omp, start }) {
  const calls = [...START, ...[...PICTURE_MESSAGES, ...MESSAGES].map(message => append(message))]
  const made = {}
  for (const side of ['theirs', 'ours']) {
    const agentDir = world.folder(side)
    const env = { PI_CODING_AGENT_DIR: agentDir }
    const program = await start(side === 'theirs' ? omp.start(world, env) : groveEngine(world, env))
    const frames = side === 'theirs' ? compactionOf(FRAMES) : entry(FRAMES)
    const { file } = await program.ask({ do: 'create', cwd: world.home, calls: [...calls, frames] })
    const blobs = readdirSync(join(agentDir, 'blobs')).sort()
    made[side] = { blobs, references: readFileSync(file, 'utf8').match(/blob:sha256:[0-9a-f]{64}/g) }
  }
  assert.deepEqual(made.ours, made.theirs)
  assert.ok(made.ours.references.length >= 10 && made.ours.blobs.some(name => name.endsWith('.webp')))
}

const later = {
  'warning of a compaction': { ...ENTRIES['compaction, plain'], warning: 'much was left out' },
  'threshold of a subagent': {
    ...ENTRIES.session_init,
    compactionThreshold: { thresholdPercent: 80, thresholdTokens: 100_000 },
  },
  'an entry of a kind to come': { type: 'hologram', light: [1, 2], summary: 'x' },
}

/** omp 18.2.3 cannot write these; it keeps them, also when it writes the file anew. */
async function laterFields({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/later')
  const made = await ours.ask({
    do: 'create',
    cwd,
    calls: [...START, ...Object.values(later).map(value => entry(value))],
  })
  const lines = () =>
    readFileSync(made.file, 'utf8')
      .split('\n')
      .slice(2, 2 + made.entryIds.length)
  const written = lines()
  const [opened, rewritten, tried] = await theirs.run([
    { do: 'open', file: made.file },
    { do: 'open', file: made.file, calls: [{ call: 'rewriteEntries' }] },
    {
      do: 'create',
      cwd,
      calls: [
        ...START,
        {
          call: 'appendCompaction',
          args: ['It.', 'It', '$question', 1, { warning: 'much was left out' }],
          as: 'c',
        },
        { call: 'getEntry', args: ['$c'], as: 'entry' },
      ],
    },
  ])
  assertSameFacts(made, opened, 'as omp opens it')
  assert.deepEqual(lines(), written, 'omp keeps every byte of them in a file that it writes anew')
  assert.equal(rewritten.entryIds.length, made.entryIds.length)
  assert.equal('warning' in tried.answers.entry, false, "omp's own call takes no warning")
}

/** The artifact has all of it: Grove leaves it out as 18.3 does, 18.2.3 writes it. */
async function structuredContent({ world, both }) {
  const { theirs, ours } = await both()
  const details = {
    serverName: 's',
    mcpToolName: 't',
    structuredContent: { rows: [1, 2, 3] },
    meta: { truncation: { artifactId: '0' } },
  }
  const calls = [...START, append(toolResult('c', 'mcp', 'cut', { details }))]
  const last = ({ file }) => JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1)).message.details
  const step = { do: 'create', cwd: world.folder('code/mcp'), calls }
  const [omp, grove] = [await theirs.ask(step), await ours.ask(step)]
  const { structuredContent, ...rest } = details
  assert.deepEqual(last(omp), details)
  assert.deepEqual(last(grove), rest)
  assertSameFacts(grove, await theirs.ask({ do: 'open', file: grove.file }), 'as omp opens it')
  age([omp.file])
}

export const lineTests = [
  { name: 'writing: line by line as omp writes', run: asOmpWrites },
  { name: 'writing: pictures become the same blobs', run: samePictures },
  { name: 'writing: what later versions of omp write', run: laterFields },
  { name: 'difference: structured content that an artifact holds', run: structuredContent },
]
