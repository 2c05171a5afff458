/** Deleted sessions are gone for omp, survive its clean-up, and come back whole. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { grove, groveRun } from '../grove.mjs'
import { append, assistant, image, PICTURES, text, toolCall, toolResult, turn, user } from '../messages.mjs'
import { age, artifactsOf, everythingBelow, picture } from '../world.mjs'

const TERMINAL = '%8'
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')
const HASHES = Object.fromEntries(Object.entries(PICTURES).map(([name, bytes]) => [name, sha256(bytes)]))

const shows = (picture, question) => [
  append(user([text(question), image(picture)])),
  append(assistant('I see.')),
]

/** A session with pictures in prompt and tool output, an artifact, a draft, and a subagent with a picture of its own. */
function deletable({ world, omp }, cwd) {
  const calls = [
    ...shows(PICTURES.sunset, 'What is this?'),
    append(assistant([toolCall('c', 'read', { path: 'chart.png' })], { stopReason: 'toolUse' })),
    append(toolResult('c', 'read', [text('a chart'), image(PICTURES.chart)])),
    append(assistant('A chart.')),
    { call: 'saveArtifact', args: ['output\n', 'bash'] },
    { call: 'saveDraft', args: ['and then'] },
  ]
  const session = omp.ask(world, { do: 'create', cwd, calls }, { terminal: TERMINAL })
  const subagent = join(artifactsOf(session.file), 'Painter.jsonl')
  omp.ask(world, { do: 'open', file: subagent, calls: shows(PICTURES.rings, 'Paint this.') })
  age([session.file, subagent], 2 * HOUR_S)
  return { session, subagent }
}

const SPARE = { width: 'a picture that nobody refers to' }

/** Makes a blob to which nothing refers, and one to which only a session refers that omp itself deletes: their files. */
function controls({ world, omp }, cwd) {
  const spare = sha256(JSON.stringify(SPARE))
  writeFileSync(join(world.blobsDir, spare), JSON.stringify(SPARE))
  const only = sunsetOfAnotherSize()
  const session = omp.ask(world, { do: 'create', cwd, calls: shows(only, 'Only here.') })
  omp.ask(world, { do: 'create', cwd, calls: [{ call: 'dropSession', args: [session.file] }] })
  assert.equal(existsSync(session.file), false)
  return [spare, sha256(only), `${sha256(only)}.png`]
}

const sunsetOfAnotherSize = () => Buffer.concat([PICTURES.sunset, Buffer.from('appended')])

/** Every blob as old as none that omp is still writing. */
function ageBlobs(world) {
  age(
    readdirSync(world.blobsDir).map(name => join(world.blobsDir, name)),
    HOUR_S,
  )
}

/** omp's listings of the folder and of everything. */
function listings({ world, omp }, cwd) {
  const [local, all] = omp.run(world, [{ do: 'list', cwd }, { do: 'listAll' }])
  return { local, all }
}

const idsOf = list => list.map(({ id }) => id).sort()

function dropCollectRestore(test) {
  const { world, omp } = test
  const cwd = world.folder('code/paint')
  const { session, subagent } = deletable(test, cwd)
  const neighbour = omp.ask(world, { do: 'create', cwd, calls: shows(PICTURES.chart, 'The same chart.') })
  age([neighbour.file], 3 * HOUR_S)
  const unused = controls(test, cwd)
  const before = listings(test, cwd)
  const files = picture(artifactsOf(session.file))
  assert.deepEqual(idsOf(before.all), [session.id, neighbour.id].sort())

  const dropped = grove(world, 'drop', session.file)
  assert.deepEqual([dropped.done, dropped.staying], [1, []])
  assert.equal(existsSync(session.file) || existsSync(artifactsOf(session.file)), false)
  const during = listings(test, cwd)
  assert.deepEqual([idsOf(during.local), idsOf(during.all)], [[neighbour.id], [neighbour.id]])
  const [byId, byName] = omp.run(world, [
    { do: 'resume', argument: session.id, cwd },
    { do: 'resume', argument: basename(session.file, '.jsonl'), cwd },
  ])
  assert.deepEqual([byId, byName], [null, null], 'omp cannot resume what is in the trash')

  ageBlobs(world)
  const trash = join(world.sessionsDir, 'grove-trash')
  const inTrash = picture(trash)
  const stored = readdirSync(world.blobsDir)
  const collected = JSON.parse(omp.cli(world, ['gc', '--apply', '--json']))
  assert.deepEqual([collected.apply, collected.blobs.errors], [true, []])
  assert.deepEqual(picture(trash), inTrash, 'omp gc leaves the trash as it is')
  const kept = readdirSync(world.blobsDir)
  assert.deepEqual(
    stored.filter(name => !kept.includes(name)).sort(),
    unused.sort(),
    'omp gc removes exactly what nobody refers to',
  )
  for (const [name, hash] of Object.entries(HASHES)) assert.ok(kept.includes(hash), `the ${name} is kept`)

  const restored = grove(world, 'restore', dropped.items[0].id)
  assert.deepEqual([restored.done, restored.staying], [1, []])
  const [again, painter, resumed] = omp.run(world, [
    { do: 'open', file: session.file, calls: [{ call: 'getArtifactPath', args: ['0'], as: 'artifact' }] },
    { do: 'open', file: subagent },
    { do: 'resume', argument: session.id, cwd },
  ])
  const hashes = images => images.map(found => found.sha256)
  assert.deepEqual(hashes(again.images), [HASHES.sunset, HASHES.chart], 'every picture is there')
  assert.deepEqual(hashes(painter.images), [HASHES.rings])
  assert.deepEqual([again.leafId, again.path, again.context], [session.leafId, session.path, session.context])
  assert.equal(again.answers.artifact, join(artifactsOf(session.file), '0.bash.log'))
  assert.equal(resumed.session.path, session.file)
  assert.deepEqual(listings(test, cwd), before)
  assert.deepEqual(
    everythingBelow(artifactsOf(session.file)),
    Object.keys(files).slice(1),
    'artifacts, subagent and unsent text are back',
  )
}

