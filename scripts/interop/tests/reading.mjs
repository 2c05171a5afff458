/** What Grove reads in a session file is what omp reads in it. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { grove, inspectAll } from '../grove.mjs'
import {
  append,
  assistant,
  image,
  modelUsage,
  PICTURES,
  text,
  toolCall,
  toolResult,
  turn,
  user,
} from '../messages.mjs'
import { artifactsOf, sessionFiles } from '../world.mjs'

const COST_DIGITS = 9

/** omp's sum is 0 where nothing tells a cost; Grove's is null. */
const rounded = cost => Number((cost ?? 0).toFixed(COST_DIGITS))

function countBy(values) {
  const counts = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** Entries that nothing hangs under, in file order; an entry that names itself as its parent has no child in that. */
function tipsOf({ entryIds, parents }) {
  const withChildren = new Set(parents.filter((parent, at) => parent !== entryIds[at]))
  return entryIds.filter(id => !withChildren.has(id))
}

/** omp's facts in the words of `inspect`. */
function inGrovesWords(omp) {
  const { input, output, cacheRead, cacheWrite, totalTokens, cost } = omp.usage
  return {
    id: omp.id,
    cwd: omp.header.cwd ?? null,
    parentSession: omp.header.parentSession ?? null,
    title: omp.title,
    titleSource: omp.titleSource,
    entryCount: omp.entryIds.length,
    messageCount: omp.messageCount,
    types: countBy(omp.types),
    leafId: omp.leafId,
    path: omp.path,
    roots: omp.roots,
    branchPoints: omp.branchPoints,
    tips: tipsOf(omp),
    labels: omp.labels,
    usage: { input, output, cacheRead, cacheWrite, totalTokens, cost: rounded(cost) },
  }
}

/** The same facts out of `inspect`. */
function ofInspection(facts, words) {
  const usage = { ...facts.usage, cost: rounded(facts.usage.cost) }
  return Object.fromEntries(Object.keys(words).map(key => [key, key === 'usage' ? usage : facts[key]]))
}

function assertSameReading(inspection, omp, name) {
  const words = inGrovesWords(omp)
  assert.deepEqual(ofInspection(inspection, words), words, name)
}

/** A session with everything that omp's SessionManager appends, on several branches. */
export const EVERYTHING = [
  { call: 'appendModelChange', args: ['anthropic/mock'] },
  { call: 'appendThinkingLevelChange', args: ['high', 'auto'] },
  append(user([text('Why is this picture blue?'), image(PICTURES.sunset)]), 'question'),
  append(
    assistant([text('Let me look.'), toolCall('call-1', 'read', { path: 'sky.png' })], {
      stopReason: 'toolUse',
    }),
  ),
  append(toolResult('call-1', 'read', [text('a picture'), image(PICTURES.chart)]), 'result'),
  append(assistant('Because of the sky.', { tokens: [100, 50], cost: 0.5 }), 'answer'),
  { call: 'appendLabelChange', args: ['$question', 'start'] },
  { call: 'appendLabelChange', args: ['$answer', 'first answer'] },
  { call: 'branch', args: ['$question'] },
  append(assistant([toolCall('call-2', 'task', { prompt: 'look' })], { stopReason: 'toolUse' })),
  append(toolResult('call-2', 'task', 'done', { details: { usage: assistant('').usage } })),
  append(assistant('Another answer.'), 'other'),
  { call: 'appendLabelChange', args: ['$answer', undefined] },
  { call: 'appendCompaction', args: ['All about the sky.', 'Sky', '$other', 1000, {}] },
  ...turn('And at night?', 'Black.'),
  { call: 'branchWithSummary', args: ['$result', 'The other way led to the night.'] },
  { call: 'appendModeChange', args: ['plan', { file: 'plan.md' }] },
  { call: 'appendCustomEntry', args: ['todo', { items: 1 }] },
  { call: 'appendCustomMessageEntry', args: ['skill', 'Use the brush.', true, {}] },
  { call: 'appendTtsrInjection', args: [['no-any']] },
  { call: 'appendServiceTierChange', args: [{ anthropic: 'priority' }] },
  { call: 'setSessionName', args: ['The colour of the sky, наука, 空', 'user'] },
  { call: 'resetLeaf' },
  append(user('From the very beginning, once more.')),
  append(assistant('Gladly.')),
  { call: 'appendResetBoundary' },
  ...turn('After the reset.', 'Indeed.'),
  { call: 'saveArtifact', args: ['line\n'.repeat(20), 'bash'] },
  { call: 'saveDraft', args: ['and what about dusk'] },
]

function everythingThatOmpWrites({ world, omp }) {
  const cwd = world.folder('code/sky')
  const made = omp.ask(world, { do: 'create', cwd, calls: EVERYTHING })
  const inspection = grove(world, 'inspect', made.file)
  const [again, [listed]] = omp.run(world, [
    { do: 'open', file: made.file },
    { do: 'list', cwd },
  ])
  assertSameReading(inspection, again, 'as omp reads it back')
  assert.equal(made.entryIds.length, again.entryIds.length)
  assert.deepEqual(Object.keys(again.branchPoints).length, 3, 'the session branches at three places')
  assert.equal(inspection.version, 3)
  assert.equal(inspection.status, listed.status)
  assert.equal(inspection.title, listed.title)
  assert.equal(inspection.firstPrompt, 'Why is this picture blue?')
  assert.deepEqual(inspection.damagedLines, [])
  assert.deepEqual(inspection.problems, [])
  assert.deepEqual(inspection.blobs, {
    referenced: new Set(again.images.map(({ sha256 }) => sha256)).size,
    missing: 0,
  })
  assert.equal(inspection.draft, 'and what about dusk')
  assert.deepEqual(
    inspection.artifacts.map(({ name, bytes }) => ({ name, bytes })),
    [{ name: '0.bash.log', bytes: 100 }],
  )
  const [row] = grove(world, 'list')
  assert.equal(row.path, made.file)
  assert.equal(row.messageCount, again.messageCount)
  assert.ok(row.messageCount >= listed.messageCount, "omp's own listing counts a part of them")
  assert.equal(row.tips, tipsOf(again).length)
  assert.equal(Date.parse(row.created), listed.created)
}

const ENDINGS = {
  complete: turn('Do it.', 'Done.'),
  pending: [...turn('Do it.', 'Done.'), append(user('And that.'))],
  aborted: [append(user('Do it.')), append(assistant('I', { stopReason: 'aborted' }))],
  error: [append(user('Do it.')), append(assistant('I', { stopReason: 'error' }))],
  length: [append(user('Do it.')), append(assistant('I', { stopReason: 'length' }))],
  calling: [
    append(user('Do it.')),
    append(assistant([toolCall('c', 'bash', {})], { stopReason: 'toolUse' })),
  ],
  answered: [
    append(user('Do it.')),
    append(assistant([toolCall('c', 'bash', {})], { stopReason: 'toolUse' })),
    append(toolResult('c', 'bash', 'ok')),
  ],
  'with usage last': [
    ...turn('Do it.', 'Done.'),
    { call: 'getSessionId', as: 'sessionId' },
    { call: 'getLeafId', as: 'parentId' },
    { call: 'appendModelUsage', args: [modelUsage, { sessionId: '$sessionId', parentId: '$parentId' }] },
  ],
}

async function everyEnding({ world, omp }) {
  const cwd = world.folder('code/endings')
  const made = omp.run(
    world,
    Object.values(ENDINGS).map(calls => ({ do: 'create', cwd, calls })),
  )
  const opened = omp.run(world, [{ do: 'list', cwd }, ...made.map(({ file }) => ({ do: 'open', file }))])
  const [listed, ...again] = opened
  const inspections = await inspectAll(
    world,
    made.map(({ file }) => file),
  )
  for (const [at, ending] of Object.keys(ENDINGS).entries()) {
    const inspection = inspections[at]
    assert.equal(inspection.status, listed.find(({ path }) => path === made[at].file)?.status, ending)
    assertSameReading(inspection, again[at], ending)
  }
}

async function forks({ world, omp }) {
  const cwd = world.folder('code/origin')
  const elsewhere = world.folder('code/elsewhere')
  const origin = omp.ask(world, { do: 'create', cwd, calls: [...EVERYTHING.slice(0, 12)] })
  const [fork, branched, otherFork] = omp.run(world, [
    { do: 'open', file: origin.file, calls: [{ call: 'fork' }] },
    {
      do: 'open',
      file: origin.file,
      calls: [{ call: 'createBranchedSession', args: [origin.answers.result] }],
    },
    { do: 'fork', file: origin.file, cwd: elsewhere },
  ])
  const made = [fork, branched, otherFork]
  assert.equal(new Set([origin, ...made].map(({ file }) => file)).size, 4)
  const again = omp.run(
    world,
    made.map(({ file }) => ({ do: 'open', file })),
  )
  const inspections = await inspectAll(
    world,
    made.map(({ file }) => file),
  )
  for (const [at, { file }] of made.entries()) {
    assertSameReading(inspections[at], again[at], world.short(file))
  }
  const parents = inspections.map(({ parentSession }) => parentSession)
  assert.deepEqual(parents, [origin.id, origin.file, origin.id])
}

/** The sessions of the manifest that omp and Grove must read alike: whole files of the present version. */
function soundSamples({ sessions }) {
  return sessions.filter(({ version, kind }) => version === 3 && kind !== 'damaged')
}

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }

