/** Where Grove does something else than omp, on purpose: what omp does, what Grove does, and that omp can read what comes of it. */
import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { assertSameFacts, maskedLines } from '../../compare.mjs'
import { append, assistant, text, turn, user } from '../../messages.mjs'
import { age } from '../../world.mjs'

const open = file => ({ do: 'open', file })
const says = (message = user('Grove here.')) => append(message)
const title = text => ({ call: 'setSessionName', args: [text, 'user'] })
const linesOf = file => readFileSync(file, 'utf8').split('\n')

/** Where omp and Grove keep the sessions of a folder below the home folder. */
const directoryOf = (world, cwd) =>
  join(world.sessionsDir, `-${relative(world.home, cwd).replaceAll('/', '-')}`)

/** A journal of these lines behind a header, old enough that nobody is writing it. */
function journal(world, name, lines, { version = 3, slot = '', end = '\n' } = {}) {
  const cwd = world.folder(`odd/${name}`)
  const file = join(directoryOf(world, cwd), `2026-01-02T03-04-05-006Z_odd-${name}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  const header = { type: 'session', version, id: `odd-${name}`, timestamp: '2026-01-02T03:04:05.006Z', cwd }
  const all = [
    JSON.stringify(header),
    ...lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))),
  ]
  writeFileSync(file, `${slot}${all.join('\n')}${end}`)
  age([file])
  return { file, cwd }
}

const said = (id, parentId, message = user(id)) => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2026-01-02T03:04:06.007Z',
  message,
})
const A = said('a', null)
const B = said('b', 'a', assistant('b'))

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

const LIMIT = 500_000

/** A text of more than 500,000 characters: omp cuts it for good. Grove writes it whole, and omp reads that whole. */
async function longTexts({ world, both }) {
  const { theirs, ours } = await both()
  const long = 'x'.repeat(LIMIT + 1)
  const step = { do: 'create', calls: [says(user([text(long)])), append(assistant('Long.'))] }
  const [grove, omp] = [
    await ours.ask({ ...step, cwd: world.folder('odd/long-by-grove') }),
    await theirs.ask({ ...step, cwd: world.folder('odd/long-by-omp') }),
  ]
  const lengthIn = file => JSON.parse(linesOf(file)[2]).message.content[0].text.length
  assert.deepEqual([lengthIn(grove.file), lengthIn(omp.file)], [LIMIT + 1, LIMIT])
  assertSameFacts(grove, await theirs.ask({ ...open(grove.file), calls: [] }), 'as omp reads it')
  // Only an omp that writes the file anew cuts it, as it would its own.
  await theirs.ask({ ...open(grove.file), calls: turn('And?', 'So.') })
  assert.equal(lengthIn(grove.file), LIMIT + 1)
  await theirs.ask({ ...open(grove.file), calls: [{ call: 'rewriteEntries' }] })
  assert.equal(lengthIn(grove.file), LIMIT)
}

/** The beginning of several ids: omp takes the newest session. Grove takes none, and names them. */
async function ambiguousPrefix({ world, both }) {
  const { theirs, ours } = await both()
  const [one, two] = ['same-1', 'same-2'].map(name => journal(world, name, [A, B]))
  age([one.file], 600)
  const resume = { do: 'resume', argument: 'odd-same', cwd: one.cwd.replace(/same-1$/, '') }
  assert.equal((await theirs.ask(resume)).session.path, two.file)
  const refused = await ours.refusal(resume)
  assert.equal(refused.code, 'conflict')
  assert.match(refused.error, /odd-same-1.*|odd-same-2/)
  assert.equal((await ours.ask({ ...resume, argument: 'ODD-same-1' })).file, one.file)
}

/** Usage that tells no cost: Grove writes what it is given and counts the tokens; omp cannot open such a session. */
async function usageWithoutCost({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('odd/no-cost')
  const { cost: _cost, ...usage } = assistant('').usage
  const calls = [says(user('Go?')), append({ ...assistant('Yes.'), usage })]
  const made = await ours.ask({ do: 'create', cwd, calls })
  assert.deepEqual([made.usage.cost, made.usage.input], [null, usage.input])
  assert.match((await theirs.refusal(open(made.file))).error, /usage\.cost\.total/)
}

const BYTES = Buffer.from(Array.from({ length: 1_500 }, (_, at) => at % 251))
const ODD_BASE64 = {
  'line breaks': BYTES.toString('base64').replace(/.{76}/g, '$&\n'),
  'no padding': Buffer.concat([BYTES, Buffer.from('a')])
    .toString('base64')
    .replace(/=+$/, ''),
  'the alphabet of URLs': BYTES.toString('base64url'),
}

/** Base64 that its bytes would not give back: omp stores the bytes and has another text from then on. Grove keeps the text. */
async function oddBase64({ world, both }) {
  const { theirs, ours } = await both()
  const image = data => ({ type: 'image', data, mimeType: 'image/png' })
  const texts = Object.values(ODD_BASE64)
  const step = { do: 'create', calls: [says(user(texts.map(image))), append(assistant('Seen.'))] }
  const [grove, omp] = [
    await ours.ask({ ...step, cwd: world.folder('odd/base64-by-grove') }),
    await theirs.ask({ ...step, cwd: world.folder('odd/base64-by-omp') }),
  ]
  const [ofGrove, ofOmp] = await theirs.run([open(grove.file), open(omp.file)])
  assert.deepEqual(ofGrove.pictures, omp.pictures, 'as it was given')
  for (const [at, name] of Object.keys(ODD_BASE64).entries())
    assert.notEqual(ofOmp.pictures[at], omp.pictures[at], `omp has another text afterwards: ${name}`)
  assert.deepEqual(
    ofOmp.images.map(({ sha256 }) => sha256),
    ofGrove.images.map(({ sha256 }) => sha256),
  )
}

/** A list of data URLs under `image_url`: omp stores its texts and never gets them back. Grove does. */
async function urlLists({ world, both }) {
  const { theirs, ours } = await both()
  const urls = ['data:image/png;base64,aGk=', 'data:image/png;base64,aG8=']
  const items = [{ type: 'message', content: [{ type: 'input_image', image_url: urls }] }]
  const answer = { ...assistant('Seen.'), providerPayload: { type: 'openaiResponsesHistory', items } }
  const made = await ours.ask({
    do: 'create',
    cwd: world.folder('odd/urls'),
    calls: [says(), append(answer)],
  })
  const [read, omp] = [await ours.ask(open(made.file)), await theirs.ask(open(made.file))]
  assert.ok(read.pictures.every(picture => !picture.startsWith('blob:')))
  assert.deepEqual(
    omp.pictures.map(picture => picture.startsWith('blob:')),
    [true, true],
  )
}

/** Looking: omp makes folders and brings a backup back while it lists. Grove changes nothing. */
async function looking({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('odd/looked-at')
  const { file, cwd: backedUp } = journal(world, 'backup', [A, B])
  const backup = `${file}.0123456789abcdef.bak`
  writeFileSync(backup, readFileSync(file))
  rmSync(file)
  assert.deepEqual(
    [await ours.ask({ do: 'list', cwd }), await ours.ask({ do: 'list', cwd: backedUp })],
    [[], []],
  )
  const directory = directoryOf(world, cwd)
  assert.deepEqual([existsSync(directory), existsSync(file), existsSync(backup)], [false, false, true])
  await theirs.run([
    { do: 'list', cwd },
    { do: 'list', cwd: backedUp },
  ])
  assert.deepEqual([existsSync(directory), existsSync(file), existsSync(backup)], [true, true, false])
}

/** The list that omp shows when it starts has titles of its own, in history.db. Grove does not write there: they stay. */
async function welcomeList({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('odd/welcome')
  const { file } = await theirs.ask({ do: 'create', cwd, calls: [...turn('Go?', 'Yes.'), title('By omp')] })
  age([file])
  await ours.ask({ ...open(file), calls: [title('By Grove')] })
  const other = world.folder('odd/welcome-to-others')
  await ours.ask({ do: 'create', cwd: other, calls: [...turn('Go?', 'Yes.'), title('By Grove')] })
  const [recent, listed, others] = await theirs.run([
    { do: 'recent', cwd },
    { do: 'list', cwd },
    { do: 'recent', cwd: other },
  ])
  const shown = list => list.map(session => session.title ?? session.name)
  assert.deepEqual([shown(recent), shown(listed), shown(others)], [['By omp'], ['By Grove'], ['By Grove']])
}

/** Grove's gate can be open: what was typed is on the disk before there is an answer, and omp goes on with it. */
async function openGate({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('odd/open-gate')
  const made = await ours.ask({
    do: 'create',
    cwd,
    settings: { gate: 'open' },
    calls: [says(user('Typed.'))],
  })
  assert.equal(made.isOnDisk, true)
  const continued = await theirs.ask({ do: 'continue', cwd, calls: [append(assistant('Answered.'))] })
  assert.deepEqual([continued.file, continued.context], [made.file, ['user', 'assistant']])
}

/** What others append while Grove has a session open is read before anything is added; omp goes on under its own leaf. */
async function foreignLines({ world, both }) {
  const { theirs, ours } = await both()
  const { file } = journal(world, 'foreign', [A, B])
  await ours.ask({ ...open(file), hold: 'foreign' })
  appendFileSync(file, `${JSON.stringify(said('c', 'b'))}\n`)
  const held = { do: 'held', name: 'foreign' }
  age([file])
  const told = { ...says(), refused: 'changed-on-disk', as: 'why' }
  const { answers, entryIds } = await ours.ask({ ...held, calls: [told] })
  assert.match(answers.why.message, /Another program wrote/)
  assert.deepEqual(entryIds, ['a', 'b', 'c'])
  const changed = await ours.ask({ ...held, calls: [{ call: 'branch', args: ['c'] }, says()] })
  assertSameFacts(changed, await theirs.ask(open(file)), 'as omp reads it')
  assert.deepEqual(changed.path.slice(0, 3), ['a', 'b', 'c'])
}

export const differenceTests = [
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
  { name: 'difference: texts of more than 500,000 characters', run: longTexts },
  { name: 'difference: the beginning of several ids', run: ambiguousPrefix },
  { name: 'difference: usage that tells no cost', run: usageWithoutCost },
  { name: 'difference: base64 that its bytes do not give back', run: oddBase64 },
  { name: 'difference: lists of data URLs', run: urlLists },
  { name: 'difference: looking', run: looking },
  { name: 'difference: the list that omp shows when it starts', run: welcomeList },
  { name: 'difference: the open gate', run: openGate },
  { name: 'difference: lines that others append meanwhile', run: foreignLines },
]
