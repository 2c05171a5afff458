/** Two programs on one session at once: omp's lock in both directions, and both appending. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { assertSameFacts } from '../../compare.mjs'
import { assistant, turn, user } from '../../messages.mjs'
import { age } from '../../world.mjs'

const open = file => ({ do: 'open', file })
const lockOf = file => join(dirname(file), `.${basename(file)}.lock`)
const POLL_MS = 2
const LOCK = /^(\d+):\d+\n$/

/** Who holds the lock; undefined when nobody does, or not yet. */
const holderOf = file =>
  existsSync(lockOf(file)) ? LOCK.exec(readFileSync(lockOf(file), 'utf8'))?.[1] : undefined

/** What goes on meanwhile: when the test fails first, nobody waits for it. */
function meanwhile(promise) {
  promise.catch(() => undefined)
  return promise
}

async function until(fact) {
  while (!fact()) await pause(POLL_MS)
}

const SAYS = [{ call: 'appendMessage', args: [user('Grove here.')] }]
const LOCKED = [{ ...SAYS[0], refused: 'in-use', as: 'why' }]

/** While omp holds its locks Grove refuses, and names who has it; let go of in time, Grove has waited. */
async function ompHolds({ world, omp, both, start }) {
  const { theirs, ours } = await both()
  const holder = await start(omp.start(world))
  const { file } = await theirs.ask({
    do: 'create',
    cwd: world.folder('code/locks'),
    calls: turn('Go?', 'Yes.'),
  })
  const before = readFileSync(file)
  const whileFile = join(world.folder('signals'), 'keep')

  writeFileSync(whileFile, '')
  const held = meanwhile(holder.ask({ do: 'holdLock', file, whileFile }))
  await until(() => existsSync(`${whileFile}.held`))
  const pid = holderOf(file)
  const { answers } = await ours.ask({ ...open(file), alone: true, calls: LOCKED })
  assert.match(answers.why.message, new RegExp(`\\b${pid}\\b`), 'it says which process holds the lock')
  assert.deepEqual(readFileSync(file), before)
  // Asked for while the lock is held, and let go of at once: whichever comes first, the line must be there.
  const asked = meanwhile(ours.ask({ ...open(file), alone: true, calls: SAYS }))
  rmSync(whileFile)
  const changed = await asked
  await held
  assertSameFacts(changed, await theirs.ask(open(file)), 'after both')
  assert.equal(changed.entryIds.length, 3)
  assert.equal(existsSync(lockOf(file)), false)
}