/** Gives a cost of nothing to every usage that tells none, which omp cannot read. Returns how many there were. */
function tellCosts(file) {
  let told = 0
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map(line => {
      const entry = line === '' ? {} : JSON.parse(line)
      const usage = entry.usage ?? entry.message?.usage
      if (usage === undefined || usage.cost !== undefined) return line
      usage.cost = NO_COST
      told++
      return JSON.stringify(entry)
    })
  if (told > 0) writeFileSync(file, lines.join('\n'))
  return told
}

async function samplesOfThisVersion({ world, omp }) {
  const samples = soundSamples(world.manifest)
  const journals = samples.map(({ file }) => join(world.root, file))
  const subagents = journals.flatMap(file => {
    const prefix = `${artifactsOf(file)}/`
    return sessionFiles(world.sessionsDir).filter(path => path.startsWith(prefix))
  })
  assert.ok(samples.length >= 30 && subagents.length >= 2, 'there are samples')
  const files = [...journals, ...subagents]
  for (const file of files) tellCosts(file)
  const inspections = await inspectAll(world, files)
  const rows = new Map(grove(world, 'list').map(row => [row.path, row]))
  const [all, ...opened] = omp.run(world, [{ do: 'listAll' }, ...files.map(file => ({ do: 'open', file }))])
  for (const [at, file] of files.entries()) assertSameReading(inspections[at], opened[at], world.short(file))
  for (const [at, file] of journals.entries()) {
    const listed = all.find(({ path }) => path === file)
    assert.ok(listed, `omp lists ${world.short(file)}`)
    assert.equal(inspections[at].status, listed.status, `status of ${world.short(file)}`)
    const row = rows.get(file)
    const { entryCount, messageCount, status, title } = inspections[at]
    assert.deepEqual(
      [row.entryCount, row.messageCount, row.status, row.title, Date.parse(row.created)],
      [entryCount, messageCount, status, title, listed.created],
    )
  }
}

