/**
 * Where Grove does something else than omp with a file that is not as it should be: what omp does, what Grove does, and that omp can
 * read what comes of it.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { assertSameFacts, maskedLines } from '../../compare.mjs'
import { turn, user } from '../../messages.mjs'
import { age } from '../../world.mjs'
import { A, B, journal, linesOf, open, said, says, title } from './odd-journal.mjs'

/** Two records on one line: omp loses one. Grove reads both, and gives each a line when it writes the file anew. */
async function glued({ world, both }) {
  const { theirs, ours } = await both()
  const { file } = journal(world, 'glued', [
    A,
    `${JSON.stringify(B)}${JSON.stringify(said('c', 'b'))}`,
    said('d', 'c'),
  ])
  const [read, omp] = [await ours.ask(open(file)), await theirs.ask(open(file))]
  assert.deepEqual(read.path, ['a', 'b', 'c', 'd'])
  assert.deepEqual(omp.path, ['d'], "omp's path is cut")
  const named = await ours.ask({ ...open(file), calls: [title('It gets a slot')] })
  assertSameFacts(named, await theirs.ask(open(file)), 'after Grove wrote the file anew')
  assert.equal(linesOf(file).length, 1 + 1 + 4 + 1 + 1)
}

/** A line `null`: omp cannot open the file. Grove reads all the rest, appends, and keeps the line. */
async function nullLine({ world, both }) {
  const { theirs, ours } = await both()
  const { file } = journal(world, 'null', [A, 'null', B])
  const changed = await ours.ask({ ...open(file), calls: [says()] })
  assert.deepEqual([changed.entryIds.length, changed.path.length, linesOf(file)[2]], [3, 3, 'null'])
  assert.match((await theirs.refusal(open(file))).error, /null is not an object/)
}

/** Lines that cannot be read: omp drops them with its next append. Grove keeps them, in a file written anew as well. */
async function corruptLines({ world, both }) {
  const { theirs, ours } = await both()
  const bad = '{"type":"message","id":"bad","mess'
  const [kept, moved, dropped] = ['kept', 'moved', 'dropped'].map(name =>
    journal(world, `corrupt-${name}`, [A, bad, B]),
  )
  const changed = await ours.ask({ ...open(kept.file), calls: [says()] })
  assert.equal(linesOf(kept.file)[2], bad)
  assertSameFacts(changed, await theirs.ask(open(kept.file)), 'as omp reads it')
  const [away] = await ours.run([
    { ...open(moved.file), calls: [{ call: 'moveTo', args: [`${moved.cwd}/..`] }] },
  ])
  assert.ok(linesOf(away.file).includes(bad))
  await theirs.ask({ ...open(dropped.file), calls: [says(user('omp here.'))] })
  assert.equal(linesOf(dropped.file).includes(bad), false)
}

/** No line feed at the end: omp writes on in the same line and loses both records. Grove begins a line of its own. */
async function noFinalLineFeed({ world, both }) {
  const { theirs, ours } = await both()
  const [byGrove, byOmp] = ['grove', 'omp'].map(name => journal(world, `no-end-${name}`, [A, B], { end: '' }))
  const changed = await ours.ask({ ...open(byGrove.file), calls: [says()] })
  assertSameFacts(changed, await theirs.ask(open(byGrove.file)), 'as omp reads it')
  assert.equal(changed.path.length, 3)
  await theirs.ask({ ...open(byOmp.file), calls: [says(user('omp here.'))] })
  const lost = await theirs.ask(open(byOmp.file))
  assert.deepEqual([lost.entryIds, (await ours.ask(open(byOmp.file))).entryIds.length], [['a', 'b'], 3])
}

/** A torn last line stays a bad line by itself; what comes after it is whole. */
async function tornLastLine({ world, both }) {
  const { theirs, ours } = await both()
  const { file } = journal(world, 'torn', [A, B, '{"type":"message","id":"c","paren'], { end: '' })
  const changed = await ours.ask({ ...open(file), calls: [says()] })
  assert.deepEqual([changed.entryIds.slice(0, 2), changed.entryIds.length], [['a', 'b'], 3])
  assert.equal(linesOf(file)[3], '{"type":"message","id":"c","paren')
  assertSameFacts(changed, await theirs.ask(open(file)), 'as omp reads it')
}

const LONG = `Наука ${'long '.repeat(100)}end`

