/** What lies around a journal: draft, artifacts; and when a session is on the disk at all. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { assertSameFacts } from '../../compare.mjs'
import { append, assistant, turn, user } from '../../messages.mjs'
import { age, artifactsOf, everythingBelow } from '../../world.mjs'

const open = file => ({ do: 'open', file })
const save = text => ({ call: 'saveDraft', args: [text] })
const CONSUME = { call: 'consumeDraft', as: 'draft' }

const DRAFTS = ['and then', 'two\nlines\r\n', '  наука 空 😀\t\n', 'x'.repeat(100_000)]

/** Whoever saved a draft, the other one has it exactly, and then it is gone for both. */
async function drafts({ world, both }) {
  const { theirs, ours } = await both()
  const cwds = DRAFTS.map((_, at) => world.folder(`code/draft-${at}`))
  const made = await ours.run(
    DRAFTS.map((draft, at) => ({
      do: 'create',
      cwd: cwds[at],
      calls: [...turn('Go?', 'Yes.'), save(draft)],
    })),
  )
  const byOmp = await theirs.run(made.map(({ file }) => ({ ...open(file), calls: [CONSUME] })))
  const after = await ours.run(
    made.map(({ file }) => ({ ...open(file), calls: [{ call: 'readDraft', as: 'draft' }] })),
  )
  await theirs.run(made.map(({ file }, at) => ({ ...open(file), calls: [save(DRAFTS[at])] })))
  age(made.map(({ file }) => file))
  const byGrove = await ours.run(made.map(({ file }) => ({ ...open(file), calls: [CONSUME] })))
  const atLast = await theirs.run(made.map(({ file }) => ({ ...open(file), calls: [CONSUME] })))
  for (const [at, draft] of DRAFTS.entries()) {
    assert.equal(byOmp[at].answers.draft, draft)
    assert.equal(after[at].answers.draft.text, '')
    assert.equal(byGrove[at].answers.draft, draft)
    assert.equal(atLast[at].answers.draft, null)
  }
}

/** omp takes a byte order mark at the beginning for no part of the text. */
async function draftWithMark({ world, both }) {
  const { theirs, ours } = await both()
  const draft = '\ufeffmarked'
  const cwd = world.folder('code/mark')
  const { file } = await ours.ask({ do: 'create', cwd, calls: [...turn('Go?', 'Yes.'), save(draft)] })
  const read = { ...open(file), calls: [{ call: 'readDraft', as: 'draft' }] }
  assert.equal((await ours.ask(read)).answers.draft.text, draft)
  assert.equal((await theirs.ask({ ...open(file), calls: [CONSUME] })).answers.draft, 'marked')
}

