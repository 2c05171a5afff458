/** What Grove writes is read, listed, found, exported and gone on with by omp; what omp then wrote is read by Grove; and so on. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertGrew, assertSameFacts } from '../../compare.mjs'
import { turn } from '../../messages.mjs'
import { age } from '../../world.mjs'
import { KINDS } from './kinds.mjs'

/** What omp's HTML file holds of the session. */
function exported(file) {
  const html = readFileSync(file, 'utf8')
  const data = /<script id="session-data" type="application\/json">([^<]*)<\/script>/.exec(html)?.[1]
  return JSON.parse(Buffer.from(data ?? assert.fail('the HTML holds the session'), 'base64').toString('utf8'))
}

/** omp opens, lists, finds, continues and exports a session of Grove's; every answer means this one. */
const looksOf = ({ file, id }, cwd, html) => [
  { do: 'open', file, calls: [{ call: 'exportHtml', args: [html] }] },
  { do: 'list', cwd },
  { do: 'resume', argument: id.slice(0, 23).toUpperCase(), cwd },
  { do: 'continue', cwd },
]

function assertLooks(made, [opened, listed, resumed, continued], html, kind) {
  assertSameFacts(made, opened, `${kind}, opened by omp`)
  assert.deepEqual(
    listed.map(({ path, id }) => [path, id]),
    [[made.file, made.id]],
    `${kind}: omp's list`,
  )
  // Without one, omp shows the short summary of a compaction.
  if (made.title !== null) assert.equal(listed[0].title, made.title, `${kind}: omp's list`)
  assert.equal(resumed.session.path, made.file, `${kind}: omp finds it by its id`)
  assert.deepEqual([continued.file, continued.leafId], [made.file, made.leafId], `${kind}: omp continues it`)
  const { header, entries, leafId } = exported(html)
  assert.equal(header.id, made.id, `${kind}: exported`)
  assert.deepEqual([entries.map(({ id }) => id), leafId], [made.entryIds, made.leafId], `${kind}: exported`)
}

const OF_OMP = [...turn('omp here.', 'Yes.'), { call: 'appendLabelChange', args: ['$last', 'by omp'] }]

async function everyKind({ world, both }) {
  const { theirs, ours } = await both()
  const kinds = Object.keys(KINDS)
  const folders = kinds.map((_, at) => world.folder(`code/kind-${at}`))
  const htmls = kinds.map((_, at) => join(world.root, `${at}.html`))
  await ours.run(kinds.map((kind, at) => ({ do: 'create', cwd: folders[at], calls: KINDS[kind] })))
  const files = (await ours.run(folders.map(cwd => ({ do: 'list', cwd })))).map(([session]) => session.file)
  const open = files.map(file => ({ do: 'open', file }))
  const made = await ours.run(open)

  const looks = made.map((session, at) => looksOf(session, folders[at], htmls[at]))
  const looked = await theirs.run(looks.flat())
  for (const [at, kind] of kinds.entries()) {
    const size = looks[at].length
    assertLooks(made[at], looked.slice(at * size, (at + 1) * size), htmls[at], kind)
  }

  const last = { call: 'getLeafId', as: 'last' }
  const grown = await theirs.run(
    open.map((step, at) => ({
      ...step,
      calls: made[at].leafId === null ? turn('omp here.', 'Yes.') : [last, ...OF_OMP],
    })),
  )
  age(files)
  const ofGrove = [...turn('Grove here.', 'Yes.'), { call: 'setSessionName', args: ['Both', 'user'] }]
  const again = await ours.run(open.map(step => ({ ...step })))
  const grownAgain = await ours.run(open.map(step => ({ ...step, calls: ofGrove })))
  const end = await theirs.run(open)
  for (const [at, kind] of kinds.entries()) {
    assertGrew(made[at], grown[at], made[at].leafId === null ? 2 : 3, `${kind}, gone on with by omp`)
    assertSameFacts(again[at], grown[at], `${kind}, read by Grove after omp`)
    assertGrew(again[at], grownAgain[at], 3, `${kind}, gone on with by Grove`)
    assertSameFacts(grownAgain[at], end[at], `${kind}, opened by omp at the end`)
    assert.equal(end[at].title, 'Both')
  }
}

/** omp's own command line makes the HTML file too. */
async function exportCommand({ world, omp, both }) {
  const { ours } = await both()
  const made = await ours.ask({ do: 'create', cwd: world.folder('code/html'), calls: KINDS.pictures })
  const html = join(world.root, 'session.html')
  omp.cli(world, ['--export', made.file, html])
  const { entries, leafId } = exported(html)
  assert.deepEqual([entries.map(({ id }) => id), leafId], [made.entryIds, made.leafId])
  assert.equal(JSON.stringify(entries.slice(0, 3)).includes('blob:sha256:'), false, 'the pictures are in it')
}

export const thereAndBackTests = [
  { name: 'writing: every kind, there and back and there again', run: everyKind },
  { name: "writing: omp's command line exports to HTML", run: exportCommand },
]
