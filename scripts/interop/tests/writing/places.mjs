/** Branched sessions, forks and moves of Grove's, judged by omp and compared with omp's own. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assertGrew, assertSameFacts, maskedLines } from '../../compare.mjs'
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
import { age, artifactsOf, everythingBelow } from '../../world.mjs'

/** A conversation with a branch, pictures, a title, labels off the path, usage; no label stands on a path. */
const WORK = [
  append(user([text('What is this?'), image(PICTURES.rings)]), 'question'),
  append(assistant('A logo.'), 'logo'),
  { call: 'setSessionName', args: ['Rings', 'user'], as: 'renamed' },
  { call: 'branch', args: ['$question'] },
  append(assistant('Rings.'), 'answer'),
  ...turn('And why green?', 'Leaves.'),
]

const open = file => ({ do: 'open', file })

/** As omp's own branched session, where no label stands on the path; where one does, omp cuts the chain. */
async function branched({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/branched')
  const source = await ours.ask({ do: 'create', cwd, calls: WORK })
  const { question, answer } = source.answers
  const tip = source.leafId
  const branch = { call: 'createBranchedSession', args: [tip], as: 'made' }
  const [labelled] = await ours.run([
    { ...open(source.file), calls: [{ call: 'setLabel', args: [answer, 'green'] }, branch] },
  ])
  const made = labelled.answers.made
  const [opened, theirSource] = await theirs.run([
    open(made.file),
    { ...open(source.file), calls: [branch, { call: 'getSessionFile', as: 'file' }] },
  ])
  assertSameFacts(made, opened, "Grove's branched session, opened by omp")
  assert.deepEqual(opened.context, ['user', 'assistant', 'user', 'assistant'])
  assert.deepEqual(opened.labels, { [answer]: 'green' })
  assert.equal(opened.header.parentSession, source.file)
  assert.deepEqual(opened.path.slice(0, 2), [question, answer])
  const words = { [cwd]: 'CWD' }
  assert.deepEqual(
    maskedLines(made.file, words),
    maskedLines(theirSource.file, words),
    'the same lines as in the session that omp branches off there',
  )
  await theirs.run([{ ...open(made.file), calls: turn('omp here.', 'Yes.') }])
  age([made.file])
  const [again] = await ours.run([{ ...open(made.file), calls: turn('Grove here.', 'Yes.') }])
  assertGrew(made, again, 4, 'gone on with by both')
  assertSameFacts(again, await theirs.ask(open(made.file)), 'at the end')
}

/** With a label on the path omp's chain breaks, and its context is cut there; Grove's is whole. */
async function labelChains({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/chains')
  const calls = [
    append(user('Why?'), 'question'),
    append(assistant('Because.')),
    { call: 'setLabel', args: ['$question', 'start'] },
    ...turn('And at night?', 'Black.'),
  ]
  const source = await ours.ask({ do: 'create', cwd, calls })
  const branch = { call: 'createBranchedSession', args: [source.leafId], as: 'made' }
  const { answers } = await ours.ask({ ...open(source.file), calls: [branch] })
  const [opened, omp] = await theirs.run([open(answers.made.file), { ...open(source.file), calls: [branch] }])
  assertSameFacts(answers.made, opened, "Grove's, opened by omp")
  assert.deepEqual(opened.context, source.context, 'the whole conversation')
  assert.deepEqual(omp.context, ['user', 'assistant'], "omp's own lost its beginning")
  assert.deepEqual(opened.labels, { [source.answers.question]: 'start' })
}

const FORK_OPTIONS = [
  [{}, {}],
  [{ zeroCosts: true }, { resetInheritedCost: true }],
  [{ abortDangling: true }, { repairInterruptedTail: true }],
  [{ withArtifacts: false }, { copyArtifacts: false }],
]

const WAITS = [
  append(user('Do it.')),
  append(assistant([toolCall('a', 'task', {}), toolCall('b', 'bash', {})], { stopReason: 'toolUse' })),
  append(toolResult('a', 'task', 'done', { details: { usage: assistant('').usage } })),
  { call: 'saveArtifact', args: ['out\n', 'bash'] },
]

/** What omp tells a model of a call that was aborted, and what Grove tells it. */
const ABORTED =
  /"text":"(Aborted: the session was forked before this call had a result|Tool execution was aborted)\."/

/**
 * Keys of the header in the order of the alphabet: omp has two orders itself. Messages that a fork adds have its time, and
 * each program's words.
 */
function linesOf({ file }) {
  const [slot, header, ...entries] = maskedLines(file)
  const sorted = JSON.stringify(Object.entries(JSON.parse(header)).sort())
  const plain = line => line.replace(/"timestamp":\d+/g, '"timestamp":0').replace(ABORTED, '"text":"ABORTED"')
  return [slot, sorted, ...entries.map(plain)]
}

/** Forks with each option: the same lines as omp's own fork, and the same artifacts. */
async function forks({ world, both }) {
  const { theirs, ours } = await both()
  const [cwd, there] = ['code/origin', 'code/fork'].map(path => world.folder(path))
  const source = await ours.ask({ do: 'create', cwd, calls: [...WORK, ...WAITS] })
  const step = options => ({ do: 'fork', file: source.file, cwd: there, options })
  const ourForks = await ours.run(FORK_OPTIONS.map(([options]) => step(options)))
  const theirForks = await theirs.run(FORK_OPTIONS.map(([, options]) => step(options)))
  const opened = await theirs.run(ourForks.map(({ file }) => open(file)))
  for (const [at, [options]] of FORK_OPTIONS.entries()) {
    const name = JSON.stringify(options)
    assertSameFacts(ourForks[at], opened[at], `${name}, opened by omp`)
    assert.deepEqual(linesOf(ourForks[at]), linesOf(theirForks[at]), `${name}: the lines of omp's own fork`)
    const artifacts = ({ file }) =>
      existsSync(artifactsOf(file))
        ? everythingBelow(artifactsOf(file)).map(path => readFileSync(path, 'utf8'))
        : []
    assert.deepEqual(artifacts(ourForks[at]), artifacts(theirForks[at]), `${name}: artifacts`)
    assert.equal(opened[at].header.parentSession, source.id)
  }
  assert.deepEqual(
    opened.map(({ usage }) => usage.cost > 0),
    [true, false, true, true],
  )
  assert.equal(opened[2].entryIds.length, source.entryIds.length + 1)
}

const KEPT = [
  ...WORK,
  { call: 'saveArtifact', args: ['out\n', 'bash'] },
  { call: 'saveDraft', args: ['and then'] },
]
const LOOK = [
  { call: 'getArtifactPath', args: ['0'], as: 'artifact' },
  { call: 'consumeDraft', as: 'draft' },
]

/** Another folder of the same root: as omp's own move leaves it, and omp continues there. */
async function movedToAnotherFolder({ world, both }) {
  const { theirs, ours } = await both()
  const [from, to, otherFrom, otherTo] = ['a/from', 'a/to', 'b/from', 'b/to'].map(path => world.folder(path))
  const [before, compared] = await ours.run([
    { do: 'create', cwd: from, calls: KEPT },
    { do: 'create', cwd: otherFrom, calls: KEPT },
  ])
  const [moved] = await ours.run([{ ...open(before.file), calls: [{ call: 'moveTo', args: [to] }] }])
  const [continued, theirMove] = await theirs.run([
    { do: 'continue', cwd: to, calls: LOOK },
    { ...open(compared.file), calls: [{ call: 'moveTo', args: [otherTo] }] },
  ])
  assert.equal(existsSync(before.file), false)
  assertSameFacts(moved, continued, 'continued by omp in the new folder')
  assertSameFacts(
    { ...before, recordedCwd: to, header: moved.header },
    moved,
    'nothing but the place changed',
  )
  assert.deepEqual(moved.header.previousSessionFiles, [before.file])
  assert.equal(continued.answers.artifact, join(artifactsOf(moved.file), '0.bash.log'))
  assert.equal(continued.answers.draft, 'and then')
  assert.equal(dirname(moved.file), await theirs.ask({ do: 'directory', cwd: to }))
  // omp puts the title of the slot into the header, where it counts for nothing; Grove leaves the header's as it was.
  const inHeader = ',"title":"Rings","titleSource":"user"'
  assert.deepEqual(
    maskedLines(moved.file, { [before.file]: 'OLD', [to]: 'CWD' }),
    maskedLines(theirMove.file, { [compared.file]: 'OLD', [otherTo]: 'CWD', [inHeader]: '' }),
    "the lines that omp's own move leaves",
  )
}

/** Another agent directory: an omp of that directory has the session with its pictures, artifact and draft. */
async function movedToAnotherRoot({ world, omp, both, start }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/work')
  const agentDir = realpathSync(world.folder('other-agent'))
  const before = await ours.ask({ do: 'create', cwd, calls: KEPT })
  const moved = await ours.ask({
    ...open(before.file),
    calls: [{ call: 'moveTo', args: [cwd, { agentDir }] }],
  })
  assert.ok(moved.file.startsWith(agentDir))
  const other = await start(omp.start(world, { PI_CODING_AGENT_DIR: agentDir }))
  const [continued] = await other.run([
    { do: 'continue', cwd, calls: [...LOOK, ...turn('Here now?', 'Yes.')] },
  ])
  assertGrew(moved, continued, 2, 'gone on with there')
  assert.deepEqual(continued.pictures, before.pictures)
  assert.ok(
    continued.pictures.length > 0 && continued.pictures.every(picture => !picture.startsWith('blob:')),
  )
  assert.equal(continued.answers.artifact, join(artifactsOf(moved.file), '0.bash.log'))
  assert.equal(continued.answers.draft, 'and then')
  assert.equal(existsSync(before.file) || existsSync(artifactsOf(before.file)), false)
  age([moved.file])
  const again = await ours.ask({ ...open(moved.file), agentDir })
  assertSameFacts(again, continued, 'read by Grove after omp')
  assert.notEqual((await theirs.ask({ do: 'continue', cwd })).id, before.id)
}

/** What is in memory only stays there; it appears where it then belongs. */
async function movedInMemory({ world, both }) {
  const { theirs, ours } = await both()
  const [from, to] = ['code/from', 'code/to'].map(path => world.folder(path))
  const begin = { do: 'create', cwd: from, calls: [append(user('Where?')), { call: 'moveTo', args: [to] }] }
  const waiting = await ours.ask(begin)
  assert.deepEqual([waiting.isOnDisk, existsSync(dirname(waiting.file))], [false, false])
  const made = await ours.ask({ ...begin, calls: [...begin.calls, append(assistant('Here.'))] })
  const continued = await theirs.ask({ do: 'continue', cwd: to })
  assertSameFacts(made, continued, 'continued by omp')
}

export const placeTests = [
  { name: 'writing: branched sessions', run: branched },
  { name: 'difference: label chains in branched sessions', run: labelChains },
  { name: 'writing: forks, with every option', run: forks },
  { name: 'writing: moved to another folder', run: movedToAnotherFolder },
  { name: 'writing: moved to another agent directory', run: movedToAnotherRoot },
  { name: 'writing: moved while it is in memory', run: movedInMemory },
]