/** omp adds up `usage.cost.total` without looking whether there is a cost; Grove reads such a file. */
function usageWithoutCost({ world, omp }) {
  const sample = world.manifest.sessions.find(({ tags }) => tags.includes('usage-without-cost'))
  const file = join(world.root, sample.file)
  assert.throws(() => omp.ask(world, { do: 'open', file }), /usage\.cost\.total/)
  assert.ok(
    omp.ask(world, { do: 'listAll' }).some(({ path }) => path === file),
    'omp lists it all the same',
  )
  assert.equal(grove(world, 'inspect', file).entryCount, sample.entryCount)
  assert.ok(tellCosts(file) > 0)
  assertSameReading(grove(world, 'inspect', file), omp.ask(world, { do: 'open', file }), 'with costs')
}

/** Where omp reads less of a damaged file than Grove does: what its `open` then does. */
const LESS_IN_OMP = {
  glued: (inspection, { ok }) => assert.equal(ok.entryIds.length, inspection.entryCount - 1),
  'null-line': (_, { error }) => assert.match(error, /null is not an object/),
  'no-header': (_, { error }) => assert.match(error, /header is missing or malformed/),
  'zero-byte': (inspection, { ok }) => assert.deepEqual([ok.entryIds, ok.id === inspection.id], [[], false]),
}

