/** After a re-root, and after its undo, omp's own continue in the folder opens the session. */
import assert from 'node:assert/strict'
import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { grove, groveRun } from '../grove.mjs'
import { append, assistant, image, PICTURES, text, turn, user } from '../messages.mjs'
import { age, artifactsOf, sessionFiles } from '../world.mjs'

const TERMINAL = '%7'
const HOUR_S = 3600

/** A conversation with a branch, a picture, an artifact and an unsent text. */
const WORK = [
  append(user([text('What is this?'), image(PICTURES.rings)]), 'question'),
  append(assistant('A logo.')),
  { call: 'branch', args: ['$question'] },
  append(assistant('Rings.'), 'answer'),
  ...turn('And why green?', 'Leaves.'),
  { call: 'appendLabelChange', args: ['$answer', 'rings'] },
  { call: 'saveArtifact', args: ['output\n', 'bash'] },
  { call: 'saveDraft', args: ['what about'] },
]

const LOOK = [{ call: 'getArtifactPath', args: ['0'], as: 'artifact' }]
const GROW = [...turn('We moved, did we not?', 'Yes.'), ...LOOK]

/** What must be the same in whichever place omp opens the session. */
const essence = ({ id, leafId, entryIds, path, context, labels, branchPoints, title, images }) => ({
  id,
  leafId,
  entryIds,
  path,
  context,
  labels,
  branchPoints,
  title,
  images,
})

/** omp continues in `cwd`, does `calls`, and has the session of `expected` there with all that belongs to it. */
function continuesWith({ world, omp }, cwd, expected, { terminal, calls = LOOK }) {
  const [before, after] = omp.run(
    world,
    [
      { do: 'continue', cwd, calls: LOOK },
      { do: 'continue', cwd, calls },
    ],
    { terminal },
  )
  const name = world.short(cwd)
  assert.deepEqual(essence(before), essence(expected), `omp continues the session in ${name}`)
  const { file, header } = before
  assert.equal(before.cwd, cwd)
  assert.equal(header.cwd, cwd)
  const directory = omp.ask(world, { do: 'directory', cwd })
  assert.equal(dirname(file), directory, 'its file is where omp keeps the sessions of this folder')
  assert.equal(before.answers.artifact, join(artifactsOf(file), '0.bash.log'))
  assert.ok(existsSync(join(artifactsOf(file), 'draft.txt')), 'the unsent text came along')
  assert.equal(after.file, file)
  return after
}

/** A folder with two sessions, of which omp's continue means `session`; the folder is then renamed. */
function movedProject({ world, omp }, terminal) {
  const old = world.folder('code/old name')
  const session = omp.ask(world, { do: 'create', cwd: old, calls: WORK }, { terminal })
  const other = omp.ask(world, { do: 'create', cwd: old, calls: turn('Something else?', 'No.') })
  // With a breadcrumb the session is found although it is the older one, without because it is the newer one.
  const [newer, older] = terminal === undefined ? [session, other] : [other, session]
  age([newer.file], HOUR_S)
  age([older.file], 2 * HOUR_S)
  const moved = join(world.home, 'code/new name')
  renameSync(old, moved)
  return { old, moved, session, other }
}

/** Re-root, continue, perhaps grow; undo, rename back, continue. */
function thereAndBack({ terminal, grows }) {
  return test => {
    const { world } = test
    const { old, moved, session, other } = movedProject(test, terminal)
    const done = grove(world, 'reroot', '--from', old, '--to', moved)
    assert.deepEqual([done.done, done.asked, done.staying], [2, 2, []])
    assert.equal(existsSync(session.file), false)
    const calls = grows ? GROW : LOOK
    const there = continuesWith(test, moved, session, { terminal, calls })
    assert.equal(there.entryIds.length, session.entryIds.length + (grows ? 2 : 0))
    if (grows) age([there.file])
    else if (terminal !== undefined) {
      // The breadcrumb alone leads there: any other terminal gets the newer session.
      assert.equal(test.omp.ask(world, { do: 'continue', cwd: moved }).id, other.id)
    }
    const undone = grove(world, 'reroot', '--undo', done.changeId)
    assert.deepEqual([undone.done, undone.asked, undone.staying], [2, 2, []])
    renameSync(moved, old)
    const back = continuesWith(test, old, there, { terminal })
    assert.equal(back.file, session.file)
    assert.deepEqual(sessionFiles(world.sessionsDir), [session.file, other.file].sort())
  }
}

/** Undo before omp was ever in the new place: the breadcrumb still says what omp wrote. */
function undoneAtOnce(test) {
  const { world } = test
  const { old, moved, session } = movedProject(test, TERMINAL)
  const { changeId } = grove(world, 'reroot', '--from', old, '--to', moved)
  renameSync(moved, old)
  assert.equal(grove(world, 'reroot', '--undo', changeId).done, 2)
  continuesWith(test, old, session, { terminal: TERMINAL })
}

