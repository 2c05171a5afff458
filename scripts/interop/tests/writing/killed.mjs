/** Programs of Grove's that are killed while they write, alone or two at once, and what omp makes of the files they leave. */
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { bundleForNode } from '../../../setup/bundle.mjs'
import { CACHE } from '../../../setup/project.mjs'
import { assertSameFacts } from '../../compare.mjs'
import { turn, user } from '../../messages.mjs'

const KILLS = 20
/** Milliseconds that the programs have after the first that they told. */
const LONGEST_MS = 120

/** Starts programs on one session, kills them all at a random moment; answers the ids that they told. */
async function killed(world, command, count) {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, command, { cwd: world.home, env: world.env() }),
  )
  const ends = children.map(child => once(child, 'close'))
  const said = children.map(() => ({ out: '', errors: '' }))
  for (const [at, child] of children.entries()) {
    child.stdout.on('data', chunk => {
      said[at].out += chunk
    })
    child.stderr.on('data', chunk => {
      said[at].errors += chunk
    })
  }
  await Promise.race([...children.map(child => once(child.stdout, 'data')), ...ends])
  await pause(Math.random() * LONGEST_MS)
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(ends)
  for (const [at, child] of children.entries()) assert.equal(child.signalCode, 'SIGKILL', said[at].errors)
  return said.flatMap(({ out }) =>
    out.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line).id])),
  )
}

/** The id of the last whole line that is an entry. */
function lastWhole(file) {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map(line => JSON.parse(line)).at(-1).id
}

/** omp opens what is left: every acknowledged entry once, the leaf at the last whole line; then Grove goes on with it, and omp where it can. */
async function killedWriters({ world, both }) {
  const { theirs, ours } = await both()
  const program = await bundleForNode('scripts/interop/killed-writer.ts', `${CACHE}/interop`)
  const cwd = world.folder('code/killed')
  const files = []
  let acknowledged = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const { file, entryIds } = await theirs.ask({ do: 'create', cwd, calls: turn('Go?', 'Yes.') })
    const told = await killed(world, [program, file], (kill % 2) + 1)
    acknowledged += told.length
    files.push({ file, ids: [...entryIds, ...told] })
  }
  assert.ok(acknowledged > KILLS, `${acknowledged} entries were acknowledged`)
  for (const { file, ids } of files) {
    const leaf = lastWhole(file)
    const opened = await theirs.ask({ do: 'open', file })
    const there = opened.entryIds.filter(id => ids.includes(id))
    assert.deepEqual([...there].sort(), [...ids].sort(), `${file}: every acknowledged entry, once`)
    assert.equal(opened.leafId, leaf, `${file}: leaf`)
    const says = text => [{ call: 'appendMessage', args: [user(text)] }]
    const changed = await ours.ask({ do: 'open', file, alone: true, calls: says('Grove goes on.') })
    assert.deepEqual(changed.entryIds.slice(0, -1), opened.entryIds)
    assert.equal(changed.damaged <= 1, true, `${file}: ${changed.damaged} damaged lines`)
    const going = { do: 'open', file, calls: says('omp goes on.') }
    if (isUtf8(readFileSync(file))) {
      const after = await theirs.ask(going)
      assert.deepEqual(after.entryIds.slice(0, -1), changed.entryIds)
      assertSameFacts(await ours.ask({ do: 'open', file }), after, file, { except: ['answers'] })
    } else {
      // omp takes half a character for a whole one, and then for another program's work.
      assert.match((await theirs.refusal(going)).error, /changed before rewrite/)
      assertSameFacts(changed, await theirs.ask({ do: 'open', file }), file, { except: ['answers'] })
    }
  }
}

export const killedTests = [{ name: 'writing: sessions of killed programs open in omp', run: killedWriters }]