/** While Grove holds the lock omp waits, and fails closed when it takes too long: nothing of Grove's is lost. */
async function groveHolds({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/locks')
  const { file } = await theirs.ask({ do: 'create', cwd, hold: 'omp', calls: turn('Go?', 'Yes.') })
  const whileFile = join(world.folder('signals'), 'keep')
  const says = text => ({
    do: 'held',
    name: 'omp',
    calls: [
      { call: 'appendMessage', args: [user(text)] },
      { call: 'trouble', as: 'trouble' },
    ],
  })
  const change = { ...open(file), alone: true, lockedWhile: whileFile, calls: SAYS }

  writeFileSync(whileFile, '')
  const first = meanwhile(ours.ask(change))
  await until(() => holderOf(file) !== undefined)
  const waiting = meanwhile(theirs.ask(says('omp, who waited.')))
  rmSync(whileFile)
  assert.equal((await waiting).answers.trouble, null)
  const changed = await first
  const after = await theirs.ask(open(file))
  assert.equal(after.entryIds.length, 4)
  assert.ok(changed.entryIds.every(id => after.entryIds.includes(id)))

  writeFileSync(whileFile, '')
  const second = meanwhile(ours.ask(change))
  await until(() => holderOf(file) !== undefined)
  const failed = await theirs.ask(says('omp, who waited in vain.'))
  assert.match(failed.answers.trouble, /^SessionLockError: .*lock/, 'omp fails closed')
  rmSync(whileFile)
  await second
  assert.equal((await theirs.ask(open(file))).entryIds.length, 5, "Grove's line is there, and omp's is not")
  assert.equal(existsSync(lockOf(file)), false)
}

const COUNT = 200
const PAUSE_MS = 2
const many = who =>
  Array.from({ length: COUNT }, (_, at) => (at % 2 === 0 ? user(`${who} ${at}`) : assistant(`${who} ${at}`)))

/** omp and Grove append to one file at once: every line that either took is there, and omp reads all of them. */
async function bothAppend({ world, both }) {
  const { theirs, ours } = await both()
  const cwd = world.folder('code/together')
  const { file, entryIds } = await theirs.ask({ do: 'create', cwd, calls: turn('Go?', 'Yes.') })
  const signals = world.folder('signals-of-both')
  const signal = who => join(signals, who)
  const appendMany = (who, whom) => {
    const meeting = { ready: signal(who), other: signal(whom), pauseMs: PAUSE_MS }
    return [{ call: 'appendMany', args: [many(who), meeting], as: 'ids' }]
  }
  const [omp, grove] = await Promise.all([
    theirs.ask({ ...open(file), calls: appendMany('omp', 'Grove') }),
    ours.ask({
      ...open(file),
      alone: true,
      settings: { sharing: 'join' },
      calls: appendMany('Grove', 'omp'),
    }),
  ])
  const taken = [omp.answers.ids, grove.answers.ids]
  assert.deepEqual(
    taken.map(ids => ids.length),
    [COUNT, COUNT],
  )
  const opened = await theirs.ask(open(file))
  const read = await ours.ask(open(file))
  assertSameFacts(read, opened, 'as both read it')
  assert.equal(opened.entryIds.length, entryIds.length + 2 * COUNT)
  for (const ids of taken) {
    const there = opened.entryIds.filter(id => ids.includes(id))
    assert.deepEqual(there, ids, 'all of one, in its order')
  }
  // Each goes on under its own leaf: two branches of the entry at which they began, none of which has a gap.
  assert.deepEqual(opened.branchPoints, {
    [entryIds.at(-1)]: [taken[0][0], taken[1][0]].sort(
      (a, b) => opened.entryIds.indexOf(a) - opened.entryIds.indexOf(b),
    ),
  })
  const turns = opened.entryIds.map(id => taken[0].includes(id))
  const changes = turns.filter((isOmp, at) => at > 0 && isOmp !== turns[at - 1]).length
  assert.ok(changes > 4, `they wrote in turns (${changes} changes)`)
  assert.equal(readFileSync(file, 'utf8').split('\n').length, 2 + entryIds.length + 2 * COUNT + 1)
}

/** omp's conflict lasts: after a foreign line its next rewrite fails, and all later ones. Grove tells it once and goes on. */
async function conflicts({ world, both }) {
  const { theirs, ours } = await both()
  const cwds = ['code/omp-waits', 'code/grove-waits'].map(path => world.folder(path))
  const says = text => ({ call: 'appendMessage', args: [user(text)] })
  const [omp, grove] = [
    await theirs.ask({ do: 'create', cwd: cwds[0], calls: turn('Go?', 'Yes.') }),
    await ours.ask({ do: 'create', cwd: cwds[1], calls: turn('Go?', 'Yes.') }),
  ]
  const trouble = { call: 'trouble', as: 'trouble' }

  await theirs.ask({ ...open(omp.file), hold: 'omp' })
  await ours.ask({ ...open(omp.file), alone: true, calls: [says('Grove here.')] })
  const rewrite = { call: 'rewriteEntries' }
  const [first] = await theirs.try([{ do: 'held', name: 'omp', calls: [rewrite] }])
  assert.match(first.error, /SessionWriteConflictError|changed/i)
  const later = await theirs.ask({ do: 'held', name: 'omp', calls: [says('omp, later.'), trouble] })
  assert.notEqual(later.answers.trouble, null)
  assert.equal(
    (await ours.ask(open(omp.file))).entryIds.length,
    3,
    'nothing of omp came into the file any more',
  )

  await ours.ask({ ...open(grove.file), alone: true, hold: 'grove' })
  await theirs.ask({ ...open(grove.file), calls: [says('omp here.')] })
  age([grove.file])
  const calls = [
    { ...says('Grove, told.'), refused: 'changed-on-disk' },
    says('Grove, later.'),
    says('And again.'),
  ]
  const held = await ours.ask({ do: 'held', name: 'grove', calls })
  assertSameFacts(
    { ...held, leafId: held.entryIds.at(-1) },
    await theirs.ask(open(grove.file)),
    'all of both',
  )
  assert.equal(held.entryIds.length, 5)
}

export const togetherTests = [
  { name: "together: omp's locks, which Grove honours", run: ompHolds },
  { name: "together: Grove's lock, which omp honours", run: groveHolds },
  { name: 'together: both append to one session', run: bothAppend },
  { name: 'difference: a conflict does not last', run: conflicts },
]
