/** What omp wrote, changed by Grove in every way, read and gone on with by omp. */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assertGrew, assertSameFacts } from '../../compare.mjs'
import { append, assistant, turn, user } from '../../messages.mjs'
import { age, artifactsOf } from '../../world.mjs'
import { EVERYTHING } from '../reading.mjs'

const open = file => ({ do: 'open', file })

/** A change by Grove, how many entries it adds, and what omp must then say. `$question` and `$answer` are omp's entries. */
const CHANGES = {
  append: {
    calls: turn('Grove here.', 'Yes.'),
    adds: 2,
    says: (omp, before) => assert.equal(omp.parents.at(-2), before.leafId),
  },
  rename: {
    calls: [{ call: 'setSessionName', args: ['By Grove', 'user'] }],
    adds: 1,
    says: omp => assert.deepEqual([omp.title, omp.titleSource], ['By Grove', 'user']),
  },
  "rename, which omp's user forbids": {
    calls: [{ call: 'setSessionName', args: ['By itself', 'auto'], as: 'renamed' }],
    adds: 0,
    says: (omp, before) => assert.deepEqual([omp.title, omp.titleSource], [before.title, 'user']),
  },
  label: {
    calls: [
      { call: 'setLabel', args: ['$answer', 'by Grove'] },
      { call: 'setLabel', args: ['$question', null] },
    ],
    adds: 2,
    says: (omp, before) => assert.deepEqual(omp.labels, { [before.answers.answer]: 'by Grove' }),
  },
  branch: {
    calls: [{ call: 'branch', args: ['$question'] }, append(assistant('Yet another answer.'))],
    adds: 1,
    says: (omp, before) => {
      assert.deepEqual(omp.path.at(-2), before.answers.question)
      assert.equal(omp.branchPoints[before.answers.question].length, 3)
    },
  },
  'another root': {
    calls: [{ call: 'resetLeaf' }, append(user('From nothing.'))],
    adds: 1,
    says: omp => assert.equal(omp.path.length, 1),
  },
  'branch with a summary': {
    calls: [{ call: 'branchWithSummary', args: ['$answer', 'By Grove.'] }],
    adds: 1,
    says: omp => assert.equal(omp.context.at(-1), 'branchSummary'),
  },
  'continue a branch': {
    calls: [{ call: 'continueBranch', args: ['$answer'] }],
    adds: 1,
    says: (omp, before) => {
      assert.equal(omp.path.at(-2), before.answers.answer)
      assert.deepEqual(omp.context, ['user', 'assistant', 'toolResult', 'assistant'])
    },
  },
  'continue a branch, and undo': {
    calls: [
      { call: 'continueBranch', args: ['$answer'], as: 'marker' },
      { call: 'undoContinueBranch', args: ['$marker'] },
    ],
    adds: 0,
    says: (omp, before) => assert.deepEqual([omp.leafId, omp.context], [before.leafId, before.context]),
  },
  draft: { calls: [{ call: 'saveDraft', args: ['by Grove'] }], adds: 0, says: () => undefined },
  artifact: {
    calls: [{ call: 'saveArtifact', args: ['by Grove\n', 'bash'], as: 'saved' }],
    adds: 0,
    says: () => undefined,
  },
}

/** The ids of omp's entries, put where the calls of a change name them. */
const withIds = (calls, { question, answer }) =>
  JSON.parse(JSON.stringify(calls).replaceAll('$question', question).replaceAll('$answer', answer))

async function everyChange({ world, both }) {
  const { theirs, ours } = await both()
  const names = Object.keys(CHANGES)
  const begin = names.map((_, at) => ({
    do: 'create',
    cwd: world.folder(`code/omp-${at}`),
    calls: EVERYTHING,
  }))
  const before = await theirs.run(begin)
  const files = before.map(({ file }) => file)
  const bytes = files.map(file => readFileSync(file))
  age(files)
  const changed = await ours.run(
    names.map((name, at) => ({
      ...open(files[at]),
      calls: withIds(CHANGES[name].calls, before[at].answers),
    })),
  )
  const after = await theirs.run(files.map(open))
  for (const [at, name] of names.entries()) {
    const { adds, says } = CHANGES[name]
    assertGrew(before[at], after[at], adds, name)
    assertSameFacts(changed[at], after[at], name)
    says(after[at], before[at])
    const now = readFileSync(files[at])
    // The slot is at the beginning; everything else that omp wrote is as it was.
    assert.deepEqual(now.subarray(256, bytes[at].length), bytes[at].subarray(256), `${name}: omp's lines`)
    if (adds === 0) assert.deepEqual(now, bytes[at], `${name}: every byte`)
  }
  const look = [
    { call: 'consumeDraft', as: 'draft' },
    { call: 'getArtifactPath', args: ['1'], as: 'artifact' },
    ...turn('omp again.', 'Yes.'),
  ]
  const grown = await theirs.run(files.map(file => ({ ...open(file), calls: look })))
  assert.equal(grown[names.indexOf('draft')].answers.draft, 'by Grove')
  assert.match(grown[names.indexOf('artifact')].answers.artifact, /\/1\.bash\.log$/)
  const again = await ours.run(files.map(open))
  for (const [at, name] of names.entries()) assertSameFacts(again[at], grown[at], `${name}, after omp`)
}