/** A title longer than the slot: both cut it in the slot, at the same character; Grove then still shows all of it. */
async function longTitles({ world, both }) {
  const { theirs, ours } = await both()
  const steps = ['long-ours', 'long-theirs'].map(name => ({
    do: 'create',
    cwd: world.folder(`odd/${name}`),
    calls: [...turn('Go?', 'Yes.'), title(LONG)],
  }))
  const [grove, omp] = [await ours.ask(steps[0]), await theirs.ask(steps[1])]
  assert.equal(maskedLines(grove.file)[0], maskedLines(omp.file)[0])
  age([omp.file])
  for (const { file } of [grove, omp]) {
    const [read, opened] = [await ours.ask(open(file)), await theirs.ask(open(file))]
    assert.equal(read.title, LONG)
    assert.ok(opened.title.length < LONG.length && LONG.startsWith(opened.title), 'omp shows what fits')
    assertSameFacts(read, opened, 'but for the title', { except: ['title'] })
  }
  await theirs.ask({ ...open(grove.file), calls: [title('Short')] })
  assert.equal((await ours.ask(open(grove.file))).title, 'Short')
}

/** A slot of another length than 256 bytes: omp writes over the header. Grove writes the file anew. */
async function slotLength({ world, both }) {
  const { theirs, ours } = await both()
  const slot = `${JSON.stringify({ type: 'title', v: 1, title: 'Short slot', updatedAt: '2026-01-02T03:04:05.006Z', pad: '' })}\n`
  const [byGrove, byOmp] = ['grove', 'omp'].map(name => journal(world, `slot-${name}`, [A, B], { slot }))
  const changed = await ours.ask({ ...open(byGrove.file), calls: [title('By Grove')] })
  assertSameFacts(changed, await theirs.ask(open(byGrove.file)), 'as omp reads it')
  assert.equal(Buffer.byteLength(linesOf(byGrove.file)[0]), 255)
  await theirs.ask({ ...open(byOmp.file), calls: [title('By omp')] })
  assert.match((await theirs.refusal(open(byOmp.file))).error, /header/)
}

/** The ids that entries of version 1 get: in Grove the same each time, in omp others. */
async function idsOfVersion1({ world, both }) {
  const { theirs, ours } = await both()
  const without = ({ id: _id, parentId: _parent, ...record }) => record
  const { file } = journal(world, 'version-1', [without(A), without(B)], { version: 1 })
  const ids = async program => [
    (await program.ask(open(file))).entryIds,
    (await program.ask(open(file))).entryIds,
  ]
  const [grove, omp] = [await ids(ours), await ids(theirs)]
  assert.deepEqual(grove[0], grove[1])
  assert.notDeepEqual(omp[0], omp[1])
  const changed = await ours.ask({ ...open(file), calls: [says()] })
  assert.deepEqual(changed.entryIds.slice(0, 2), grove[0])
  assertSameFacts(changed, await theirs.ask(open(file)), 'after Grove wrote it as version 3')
}

/** A version to come: omp opens and writes it as if it knew it. Grove reads it, and writes not a byte. */
async function version4({ world, both }) {
  const { theirs, ours } = await both()
  const { file } = journal(world, 'version-4', [A, B], { version: 4 })
  const before = readFileSync(file)
  const refused = calls => calls.map(call => ({ ...call, refused: 'unsupported-version' }))
  const fork = { call: 'fork', args: [world.folder('odd/fork-of-4')] }
  const calls = refused([says(), title('No'), { call: 'createBranchedSession', args: ['b'] }, fork])
  const read = await ours.ask({ ...open(file), calls })
  assert.deepEqual(read.path, ['a', 'b'])
  assert.deepEqual(readFileSync(file), before)
  await theirs.ask({ ...open(file), calls: [says(user('omp here.'))] })
  assert.equal(readFileSync(file).length > before.length, true)
}

/** Parents in a circle: omp's tree has no place for them. Grove shows each entry, and says what is wrong. */
async function cycles({ world, both }) {
  const { theirs, ours } = await both()
  const { file } = journal(world, 'cycle', [said('x', 'y'), said('y', 'x'), A, B])
  const [read, omp] = [await ours.ask(open(file)), await theirs.ask(open(file))]
  assertSameFacts(read, omp, 'as omp reads it', { except: ['roots'] })
  assert.deepEqual([omp.roots, read.problems], [['a'], ['cycle']])
  const changed = await ours.ask({ ...open(file), calls: [says(), { call: 'branch', args: ['x'] }, says()] })
  assertSameFacts(changed, await theirs.ask(open(file)), 'after Grove went on in the circle', {
    except: ['roots'],
  })
}