/** A draft that omp changed or sent after it was read is not overwritten. */
async function draftsOfBoth({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/draft')
  const { file } = await ours.ask({ do: 'create', cwd, calls: [...turn('Go?', 'Yes.'), save('of Grove')] })
  await ours.ask({ ...open(file), hold: 'open', calls: [{ call: 'readDraft', as: 'read' }] })
  const read = (await ours.ask({ do: 'held', name: 'open', calls: [{ call: 'readDraft', as: 'read' }] }))
    .answers.read
  await theirs.ask({ ...open(file), calls: [save('of omp')] })
  const refused = { call: 'saveDraft', args: ['of Grove again', read], refused: 'changed-on-disk', as: 'why' }
  await ours.ask({ do: 'held', name: 'open', calls: [refused] })
  assert.equal((await theirs.ask({ ...open(file), calls: [CONSUME] })).answers.draft, 'of omp')
  await ours.ask({ do: 'held', name: 'open', calls: [refused] })
  assert.equal((await theirs.ask({ ...open(file), calls: [CONSUME] })).answers.draft, null)
}

const SETTINGS = {
  theirs: [{ call: 'appendModelChange', args: ['anthropic/mock'] }],
  ours: [{ call: 'append', args: [{ type: 'model_change', model: 'anthropic/mock' }] }],
}

/** A session that is there only for a draft: made by each, consumed by the other, gone with the draft; kept when gone on with. */
async function draftOnly({ world, both }) {
  const programs = await both()
  for (const [maker, other] of [
    ['ours', 'theirs'],
    ['theirs', 'ours'],
  ]) {
    const cwd = world.folder(`code/${maker}`)
    const begin = { do: 'create', cwd, calls: [...SETTINGS[maker], save('only this')] }
    const [gone, kept, left] = await programs[maker].run([begin, begin, begin])
    const files = [gone, kept, left].map(({ file }) => file)
    for (const file of files)
      assert.deepEqual(readdirSync(artifactsOf(file)).sort(), ['.draft-only-session', 'draft.txt'])
    age(files)
    const [, grown] = await programs[other].run([
      { ...open(gone.file), calls: [CONSUME] },
      { ...open(kept.file), calls: [CONSUME, ...turn('Now?', 'Yes.')] },
      open(left.file),
    ])
    assert.deepEqual(
      files.map(file => existsSync(file)),
      [false, true, true],
      `${maker}: it goes with its draft and stays with a conversation or a draft`,
    )
    assert.equal(existsSync(artifactsOf(gone.file)), false)
    assert.equal(existsSync(join(artifactsOf(kept.file), 'draft.txt')), false)
    assert.equal(existsSync(join(artifactsOf(left.file), 'draft.txt')), true)
    age([kept.file])
    assertSameFacts(
      ...(await Promise.all([programs.ours.ask(open(kept.file)), programs.theirs.ask(open(kept.file))])),
      maker,
    )
    assert.equal(grown.entryIds.length, 3)
  }
}

const saves = (text, tool) => ({ call: 'saveArtifact', args: [text, tool], as: tool })
const TOOLS = ['bash', 'mcp__server/../tool name!', '___', '', 'x'.repeat(80), 'ü']

/** In turns, each numbers on from what the other left, and finds by number what the other stored. */
async function artifacts({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/artifacts')
  const { file } = await ours.ask({ do: 'create', cwd, calls: [...turn('Go?', 'Yes.'), saves('0', 'bash')] })
  await theirs.ask({ ...open(file), calls: [saves('1', 'read'), saves('2', 'bash')] })
  age([file])
  await ours.ask({ ...open(file), calls: [saves('3', 'grep'), { call: 'allocateArtifact', args: ['edit'] }] })
  await theirs.ask({ ...open(file), calls: [saves('5', 'bash')] })
  const names = readdirSync(artifactsOf(file))
  assert.deepEqual(names.sort(), [
    '0.bash.log',
    '1.read.log',
    '2.bash.log',
    '3.grep.log',
    '4.edit.log',
    '5.bash.log',
  ])
  const numbers = names.map((_, number) => String(number))
  const [found, theirFound] = await Promise.all([
    ours.ask({ ...open(file), calls: numbers.map(id => ({ call: 'resolveArtifact', args: [id], as: id })) }),
    theirs.ask({
      ...open(file),
      calls: numbers.map(id => ({ call: 'getArtifactPath', args: [id], as: id })),
    }),
  ])
  for (const id of numbers) {
    assert.deepEqual(found.answers[id], { candidates: [theirFound.answers[id]], ambiguous: false })
    assert.equal(basename(theirFound.answers[id]), names[Number(id)])
  }
}

/** The same name for the same tool, whatever it is called. */
async function artifactNames({ world, both }) {
  const { theirs, ours } = await both()
  const step = {
    do: 'create',
    cwd: world.folder('code/names'),
    calls: [...turn('Go?', 'Yes.'), ...TOOLS.map(tool => saves('x', tool))],
  }
  const [omp, grove] = await Promise.all([theirs.ask(step), ours.ask(step)])
  assert.deepEqual(readdirSync(artifactsOf(grove.file)).sort(), readdirSync(artifactsOf(omp.file)).sort())
  assert.equal(readdirSync(artifactsOf(omp.file)).length, TOOLS.length)
}

/** A subagent's output lies with its session, where omp's parent finds it. */
async function artifactsOfSubagents({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/agents')
  const { file } = await ours.ask({ do: 'create', cwd, calls: [...turn('Go?', 'Yes.'), saves('0', 'bash')] })
  const subagent = join(artifactsOf(file), 'Painter.jsonl')
  await theirs.ask({ ...open(subagent), calls: turn('Paint.', 'Done.') })
  age([file, subagent])
  await ours.ask({ ...open(subagent), calls: [saves('1', 'read')] })
  const { answers } = await theirs.ask({
    ...open(file),
    calls: [{ call: 'getArtifactPath', args: ['1'], as: 'found' }],
  })
  assert.equal(answers.found, join(artifactsOf(file), '1.read.log'))
}

/** An omp that has a session open counts on by itself: it gives out a number again, and Grove says that there are two. */
async function countingOn({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/counting')
  const { file } = await ours.ask({ do: 'create', cwd, calls: [...turn('Go?', 'Yes.'), saves('0', 'bash')] })
  await theirs.ask({ ...open(file), hold: 'open', calls: [saves('1', 'read')] })
  age([file])
  await ours.ask({ ...open(file), calls: [saves('2', 'grep')] })
  await theirs.ask({ do: 'held', name: 'open', calls: [saves('2 as well', 'bash')] })
  const { answers } = await ours.ask({
    ...open(file),
    calls: [{ call: 'resolveArtifact', args: ['2'], as: 'two' }],
  })
  const two = ['2.bash.log', '2.grep.log'].map(name => join(artifactsOf(file), name))
  assert.deepEqual(answers.two, { candidates: two, ambiguous: true })
  const omp = await theirs.ask({
    ...open(file),
    calls: [{ call: 'getArtifactPath', args: ['2'], as: 'two' }],
  })
  assert.ok(two.includes(omp.answers.two), 'omp takes one of them')
  // A document whose name begins with a number is no output to omp's counting.
  writeFileSync(join(artifactsOf(file), '3.md'), 'A document.')
  await ours.ask({ ...open(file), calls: [saves('4', 'bash')] })
  assert.ok(existsSync(join(artifactsOf(file), '4.bash.log')), 'Grove leaves its number out')
}

/** Nothing is on the disk before the first answer, for both; then all of it. */
async function lazyGate({ world, both }) {
  const programs = await both()
  for (const side of ['theirs', 'ours']) {
    const cwd = world.folder(`code/gate-${side}`)
    const before = [...SETTINGS[side], append(user('Are you there?'))]
    const begun = await programs[side].ask({ do: 'create', cwd, hold: side, calls: before })
    assert.equal(existsSync(begun.file), false)
    assert.deepEqual(await programs.theirs.ask({ do: 'list', cwd }), [])
    const now = await programs[side].ask({ do: 'held', name: side, calls: [append(assistant('Yes.'))] })
    const other = await programs[side === 'ours' ? 'theirs' : 'ours'].ask(open(now.file))
    assert.deepEqual([other.entryIds, other.context], [now.entryIds, ['user', 'assistant']])
  }
  const leftovers = everythingBelow(world.sessionsDir).filter(path => /\.(tmp|lock)$/.test(path))
  assert.deepEqual(leftovers, [])
}

/** A session made from another one names it, by id or path, for omp too. */
async function parentSession({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/parents')
  const parents = ['0197c9c1-0000-7000-8000-000000000000', '/somewhere/else.jsonl']
  const made = await ours.run(
    parents.map(parentSession => ({ do: 'create', cwd, parentSession, calls: turn('Go?', 'Yes.') })),
  )
  const [listed, ...opened] = await theirs.run([{ do: 'list', cwd }, ...made.map(({ file }) => open(file))])
  for (const [at, parent] of parents.entries()) {
    assert.equal(opened[at].header.parentSession, parent)
    assert.equal(listed.find(({ path }) => path === made[at].file).parentSessionPath, parent)
  }
}

export const aroundTests = [
  { name: 'writing: drafts, exactly', run: drafts },
  { name: 'difference: a draft with a byte order mark', run: draftWithMark },
  { name: 'difference: a draft that omp changed meanwhile', run: draftsOfBoth },
  { name: 'writing: sessions that are there only for a draft', run: draftOnly },
  { name: 'writing: artifacts, numbered in turns', run: artifacts },
  { name: 'writing: names of artifacts', run: artifactNames },
  { name: 'writing: artifacts of subagents', run: artifactsOfSubagents },
  { name: 'difference: numbers of artifacts beside an omp that is running', run: countingOn },
  { name: 'writing: nothing is on the disk before the first answer', run: lazyGate },
  { name: 'writing: parent sessions', run: parentSession },
]