/** Copies of omp's session that Grove makes or leads elsewhere, and what omp says of them. */
async function everyCopy({ world, both }) {
  const { theirs, ours } = await both()
  const [cwd, fork, moved] = ['code/omp', 'code/fork', 'code/moved'].map(path => world.folder(path))
  const source = await theirs.ask({ do: 'create', cwd, calls: EVERYTHING })
  age([source.file])
  const branch = { call: 'createBranchedSession', args: [source.answers.other], as: 'made' }
  const [branched, forked] = await ours.run([
    { ...open(source.file), calls: [branch] },
    { do: 'fork', file: source.file, cwd: fork },
  ])
  const [gone] = await ours.run([{ ...open(source.file), calls: [{ call: 'moveTo', args: [moved] }] }])
  const grow = turn('omp here.', 'Yes.')
  const opened = await theirs.run([
    open(branched.answers.made.file),
    { do: 'continue', cwd: fork },
    { do: 'continue', cwd: moved },
    { ...open(branched.answers.made.file), calls: grow },
    { do: 'continue', cwd: fork, calls: grow },
    { do: 'continue', cwd: moved, calls: grow },
  ])
  const copies = [branched.answers.made, forked, gone]
  for (const [at, name] of ['branched', 'fork', 'moved'].entries()) {
    assertSameFacts(copies[at], opened[at], name)
    assertGrew(copies[at], opened[at + 3], 2, name)
  }
  for (const copy of [forked, gone]) {
    assert.deepEqual([copy.entryIds, copy.pictures], [source.entryIds, source.pictures])
    assert.ok(existsSync(join(artifactsOf(copy.file), '0.bash.log')))
  }
  const again = await ours.run(copies.map(({ file }) => open(file)))
  for (const [at, session] of again.entries()) assertSameFacts(session, opened[at + 3], 'after omp')
}

/** A session that omp has open: Grove writes its slot and nothing else, and omp goes on undisturbed. */
async function renamedWhileOpen({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/open')
  const { file } = await theirs.ask({ do: 'create', cwd, hold: 'open', calls: turn('Go?', 'Yes.') })
  const { size } = statSync(file)
  const calls = [
    { call: 'appendMessage', args: [user('Grove here.')], refused: 'in-use' },
    { call: 'setSessionName', args: ['By Grove', 'user'], as: 'renamed' },
  ]
  const { answers } = await ours.ask({ ...open(file), calls })
  assert.deepEqual(answers.renamed, { changed: true, slotOnly: true })
  assert.equal(statSync(file).size, size)
  const more = [...turn('And now?', 'Still here.'), { call: 'trouble', as: 'trouble' }]
  const held = await theirs.ask({ do: 'held', name: 'open', calls: more })
  assert.equal(held.answers.trouble, null)
  const opened = await theirs.ask(open(file))
  assert.deepEqual([opened.title, opened.entryIds], ['By Grove', held.entryIds])
}

/** Files of versions 1 and 2 are of version 3 after Grove's first change, with all that was in them. */
async function olderVersions({ world, both }) {
  const { theirs, ours } = await both()
  const samples = world.manifest.sessions.filter(({ version }) => version === 1 || version === 2)
  assert.equal(samples.length, 2)
  for (const { file: name, version, entryCount } of samples) {
    const file = join(world.root, name)
    const copy = join(dirname(file), `copy-of-${version}.jsonl`)
    copyFileSync(file, copy)
    age([file])
    const [byOmp] = await theirs.run([open(copy)])
    const read = await ours.ask(open(file))
    const changed = await ours.ask({ ...open(file), calls: turn('Grove here.', 'Yes.') })
    const omp = await theirs.ask(open(file))
    assert.equal(omp.header.version, 3)
    assertSameFacts(changed, omp, `version ${version}`)
    assertGrew({ ...read, records: [] }, { ...changed, records: [] }, 2, `version ${version}`)
    assert.equal(read.entryIds.length, entryCount)
    // As omp itself would have migrated it, but for the ids that each makes up.
    for (const key of ['types', 'context', 'transcript', 'settings', 'messageCount'])
      assert.deepEqual(read[key], byOmp[key], `version ${version}: ${key}`)
    const grown = await theirs.ask({ ...open(file), calls: turn('omp here.', 'Yes.') })
    assertGrew(changed, grown, 2, `version ${version}, after omp`)
  }
}

export const ompFirstTests = [
  { name: "writing: every change of omp's session", run: everyChange },
  { name: "writing: branched, forked and moved from omp's session", run: everyCopy },
  { name: 'writing: renamed while omp has it open', run: renamedWhileOpen },
  { name: 'writing: files of versions 1 and 2', samples: true, run: olderVersions },
]