/** Two entries of one id: both programs keep both lines. Branched off by Grove, the second one has an id of its own. */
async function duplicateIds({ world, both }) {
  const { theirs, ours } = await both()
  const { file } = journal(world, 'twins', [A, B, said('b', 'a'), said('c', 'b')])
  const read = await ours.ask({
    ...open(file),
    calls: [{ call: 'createBranchedSession', args: ['c'], as: 'made' }],
  })
  assert.deepEqual([read.entryIds, read.problems], [['a', 'b', 'b', 'c'], ['duplicate-id']])
  const { made } = read.answers
  const opened = await theirs.ask(open(made.file))
  assertSameFacts(made, opened, "Grove's branched session")
  assert.deepEqual([new Set(made.entryIds).size, made.problems], [made.entryIds.length, []])
}

/** An empty file: omp writes a header as soon as it opens it. Grove leaves it empty until something is said. */
async function emptyFiles({ world, both }) {
  const { theirs, ours } = await both()
  const [grove, omp] = ['grove', 'omp'].map(name => {
    const { file, cwd } = journal(world, `empty-${name}`, [])
    writeFileSync(file, '')
    age([file])
    return { file, cwd }
  })
  await ours.ask({ ...open(grove.file), cwd: grove.cwd, calls: [says()] })
  assert.equal(readFileSync(grove.file).length, 0)
  const made = await ours.ask({ ...open(grove.file), cwd: grove.cwd, calls: turn('Now?', 'Yes.') })
  assertSameFacts(made, await theirs.ask(open(grove.file)), 'as omp reads it')
  await theirs.ask({ ...open(omp.file), cwd: omp.cwd })
  assert.ok(readFileSync(omp.file).length > 0)
}

/** A file that is not there: omp begins a session in its place. Grove says that it is not there. */
async function missingFiles({ world, both }) {
  const { theirs, ours } = await both()
  const { file } = journal(world, 'missing', [A])
  rmSync(file)
  assert.equal((await ours.refusal(open(file))).code, 'not-found')
  assert.equal(existsSync(file), false)
  const [made] = await theirs.run([{ ...open(file), calls: turn('New?', 'Yes.') }])
  assert.equal(made.entryIds.length, 2)
}

/** A file that is deleted while it is open: omp makes one without a header, which none can open. Grove makes nothing. */
async function deletedFiles({ world, both }) {
  const { theirs, ours } = await both()
  const [grove, omp] = ['grove', 'omp'].map(name => journal(world, `deleted-${name}`, [A, B]).file)
  await ours.ask({ ...open(grove), hold: 'deleted' })
  await theirs.ask({ ...open(omp), hold: 'deleted' })
  for (const file of [grove, omp]) rmSync(file)
  const held = { do: 'held', name: 'deleted' }
  const refused = { refused: 'not-found' }
  await ours.ask({
    ...held,
    factless: true,
    calls: [
      { ...says(), ...refused },
      { ...title('No'), ...refused },
    ],
  })
  assert.deepEqual(readdirSync(dirname(grove)), [])
  await theirs.ask({ ...held, calls: [says(user('omp here.'))] })
  assert.match((await theirs.refusal(open(omp))).error, /header/)
}

export const oddFileTests = [
  { name: 'difference: glued records', run: glued },
  { name: 'difference: a line that is null', run: nullLine },
  { name: 'difference: corrupt lines', run: corruptLines },
  { name: 'difference: no line feed at the end', run: noFinalLineFeed },
  { name: 'difference: a torn last line', run: tornLastLine },
  { name: 'difference: long titles', run: longTitles },
  { name: 'difference: a slot of another length', run: slotLength },
  { name: 'difference: ids of version 1', run: idsOfVersion1 },
  { name: 'difference: a version to come', run: version4 },
  { name: 'difference: parents in a circle', run: cycles },
  { name: 'difference: ids that are there twice', run: duplicateIds },
  { name: 'difference: empty files', run: emptyFiles },
  { name: 'difference: a file that is not there', run: missingFiles },
  { name: 'difference: a file that is deleted meanwhile', run: deletedFiles },
]