/** Grove leaves a session's header as omp's own move does. */
function asOmpMoves({ world, omp }) {
  const [from, to, otherFrom, otherTo] = ['a/from', 'a/to', 'b/from', 'b/to'].map(path => world.folder(path))
  const ours = omp.ask(world, { do: 'create', cwd: from, calls: WORK })
  const theirs = omp.ask(world, { do: 'create', cwd: otherFrom, calls: WORK })
  age([ours.file])
  grove(world, 'reroot', '--from', from, '--to', to)
  const [moved, movedByOmp] = omp.run(world, [
    { do: 'continue', cwd: to },
    { do: 'open', file: theirs.file, calls: [{ call: 'moveTo', args: [otherTo] }] },
  ])
  const inWords = ({ header, file }, old, cwd) =>
    JSON.parse(
      JSON.stringify(Object.entries(header))
        .replaceAll(old.file, 'OLD FILE')
        .replaceAll(file, 'NEW FILE')
        .replaceAll(cwd, 'NEW FOLDER')
        .replaceAll(old.id, 'ID')
        .replaceAll(old.header.timestamp, 'TIME'),
    )
  assert.deepEqual(inWords(moved, ours, to), inWords(movedByOmp, theirs, otherTo))
}

const inSamples = (world, path) => join(world.root, path)

/** The renamed project of the samples, whose breadcrumb proves the move and of whose sessions one has a clash. */
function sampleProject({ world, omp }) {
  const { from, to } = world.manifest.projects.find(({ key }) => key === 'upload-service')
  const session = world.manifest.sessions.find(({ key }) => key === 'name')
  const { terminal } = world.manifest.breadcrumbs.find(({ file }) => file === session.file)
  const pane = terminal.replace('tmux-', '')
  const { candidates } = grove(world, 'reroot', '--suggest', from)
  assert.deepEqual([candidates[0].path, candidates[0].evidence], [to, 'same-folder'])
  const { status, stdout } = groveRun(world, [
    ...['reroot', '--from', from, '--to', to],
    ...['--agent-dir', world.agentDir, '--json'],
  ])
  const done = JSON.parse(stdout)
  assert.equal(status, 1, 'a session stays')
  assert.deepEqual(
    done.staying.map(({ reason }) => reason),
    ['clash'],
  )
  const there = omp.ask(world, { do: 'continue', cwd: to }, { terminal: pane })
  assert.deepEqual([there.id, there.leafId, there.path], [session.id, session.leafId, session.path])
  assert.equal(there.cwd, to)
  grove(world, 'reroot', '--undo', done.changeId)
  renameSync(to, from)
  const back = omp.ask(world, { do: 'continue', cwd: from }, { terminal: pane })
  assert.deepEqual([back.id, back.leafId, back.context], [there.id, there.leafId, there.context])
  assert.equal(back.file, inSamples(world, session.file))
}

/** Three projects below a folder that was renamed, in one re-root. */
function samplePrefix({ world, omp }) {
  const projects = world.manifest.projects.filter(({ key }) => key.startsWith('acme/'))
  const sessions = projects.map(({ key }) => world.manifest.sessions.find(({ project }) => project === key))
  const [from, to] = [projects[0].from, projects[0].to].map(path => dirname(path))
  const done = grove(world, 'reroot', '--from', from, '--to', to, '--prefix')
  assert.deepEqual([done.done, done.staying], [3, []])
  const told = ({ id, leafId, path }) => ({ id, leafId, path })
  const there = omp.run(
    world,
    projects.map(({ to: cwd }) => ({ do: 'continue', cwd })),
  )
  assert.deepEqual(there.map(told), sessions.map(told))
  assert.deepEqual(
    there.map(({ cwd }) => cwd),
    projects.map(project => project.to),
  )
  grove(world, 'reroot', '--undo', done.changeId)
  renameSync(to, from)
  const back = omp.run(
    world,
    projects.map(({ from: cwd }) => ({ do: 'continue', cwd })),
  )
  assert.deepEqual(back.map(told), sessions.map(told))
  assert.deepEqual(
    back.map(({ file }) => file),
    sessions.map(({ file }) => inSamples(world, file)),
  )
}

const CASES = [
  ['with a breadcrumb, at once', { terminal: TERMINAL, grows: false }],
  ['with a breadcrumb, after omp wrote in the new place', { terminal: TERMINAL, grows: true }],
  ['without a breadcrumb, at once', { terminal: undefined, grows: false }],
  ['without a breadcrumb, after omp wrote in the new place', { terminal: undefined, grows: true }],
]

export const rerootTests = [
  ...CASES.map(([name, options]) => ({ name: `re-root and undo ${name}`, run: thereAndBack(options) })),
  { name: 're-root undone before omp was there', run: undoneAtOnce },
  { name: "re-root leaves the header as omp's own move does", run: asOmpMoves },
  {
    name: 're-root of the renamed sample project, one session of which has a clash',
    samples: true,
    run: sampleProject,
  },
  { name: 're-root of a path prefix over three projects', samples: true, run: samplePrefix },
]
