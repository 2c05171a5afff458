/** Where Grove does something else than omp on purpose: what omp does, what Grove does, and that omp can read what comes of it. */
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { assertSameFacts } from '../../compare.mjs'
import { append, assistant, text, turn, user } from '../../messages.mjs'
import { age } from '../../world.mjs'
import { A, B, directoryOf, journal, linesOf, open, said, says, title } from './odd-journal.mjs'

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