async function damagedSamples({ world, omp }) {
  const samples = world.manifest.sessions.filter(({ kind }) => kind === 'damaged')
  const files = samples.map(({ file }) => join(world.root, file))
  const inspections = await inspectAll(world, files)
  const opened = omp.try(
    world,
    files.map(file => ({ do: 'open', file })),
  )
  for (const [at, { key }] of samples.entries()) {
    if (key in LESS_IN_OMP) LESS_IN_OMP[key](inspections[at], opened[at])
    else assertSameReading(inspections[at], opened[at].ok ?? assert.fail(opened[at].error), key)
  }
  assert.ok(samples.length >= Object.keys(LESS_IN_OMP).length + 3, 'most can be opened')
}

/** Older versions are migrated by both; the ids of version 1 are made up by each. */
async function samplesOfOtherVersions({ world, omp }) {
  const samples = world.manifest.sessions.filter(({ version }) => [1, 2, 4].includes(version))
  assert.deepEqual(samples.map(({ version }) => version).sort(), [1, 2, 4])
  const files = samples.map(({ file }) => join(world.root, file))
  const before = files.map(file => readFileSync(file, 'utf8'))
  const inspections = await inspectAll(world, files)
  assert.deepEqual(
    files.map(file => readFileSync(file, 'utf8')),
    before,
  )
  const opened = omp.run(
    world,
    files.map(file => ({ do: 'open', file })),
  )
  for (const [at, { version }] of samples.entries()) {
    const words = inGrovesWords(opened[at])
    const facts = ofInspection(inspections[at], words)
    if (version !== 1) {
      assert.deepEqual(facts, words, `version ${version}`)
      continue
    }
    for (const key of ['leafId', 'path', 'roots', 'branchPoints', 'tips', 'labels']) {
      const shape = value => (Array.isArray(value) ? value.length : Object.keys(value ?? {}).length)
      assert.equal(shape(facts[key]), shape(words[key]), key)
      delete facts[key]
      delete words[key]
    }
    assert.deepEqual(facts, words)
  }
}

export const readingTests = [
  { name: 'reading: a session with everything that omp writes', run: everythingThatOmpWrites },
  { name: 'reading: every way in which a conversation can end', run: everyEnding },
  { name: "reading: omp's forks and branched sessions", run: forks },
  { name: 'reading: all sound samples and their subagents', samples: true, run: samplesOfThisVersion },
  { name: 'reading: usage without cost, which omp cannot open', samples: true, run: usageWithoutCost },
  { name: 'reading: damaged samples', samples: true, run: damagedSamples },
  { name: 'reading: samples of versions 1, 2 and 4', samples: true, run: samplesOfOtherVersions },
]
