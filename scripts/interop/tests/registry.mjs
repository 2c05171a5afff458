/** Sessions kept elsewhere: their notes have the names that omp gives them, and any other name does as well. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inRoot } from '../../setup/project.mjs'
import { append, assistant, image, PICTURES, text, user } from '../messages.mjs'
import { runToEnd } from '../process.mjs'
import { age } from '../world.mjs'

const HOUR_S = 3600
const LIMIT_MS = 60_000

/** What bun's hash makes of texts and of every length of bytes, as src-main/engine/breadcrumbs/wyhash.test.ts has it. */
const HASHES = `
  const { createHash } = require('node:crypto')
  const { texts, upTo } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
  const hex = bytes => BigInt(Bun.hash(bytes)).toString(16).padStart(16, '0')
  const all = createHash('sha256')
  for (let length = 0; length <= upTo; length++)
    all.update(hex(Uint8Array.from({ length }, (_byte, at) => at * 31 + length)))
  console.log(JSON.stringify({ texts: texts.map(hex), sha256: all.digest('hex') }))`

/** Runs a program under bun; what it prints, as JSON. */
function bun({ world, omp }, program, input) {
  const options = { cwd: world.home, env: world.env(), input: JSON.stringify(input), timeoutMs: LIMIT_MS }
  const done = runToEnd([omp.bun, '-e', program], options)
  assert.equal(done.status, 0, done.problem ?? done.stderr)
  return JSON.parse(done.stdout)
}

function sameHashes({ world, omp }) {
  const { texts, lengths } = JSON.parse(
    readFileSync(inRoot('src-main/engine/breadcrumbs/wyhash-answers.json'), 'utf8'),
  )
  const names = Object.keys(texts)
  assert.equal(names.length >= 12, true)
  assert.deepEqual(bun({ world, omp }, HASHES, { texts: names, upTo: lengths.upTo }), {
    texts: Object.values(texts),
    sha256: lengths.sha256,
  })
  const paths = names.filter(name => name.startsWith('/'))
  const module = JSON.stringify(join(dirname(omp.ompPackage), 'pi-utils/src/dirs.ts'))
  const program = `
    const { hashPath } = await import(${module})
    console.log(JSON.stringify(JSON.parse(require('node:fs').readFileSync(0, 'utf8')).map(hashPath)))`
  assert.deepEqual(
    bun({ world, omp }, program, paths),
    paths.map(path => texts[path].slice(-7)),
  )
}

const shows = picture => [append(user([text('What is this?'), image(picture)])), append(assistant('I see.'))]

/** Two sessions elsewhere, with a picture each; omp notes both, one of them is then noted under another name, one not at all. */
function otherNames({ world, omp }) {
  const folder = world.folder('elsewhere')
  const registry = join(world.agentDir, 'custom-session-files')
  const kept = join(folder, 'kept')
  const forgotten = join(folder, 'forgotten')
  const noted = [
    [kept, PICTURES.sunset],
    [forgotten, PICTURES.chart],
  ].map(([file, picture]) => {
    omp.ask(world, { do: 'open', file, calls: [...shows(picture), { call: 'ensureOnDisk' }] })
    const [note] = readdirSync(registry)
    assert.equal(readFileSync(join(registry, note), 'utf8'), file)
    rmSync(join(registry, note))
    return note
  })
  assert.notEqual(noted[0], noted[1])
  writeFileSync(join(registry, '0123456789abcdef'), kept)
  const blobs = () => readdirSync(world.blobsDir).filter(name => !name.includes('.'))
  age(
    readdirSync(world.blobsDir).map(name => join(world.blobsDir, name)),
    HOUR_S,
  )
  assert.equal(blobs().length, 2)
  omp.cli(world, ['gc', '--apply', '--json'])
  assert.deepEqual(blobs(), [createHash('sha256').update(PICTURES.sunset).digest('hex')])
  assert.equal(existsSync(kept), true)
}

export const registryTests = [
  { name: 'registry: names are hashed as omp hashes them', run: sameHashes },
  { name: 'registry: omp takes a note by any other name', run: otherNames },
]