/** A terminal whose breadcrumb names the session: omp goes on with another one, and with this one once it is back. */
function continueMeanwhile(test) {
  const { world, omp } = test
  const cwd = world.folder('code/paint')
  const { session } = deletable(test, cwd)
  const neighbour = omp.ask(world, { do: 'create', cwd, calls: turn('Hello?', 'Yes.') })
  age([neighbour.file], 3 * HOUR_S)
  const dropped = grove(world, 'drop', session.file)
  const [meanwhile] = omp.run(world, [{ do: 'continue', cwd }])
  assert.equal(meanwhile.id, neighbour.id)
  grove(world, 'restore', dropped.items[0].id)
  const after = omp.ask(world, { do: 'continue', cwd }, { terminal: TERMINAL })
  assert.deepEqual([after.id, after.leafId, after.file], [session.id, session.leafId, session.file])
}

/** omp's archiving of old sessions takes a neighbour, never what is in the trash. */
function archiving(test) {
  const { world, omp } = test
  const cwd = world.folder('code/paint')
  const { session } = deletable(test, cwd)
  const neighbour = omp.ask(world, { do: 'create', cwd, calls: shows(PICTURES.chart, 'The same chart.') })
  age([session.file, neighbour.file], 90 * DAY_S)
  const dropped = grove(world, 'drop', session.file)
  ageBlobs(world)
  const everything = ['--retain-newest-global=0', '--retain-newest-per-cwd=0']
  const { archive } = JSON.parse(omp.cli(world, ['gc', '--apply', '--json', ...everything]))
  assert.deepEqual([archive.scanned, archive.archived, archive.errors], [1, 1, []])
  assert.equal(existsSync(neighbour.file), false)
  archivedIsRead(world, neighbour)
  grove(world, 'restore', dropped.items[0].id)
  const again = omp.ask(world, { do: 'open', file: session.file })
  assert.deepEqual(
    again.images.map(found => found.sha256),
    [HASHES.sunset, HASHES.chart],
  )
}

/** What omp archived is listed, read and searched by Grove. */
function archivedIsRead(world, { id, file }) {
  const [archived, ...more] = grove(world, 'list', '--archived')
  assert.deepEqual([archived.id, archived.archived, archived.messageCount, more.length], [id, true, 2, 0])
  assert.equal(basename(archived.path), `${basename(file)}.gz`)
  const { problems, entryCount } = grove(world, 'inspect', archived.path)
  assert.deepEqual([problems, entryCount], [[], archived.entryCount])
  const found = groveRun(world, ['search', 'same chart', '--agent-dir', world.agentDir, '--json'])
  assert.deepEqual([found.status, JSON.parse(found.stdout).path], [0, archived.path])
}

export const deleteTests = [
  {
    name: 'delete, omp gc, restore: every picture is there, and omp never lists the trash',
    run: dropCollectRestore,
  },
  { name: "delete and omp's continue", run: continueMeanwhile },
  { name: "delete and omp's archiving of old sessions", run: archiving },
]
